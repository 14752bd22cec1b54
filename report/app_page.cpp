// SPDX-License-Identifier: Apache-2.0
#include "report/app_page.h"

#include <fmt/format.h>

#include "crema/version.h"
#include "plot/svg.h"
#include "report/embedded.h"
#include "report/html.h"
#include "report/policy.h"

namespace crema::report {

std::string make_app() {
  if (embedded::app_wasm().empty()) return "";
  const std::string policy = policy_for(embedded::app_script_sha256(), " 'wasm-unsafe-eval'");
  const std::string style = std::string(embedded::style()) + std::string(embedded::app_style());
  const std::string data = fmt::format("<script type=\"application/base64\" id=\"wasm\">{}</script>\n",
                                       plot::svg::base64(embedded::app_wasm()));
  return filled(embedded::app_page(), {{"policy", policy},
                                       {"style", style},
                                       {"made", version()},
                                       {"data", data},
                                       {"script", embedded::app_script()}});
}

}  // namespace crema::report
