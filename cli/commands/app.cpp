// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/commands/commands.h"
#include "cli/commands/page.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "crema/base/error.h"
#include "files/plan.h"
#include "report/app_page.h"

namespace crema::cli {
namespace {

constexpr std::string_view kAppDescription =
    "Writes one HTML file that fuses masks: open it in any browser of 2023 or newer, drop masks on it, view "
    "them as in a report, change the method, and save the consensus as NIfTI. The program itself runs "
    "inside, compiled to WebAssembly; it needs no network, and nothing leaves the computer.\n\n"
    "It accepts the inputs of 'crema report' except TIFF, up to 50 million voxels. For larger images and for "
    "many cases use the program.";

struct AppRequest {
  std::string output;
  bool force = false, quiet = false;
};

int run_app(const AppRequest& request) {
  files::OutputPlan plan;
  add_page(plan, request.output);
  const std::string text = report::make_app();
  if (text.empty())
    throw UsageError(
        "this crema was built without WebAssembly; wheels and Debian packages have it, and "
        "docs/app/crema.html in the source is this page. To build it, install emscripten and configure with "
        "-DCREMA_WASM=ON.");
  const files::WriteOptions write{.overwrite = request.force};
  plan.check(write);
  files::OutputSet outputs(write);
  outputs.put_text(request.output, text);
  outputs.publish();
  if (!request.quiet) print_lines(page_line(request.output, text));
  return kOk;
}

Run declare_app(Parser& app) {
  auto request = std::make_shared<AppRequest>();
  add_text_option(app, {"-o,--output", "FILE", "The page: an .html file.", "Output"}, request->output)
      .required();
  add_flag(app, {"--force,--overwrite", "", "Replace a file that exists.", "Output"}, request->force);
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, request->quiet);
  return [request](Session&) { return run_app(*request); };
}

}  // namespace

Command app_command() {
  return {"app",
          "Write an HTML page that fuses masks in the browser",
          {{"a page to drop masks on", "crema app -o crema.html"}},
          kAppDescription,
          declare_app};
}

}  // namespace crema::cli
