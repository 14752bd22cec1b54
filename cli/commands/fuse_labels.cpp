// SPDX-License-Identifier: Apache-2.0
// `crema fuse` where files hold several labels.
#include "cli/commands/fuse_plan.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/text/label_summary.h"
#include "crema/agreement/label_record.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

std::vector<LabelFuseResult> run_methods(const FuseRequest& request, const raters::LabelCase& counted,
                                         const Planned& planned, files::OutputSet& outputs,
                                         Session& session) {
  std::vector<LabelFuseResult> results;
  for (std::size_t m = 0; m < request.methods.size(); ++m) {
    LabelFuseResult result{raters::solve_labels(counted, *request.methods[m]), {}};
    append(session.warnings, result.outcome.consensus.warnings);
    if (!planned.images.empty()) {
      const raters::Stopwatch watch;
      result.image = planned.images[m];
      const Image image = files::label_image(result.image, std::move(result.outcome.consensus.image));
      append(session.warnings, outputs.put_image(result.image, image, counted.reference));
      result.writing = watch.seconds();
    }
    results.push_back(std::move(result));
  }
  return results;
}

Json record_of(const FuseRequest& request, const Session& session, const raters::LabelCase& counted,
               const std::vector<LabelFuseResult>& results) {
  RunFacts run = facts_of(request, session, counted.names, {});
  run.reading = counted.reading;
  run.counting = counted.counting;
  std::vector<Json> records;
  for (const LabelFuseResult& result : results) {
    run.solving = result.outcome.solving;
    run.writing = result.writing;
    records.push_back(
        label_record(run, request.settings, counted.counts,
                     {result.outcome.consensus, result.outcome.options, result.image.string()}));
  }
  return records.size() == 1 ? std::move(records.front()) : fuse_records(run, std::move(records));
}

}  // namespace

int run_label_fuse(FuseRequest& request, Session& session, const raters::RaterFiles& files,
                   const Warnings& unfit) {
  const raters::Stopwatch watch;
  Progress progress(show_of(request));
  const Planned planned = plan_run(request, files.reference);
  const raters::LabelCase counted =
      raters::count_labels(files, request.settings, request.methods, hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  append(session.warnings, unfit);
  if (!request.quiet) say(label_summary_head(counted));
  const MadeFolders folder(planned.plan.missing_folders());
  files::OutputSet outputs(request.write());
  const auto results = run_methods(request, counted, planned, outputs, session);
  const Json record = request.record.empty() ? Json() : record_of(request, session, counted, results);
  if (!request.record.empty() && request.record != "-") outputs.put_text(request.record, record_text(record));
  outputs.publish();
  if (request.record == "-") print(record_text(record));
  if (!request.quiet) say(label_summary(results, counted, watch.seconds()));
  return kOk;
}

}  // namespace crema::cli
