// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/shell/exit.h"
#include "cli/shell/options.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/error.h"
#include "files/layout.h"
#include "raters/headers.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Says of each file whether 'crema fuse' would take it, what it holds, and whether all lie on the grid of "
    "the "
    "first good one. Every problem of every file is told. Nothing is computed and nothing is written. "
    "Leaves with 0 when all is well, with 3 otherwise.";

struct CheckRequest {
  std::vector<std::string> paths;
  Settings settings;
};

/// What was found out about one file.
struct Finding {
  std::optional<files::Header> header;
  std::int64_t inside = 0;
  std::vector<std::string> problems;
  Warnings warnings;
};

/// Runs one step; a refusal becomes a problem of the file. What is a bug stays one.
template <class Step>
void attempt(Finding& finding, const Step& step) {
  try {
    step();
  } catch (...) {
    const Failure failure = explain(std::current_exception());
    if (failure.code == kBug || failure.code == kInterrupted) throw;
    finding.problems.push_back(failure.sentence);
  }
}

/// One per rater in the file; one without a header when there is none to be had.
std::vector<Finding> open(const std::string& path, const files::ReadOptions& read) {
  std::vector<Finding> findings;
  Finding failed;
  attempt(failed, [&] {
    for (files::Header& header : files::read_headers(path, read)) {
      findings.push_back({std::move(header), 0, {}, {}});
      append(findings.back().warnings, findings.back().header->warnings);
    }
  });
  if (!failed.problems.empty()) return {failed};
  return findings;
}

void look_at(Finding& finding, const files::Header* reference, const files::ReadOptions& read) {
  if (!finding.header) return;
  if (reference != nullptr)
    attempt(finding, [&] {
      // As fuse would lay them out: neither decides what the common grid is.
      const files::Layout layout = files::lay_out(std::vector{*reference, *finding.header}, nullptr);
      append(finding.warnings, layout.placements.back().warnings);
    });
  attempt(finding, [&] {
    const files::MaskFile mask = files::read_mask(*finding.header, read);
    finding.inside =
        std::count_if(mask.voxels.begin(), mask.voxels.end(), [](std::uint8_t v) { return v != 0; });
    append(finding.warnings, mask.warnings);
  });
}

void report(const Finding& finding, std::size_t width) {
  if (finding.problems.empty())
    print(fmt::format("ok   {:<{}}  {}, {}, {} voxels inside\n",
                      files::printable(files::rater_name(*finding.header)), width, grid_text(*finding.header),
                      finding.header->type, finding.inside));
  for (const std::string& problem : finding.problems) print(fmt::format("bad  {}\n", problem));
  for (const Sentence& warning : finding.warnings)
    print(fmt::format("     warning: {}\n", warning.text(Spelling::program)));
  flush_output();
}

int run_check(const CheckRequest& request) {
  const files::ReadOptions read = raters::read_options(request.settings);
  std::size_t width = 0, bad = 0, count = 0;
  for (const std::string& path : request.paths) width = std::max(width, files::printable(path).size());
  std::optional<files::Header> reference;
  for (const std::string& path : request.paths) {
    for (Finding& finding : open(path, read)) {
      look_at(finding, reference ? &*reference : nullptr, read);
      if (!reference && finding.problems.empty()) reference = finding.header;
      if (!finding.problems.empty()) ++bad;
      ++count;
      report(finding, width);
    }
  }
  if (bad == 0)
    print(count == 1 ? "The file is fine.\n"
                     : fmt::format("All {} {} are fine and lie on one grid.\n", count,
                                   count == request.paths.size() ? "files" : "masks"));
  else
    print(fmt::format("{} of {} file{} cannot be fused as {}.\n", bad, count, count == 1 ? "" : "s",
                      bad == 1 ? "it is" : "they are"));
  return bad == 0 ? kOk : kInput;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<CheckRequest>();
  take_files(app, {"FILE", "FILE...", "The masks to look at.", "Input"}, request->paths);
  take_group(app, request->settings, "Input");
  take_settings(app, request->settings, {"max_memory"});
  return [request](Session&) { return run_check(*request); };
}

}  // namespace

Command check_command() {
  return {"check",
          "Tell what is wrong with masks, without fusing them",
          {{"can these be fused?", "crema check rater-*.nii.gz"},
           {"as probability maps", "crema check --threshold 0.5 rater-*.nii.gz"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
