// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/case/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string what_if_section(std::string_view instead) {
  return section("whatif", "What if",
                 "Leave out a rater, let one count double, choose another distance: the program fuses again, "
                 "here in your browser.",
                 fmt::format("<div id=\"whatif-box\"><p class=\"note\">{}</p></div>\n", instead));
}

}  // namespace

std::string body(const Material& material, std::string_view what_if_instead) {
  return picture_section(material) + verdict(material) + components_section(material) +
         what_if_section(what_if_instead) + without_section(material) + agreement_section(material) +
         raters_section(material) + methods_section(material) + performance_section(material) +
         passes_section(material) + rules_section(material) + review_section(material);
}

}  // namespace crema::report
