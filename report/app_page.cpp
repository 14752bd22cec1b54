// SPDX-License-Identifier: Apache-2.0
#include "report/app_page.h"

#include "crema/base/version.h"
#include "plot/svg.h"
#include "report/embedded.h"
#include "report/frame.h"

namespace crema::report {

std::string make_app() {
  if (embedded::app_wasm().empty()) return "";
  return framed({.title = "crema: fuse masks in this browser",
                 .brand = "app",
                 .heading = "Fuse masks in this browser",
                 .links = "",
                 .sections = std::string(embedded::app_sections()),
                 .made = std::string(version()),
                 .data = data_block("wasm", "application/base64", plot::svg::base64(embedded::app_wasm())),
                 .style = embedded::app_style(),
                 .script = embedded::app_script(),
                 .sha = embedded::app_script_sha256(),
                 .wasm = true});
}

}  // namespace crema::report
