// SPDX-License-Identifier: Apache-2.0
// `crema fuse` where files hold several labels.
#include <fmt/format.h>

#include "cli/commands/fuse_plan.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/text/label_summary.h"
#include "crema/agreement/label_record.h"
#include "crema/error.h"
#include "crema/labels/separate.h"
#include "raters/label_output.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

/// Two labels in one voxel: before anything is computed for nothing.
void check_overlaps(const raters::LabelCase& counted, const Planned& planned) {
  if (!counted.counts.maps->overlapping) return;
  for (const std::filesystem::path& image : planned.images)
    if (files::holds_levels(image))
      throw InputError(
          fmt::format("{}: segments overlap, which one label per voxel cannot hold; write .seg.nrrd.",
                      files::printable(image)));
}

void put_levels(const FuseRequest& request, const raters::LabelCase& counted, const LabelConsensus& consensus,
                files::OutputSet& outputs, Warnings& warnings) {
  if (request.levels.empty()) return;
  if (!request.levels.ends_with(".npz")) {
    const raters::LabelPicture levels = raters::levels_picture(counted, consensus);
    append(warnings, outputs.put_image(request.levels, levels.image, levels.reference));
    return;
  }
  raters::require_levels(counted);
  const SoftImage maps = level_maps(counted.counts, consensus, Rest::first);
  const auto count = static_cast<std::int64_t>(counted.counts.structures.size());
  const auto& size = counted.counts.grid().size;
  const std::array<std::int64_t, 4> shape{count + 1, size[2], size[1], size[0]};
  const auto bytes = files::encode_npz("probabilities", shape, maps);
  outputs.put_pieces(request.levels, [&](const files::OutputSet::TakePiece& write) {
    write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
}

std::vector<LabelFuseResult> run_methods(const FuseRequest& request, const raters::LabelCase& counted,
                                         const Planned& planned, files::OutputSet& outputs,
                                         Session& session) {
  std::vector<LabelFuseResult> results;
  for (std::size_t m = 0; m < request.methods.size(); ++m) {
    LabelFuseResult result{raters::solve_labels(counted, *request.methods[m]), {}};
    append(session.warnings, result.outcome.consensus.warnings);
    const raters::Stopwatch watch;
    put_levels(request, counted, result.outcome.consensus, outputs, session.warnings);
    if (!planned.images.empty()) {
      result.image = planned.images[m];
      const raters::LabelPicture picture =
          raters::label_picture(counted, result.outcome.consensus, result.image);
      append(session.warnings, outputs.put_image(result.image, picture.image, picture.reference));
    }
    result.writing = watch.seconds();
    results.push_back(std::move(result));
  }
  return results;
}

std::string record_of(const FuseRequest& request, const Session& session, const raters::LabelCase& counted,
                      const std::vector<LabelFuseResult>& results) {
  RunFacts run = facts_of(request, session, counted.names, {});
  run.reading = counted.reading;
  run.counting = counted.counting;
  return fuse_records_text(run, results.size(), [&](std::size_t m) {
    RunFacts own = run;
    own.solving = results[m].outcome.solving;
    own.writing = results[m].writing;
    return label_record(
        own, request.settings, counted.counts,
        {results[m].outcome.consensus, results[m].outcome.options, results[m].image.string()});
  });
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
  check_overlaps(counted, planned);
  if (!request.quiet) say(label_summary_head(counted));
  const MadeFolders folder(planned.plan.missing_folders());
  files::OutputSet outputs(request.write());
  const auto results = run_methods(request, counted, planned, outputs, session);
  const std::string record = request.record.empty() ? "" : record_of(request, session, counted, results);
  if (!request.record.empty() && request.record != "-") outputs.put_text(request.record, record);
  outputs.publish();
  if (request.record == "-") print(record);
  if (!request.quiet) say(label_summary(results, counted, watch.seconds()));
  return kOk;
}

}  // namespace crema::cli
