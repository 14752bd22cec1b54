// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "crema/error.h"
#include "crema/version.h"
#include "plot/svg.h"
#include "report/embedded.h"
#include "report/html.h"
#include "report/payload.h"
#include "report/policy.h"
#include "report/report.h"
#include "report/sections.h"

namespace crema::report {
namespace {

std::string policy() {
  return policy_for(embedded::script_sha256(), embedded::wasm().empty() ? "" : " 'wasm-unsafe-eval'");
}

std::string what_if_section(const PageFacts& facts) {
  const char* const note =
      embedded::wasm().empty()
          ? "This page was made by a crema that was built without WebAssembly and cannot fuse "
            "again; the tables above have what was computed."
      : facts.slices
          ? "This page holds some slices alone and cannot fuse again; the tables above have what was "
            "computed."
          : "To fuse again takes JavaScript and WebAssembly, which are missing here; the tables above "
            "have what was computed.";
  return section(
      "whatif", "What if",
      "Take a rater out, let one count double, choose another distance: the consensus is found again, by "
      "the same program, here in your browser.",
      fmt::format("<div id=\"whatif-box\"><p class=\"note\">{}</p></div>\n", note));
}

std::string sections_of(const Material& material) {
  return verdict(material) + picture_section(material) + components_section(material) +
         what_if_section(material.facts) + without_section(material) + agreement_section(material) +
         raters_section(material) + methods_section(material) + performance_section(material) +
         passes_section(material) + rules_section(material) + review_section(material) +
         citation_section(material) + provenance_section(material);
}

std::string block(std::string_view id, std::string_view type, const std::string& content) {
  return fmt::format("<script type=\"{}\" id=\"{}\">{}</script>\n", type, id, content);
}

}  // namespace

std::string make_page(const raters::Case& counted, const Findings& findings, const Settings& settings,
                      const PageFacts& facts) {
  if (counted.reduction->crowns.empty())
    throw InputError("no rater drew anything, so that there is nothing to show; give other masks.");
  const Material material{counted, findings, settings, facts};
  const Payload payload = make_payload(counted, findings, facts);
  std::string data = block("data", "application/json", payload.json) +
                     block("voxels", "application/base64", payload.voxels) +
                     block("painted", "application/json", payload.painted);
  if (!embedded::wasm().empty() && !facts.slices)
    data += block("wasm", "application/base64", plot::svg::base64(embedded::wasm()));
  if (!payload.grey.empty()) data += block("grey", "application/base64", payload.grey);
  const std::string title = escaped(findings.names.name);
  const std::string sections = sections_of(material), allowed = policy();
  const std::string made =
      fmt::format("crema {}{}", version(), facts.run.date.empty() ? "" : ", " + facts.run.date);
  return filled(embedded::page(), {{"title", title},
                                   {"policy", allowed},
                                   {"made", made},
                                   {"style", embedded::style()},
                                   {"sections", sections},
                                   {"data", data},
                                   {"script", embedded::script()}});
}

}  // namespace crema::report
