// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/terminal.h"
#include "cli/text/summary.h"
#include "crema/base/text.h"
#include "raters/run/examine.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCheckDescription =
    "Checks whether 'crema fuse' would accept each file, what it holds, and whether all files share one "
    "grid. Reports every problem of every file, and all warnings that 'crema fuse' gives before it runs a "
    "method. Writes no image. Exits with 0 when all is well, otherwise as 'crema fuse' would: with 3 when a "
    "file is refused.";

std::string held_text(const raters::Finding& finding) {
  std::string labels;
  for (const auto& [label, voxels] : finding.labels)
    labels += fmt::format("{}{}: {}", labels.empty() ? " (" : ", ", files::printable(label), voxels);
  if (finding.support)
    return fmt::format("{}, {}, {} from 0.5 on, {} from the floor on", grid_text(*finding.header),
                       finding.header->type, crema::counted(finding.voxels, "voxel"), *finding.support);
  return fmt::format("{}, {}, {} inside{}", grid_text(*finding.header), finding.header->type,
                     crema::counted(finding.voxels, "voxel"), labels.empty() ? "" : labels + ")");
}

/// One line for each rater and each problem; what a good one holds stands below its name where that is long.
class Report {
 public:
  Report(const raters::Examination& found, Stream stream) : found_(found), stream_(stream) {
    std::size_t held = 0;
    for (const raters::Finding& finding : found.findings) {
      if (!finding.problems.empty()) continue;
      widest_ = std::max(widest_, width_of(files::printable(name_of(finding))));
      held = std::max(held, width_of(held_text(finding)));
    }
    beside_ = kIndent + widest_ + 2 + held <= text_width(stream);
  }

  [[nodiscard]] std::string all() const {
    std::string text;
    for (std::size_t k = 0; k < found_.findings.size(); ++k) {
      const raters::Finding& finding = found_.findings[k];
      text += finding.problems.empty() ? good(finding, k + 1) : bad(finding.problems, k + 1);
    }
    return text + bad(found_.problems, 0) + end();
  }

  /// For those who want errors alone.
  [[nodiscard]] std::string problems() const {
    std::string text;
    for (std::size_t k = 0; k < found_.findings.size(); ++k) text += bad(found_.findings[k].problems, k + 1);
    return text + bad(found_.problems, 0);
  }

 private:
  static constexpr std::size_t kIndent = 8;

  [[nodiscard]] std::string good(const raters::Finding& finding, std::size_t number) const {
    const std::string name = files::printable(name_of(finding));
    const std::string blanks =
        beside_ ? std::string(widest_ - width_of(name) + 2, ' ') : "\n" + std::string(kIndent, ' ');
    return fmt::format("ok   {:>2} {}{}{}\n", number, name, blanks, held_text(finding));
  }

  [[nodiscard]] std::string bad(const std::vector<Sentence>& problems, std::size_t number) const {
    std::string text;
    for (const Sentence& problem : problems)
      text += fmt::format("{}  {:>2} {}\n", toned(Tone::error, "bad", stream_),
                          number == 0 ? "" : std::to_string(number),
                          fitted(problem.text(Spelling::program), kIndent, stream_));
    return text;
  }

  [[nodiscard]] std::string end() const {
    const std::size_t bad = found_.bad(), count = found_.findings.size();
    if (bad > 0)
      return fmt::format("{} of {} cannot be fused as {}.\n", bad, counted(count, "file"),
                         bad == 1 ? "it is" : "they are");
    if (!found_.problems.empty()) return "They cannot be fused as they are.\n";
    if (const auto defects = count_defects(found_.warnings); defects > 0)
      return fmt::format("{} can be fused, but {} of the warnings {} a defect of the input.\n",
                         count == 1 ? "The file" : fmt::format("All {} masks", count), defects,
                         defects == 1 ? "names" : "name");
    return count == 1 ? "The file is fine.\n"
                      : fmt::format("All {} masks are fine and lie on one grid.\n", count);
  }

  const raters::Examination& found_;
  Stream stream_;
  std::size_t widest_ = 0;
  bool beside_ = true;
};

Json record_of(const Request& request, const Session& session, const raters::Examination& found) {
  const RunFacts run{
      .command = session.arguments, .raters = {}, .warnings = spelled(session.warnings, Spelling::program)};
  return examination_record(run, request.settings, found, Spelling::program);
}

/// As a fusion would end.
int exit_of(const raters::Examination& found) {
  if (found.fine()) return kOk;
  if (found.faults.input) return kInput;
  return found.faults.memory ? kResource : kFile;
}

int run_check(const Request& request, Session& session) {
  session.quiet = request.quiet;
  files::OutputPlan plan = plan_for(request, {});
  add_record(plan, request);
  plan.check(request.write());
  Progress progress(show_of(request));
  const raters::Examination found = raters::examine({request.raters.begin(), request.raters.end()},
                                                    request.settings, hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, found.warnings);
  const Report report(found, request.quiet || request.record == "-" ? Stream::error : Stream::output);
  files::OutputSet outputs(request.write());
  deliver(request, report.all(), request.record.empty() ? Json() : record_of(request, session, found),
          outputs);
  if (request.quiet) say(report.problems());
  return exit_of(found);
}

Run declare_check(Parser& app) {
  auto request = std::make_shared<Request>();
  add_files_option(app, {"FILE", "FILE...", "The masks to check.", "Input"}, request->raters);
  add_setting_group(app, request->settings, "Input");
  add_setting_group(app, request->settings, "Levels");
  add_output_option(app, *request, "Write the findings as a record;");
  add_settings(app, request->settings, {"provenance"});
  add_setting_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_check(*request, session); };
}

}  // namespace

Command check_command() {
  return {"check",
          "Check masks without fusing them",
          {{"can these be fused?", "crema check rater-*.nii.gz"},
           {"probability maps", "crema check --probabilities fold-*.nii.gz"},
           {"for scripts", "crema check -q --json found.json rater-*.nii.gz"}},
          kCheckDescription,
          declare_check};
}

}  // namespace crema::cli
