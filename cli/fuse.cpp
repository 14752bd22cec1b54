// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/fuse_run.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "crema/error.h"
#include "files/files.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Reads one binary mask per rater, all on one grid, and writes the mask or map that agrees best with all "
    "of "
    "them. NIfTI (.nii, .nii.gz, .hdr/.img) and, for 2-D images, PNG. The result has the geometry of the "
    "first "
    "rater.\n\n"
    "With several methods, OUT is a folder: it gets one image per method, named after it, and record.json. "
    "'crema methods' tells what the methods do and whom to cite; 'crema check' tells what is wrong with a "
    "mask.";

std::string method_choices() {
  std::string names;
  for (const Method& method : methods()) names += std::string(method.name) + "|";
  return names + "all";
}

/// Methods by name or paper name, separated by commas; each once, in the order typed.
std::vector<const Method*> parse_methods(const std::string& text) {
  std::vector<const Method*> chosen;
  auto choose = [&](const Method& method) {
    if (std::find(chosen.begin(), chosen.end(), &method) == chosen.end()) chosen.push_back(&method);
  };
  for (const std::string& name : split(text, ',')) {
    if (name == "all")
      for (const Method& method : methods()) choose(method);
    else
      choose(find_method(files::printable(name)));
  }
  return chosen;
}

void declare_method(CLI::App& app, FuseRequest& request) {
  const std::string group = "Method";
  take(app,
       {"-m,--method", method_choices(),
        fmt::format("How to fuse; several separated by commas, or all (default: {}). The paper's names are "
                    "understood too, such as {}.",
                    request.methods.front()->name, request.methods.front()->paper_name),
        group},
       [&request](const std::string& text) { request.methods = parse_methods(text); });
  take_choice(
      app,
      {"--connectivity", "4|8|6|18|26",
       "Which voxels touch: 4 or 8 in 2-D and slice-wise, 6, 18 or 26 in 3-D (default: 8 or 26).", group},
      [&request](const std::string& text) {
        request.connectivity = static_cast<int>(parse_whole(text, {4, 26}));
      });
  take(app,
       {"--slice-wise", "[x|y|z]",
        "Treat each slice across this axis as an image of its own (without a value: the axis of the largest "
        "spacing).",
        group},
       [&request](const std::string& text) {
         if (text != kAutomaticAxis && text != "x" && text != "y" && text != "z")
           throw UsageError(fmt::format("{} is not one of x, y, z.", files::printable(text)));
         request.slice_wise = text;
       });
  take_choice(app,
              {"--tie", "background|foreground", "What an exact tie becomes (default: background).", group},
              [&request](const std::string& text) {
                request.tie = text == "foreground" ? Tie::foreground : Tie::background;
              });
}

void declare_output(CLI::App& app, FuseRequest& request) {
  const std::string group = "Output";
  take_text(app,
            {"-o,--output", "OUT",
             "Where the consensus goes: a file, or a folder when there are several methods.", group},
            request.output)
      ->required();
  take_text(
      app,
      {"--json", "FILE",
       "Write a record of the run: raters, components, criterion, notices; - is standard output.", group},
      request.record);
  take_flag(app, {"--force", "", "Replace files that exist. An input is never replaced.", group},
            request.force);
  take_flag(app, {"-q,--quiet", "", "Print errors only. Notices are still in the record.", group},
            request.quiet);
}

void declare_limits(CLI::App& app, FuseRequest& request) {
  const std::string group = "Limits";
  take_whole(app,
             {"--threads", "N",
              "Use at most so many threads (default: one per core). The result is the same.", group},
             request.threads, {1, 4096});
  take(app,
       {"--max-memory", "SIZE",
        "Refuse images that need more memory, such as 512M or 4G (default: three quarters of the machine's).",
        group},
       [&request](const std::string& text) { request.read.max_memory = parse_memory(text); });
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<FuseRequest>();
  take_files(app, {"RATER", "RATER...", "One mask per rater, 1 to 64 of them.", "Input"}, request->raters);
  declare_reading(app, request->read);
  declare_method(app, *request);
  declare_output(app, *request);
  declare_limits(app, *request);
  return [request](Session& session) { return run_fuse(*request, session); };
}

}  // namespace

Command fuse_command() {
  return {"fuse",
          "Fuse raters' masks into a consensus",
          {{"one consensus", "crema fuse rater-*.nii.gz -o consensus.nii.gz"},
           {"with a record of the run",
            "crema fuse rater-*.nii.gz -o consensus.nii.gz --method dice --json record.json"},
           {"all methods, into a folder", "crema fuse rater-*.nii.gz -o results --method all"},
           {"thick slices, one by one", "crema fuse rater-*.nii.gz -o consensus.nii.gz --slice-wise z"},
           {"label 2 of each file", "crema fuse rater-*.nii.gz -o consensus.nii.gz --label 2"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
