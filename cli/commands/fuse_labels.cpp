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
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

/// One file with one label per voxel.
Warnings put_map(const raters::LabelCase& counted, LabelFuseResult& result, files::OutputSet& outputs) {
  files::Header reference = counted.reference;
  reference.consensus = true;
  const Image image = files::label_image(result.image, std::move(result.outcome.consensus.image));
  return outputs.put_image(result.image, image, reference);
}

/// A segmentation with as many layers as the overlaps need.
Warnings put_layers(const raters::LabelCase& counted, LabelFuseResult& result, files::OutputSet& outputs) {
  const LabelConsensus& consensus = result.outcome.consensus;
  files::Header reference = counted.reference;
  reference.consensus = true;
  reference.channels = static_cast<std::int32_t>(consensus.layers.size());
  for (std::size_t s = 0; s < consensus.layer_of.size(); ++s)
    reference.segments[s].layer = static_cast<std::int64_t>(consensus.layer_of[s]);
  const auto voxels = static_cast<std::size_t>(counted.counts.grid().voxels());
  LabelImage all(voxels * consensus.layers.size());
  for (std::size_t l = 0; l < consensus.layers.size(); ++l)
    for (std::size_t v = 0; v < voxels; ++v)
      if (const Label label = consensus.layers[l][v]; label != 0) all[l * voxels + v] = label;
  return outputs.put_image(result.image, files::label_image(result.image, std::move(all)), reference);
}

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
  const bool archive = request.levels.ends_with(".npz");
  const auto maps_and_file = 2 * static_cast<std::int64_t>(counted.counts.structures.size() + 1);
  counted.options.memory->require(
      "the levels of all labels",
      maps_and_file * counted.counts.grid().voxels() * std::int64_t{sizeof(float)}, "choose fewer labels");
  const Image maps = level_maps(counted.counts, consensus, archive ? Rest::first : Rest::leave);
  const auto count = static_cast<std::int32_t>(counted.counts.structures.size());
  if (!archive) {
    files::Header reference = counted.reference;
    reference.channels = count;
    reference.segments.clear();
    append(warnings, outputs.put_image(request.levels, maps, reference));
    return;
  }
  const auto& size = counted.counts.grid().size;
  const std::array<std::int64_t, 4> shape{count + 1, size[2], size[1], size[0]};
  const auto bytes = files::encode_npz("probabilities", shape, std::get<SoftImage>(maps));
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
      const bool layers = counted.counts.maps->overlapping;
      append(session.warnings,
             layers ? put_layers(counted, result, outputs) : put_map(counted, result, outputs));
    }
    result.writing = watch.seconds();
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
  check_overlaps(counted, planned);
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
