// SPDX-License-Identifier: Apache-2.0
#include "report/engine_page.h"

#include <fmt/format.h>

#include "plot/svg.h"
#include "report/embedded.h"
#include "report/frame.h"
#include "report/policy.h"

namespace crema::report {

std::string engine_name() {
  if (embedded::wasm().empty()) return "";
  return fmt::format("engine-{}.html", embedded::wasm_sha256().substr(0, 16));
}

std::string make_engine() {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<title>crema: engine of the case "
      "pages</title>\n</head>\n<body>\n<p>The case pages of this run need this file to fuse again; keep it "
      "beside them.</p>\n{}<script>{}</script>\n</body>\n</html>\n",
      policy_for(embedded::engine_script_sha256()),
      data_block("wasm", "application/base64", plot::svg::base64(embedded::wasm())),
      embedded::engine_script());
}

}  // namespace crema::report
