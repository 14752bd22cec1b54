// SPDX-License-Identifier: Apache-2.0
#include "cohort/label_case.h"

#include <algorithm>

#include <fmt/format.h>

#include "cohort/bids.h"
#include "raters/agreement.h"
#include "raters/label_output.h"
#include "raters/stopwatch.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;
using raters::LabelCase;
using raters::LabelOutcome;

const Method& method_of(const LabelOutcome& outcome) { return *outcome.consensus.method; }

/// The values that a structure's voxels have in the image: its own, and those of what lies inside it.
std::vector<bool> values_of(const LabelCounts& counts, std::size_t s) {
  std::vector<bool> values(std::size_t{1} << 16, false);
  for (std::size_t inner = 0; inner < counts.structures.size(); ++inner) {
    int at = static_cast<int>(inner);
    while (at != Structure::kNone && at != static_cast<int>(s))
      at = counts.structures[static_cast<std::size_t>(at)].structure.parent;
    if (at != Structure::kNone) values[counts.structures[inner].structure.value] = true;
  }
  return values;
}

HardImage mask_of(const LabelCounts& counts, const LabelConsensus& consensus, std::size_t s) {
  const std::vector<bool> values = values_of(counts, s);
  const LabelImage& map =
      consensus.layers.empty() ? consensus.image : consensus.layers[consensus.layer_of[s]];
  HardImage mask(map.size());
  for (std::size_t v = 0; v < map.size(); ++v)
    if (map[v] != 0 && values[map[v]]) mask[v] = 1;
  return mask;
}

SoftImage levels_of(const LabelCounts& counts, const LabelConsensus& consensus, std::size_t s) {
  SoftImage levels(static_cast<std::size_t>(counts.grid().voxels()));
  for (std::size_t c = 0; c < consensus.levels[s].size(); ++c) {
    const float* level = consensus.levels[s][c].data();
    for_each_voxel(counts.grid(), counts.structures[s], c,
                   [&](std::size_t voxel, std::uint32_t) { levels[voxel] = *level++; });
  }
  return levels;
}

/// What the joint consensus of a method gives one label. Its criterion is that of the joint consensus, its
/// bound that of the label alone, which holds for both.
Evaluated evaluate_label(const LabelCase& counted, const Reduction& reduction, const LabelOutcome& outcome,
                         std::size_t s) {
  const LabelConsensus& consensus = outcome.consensus;
  const Method& method = method_of(outcome);
  Image image = consensus.levels.empty() ? Image(mask_of(counted.counts, consensus, s))
                                         : Image(levels_of(counted.counts, consensus, s));
  Evaluated evaluated =
      evaluate_image(reduction, std::string(method.name), std::move(image), method.distance, outcome.options);
  evaluated.solution.method = &method;
  evaluated.solution.lower_bound = consensus.labels[s].alone.lower_bound;
  evaluated.solution.unproven = consensus.labels[s].alone.unproven;
  return evaluated;
}

/// Those that were asked for, and what they are measured by.
struct Solved {
  const std::vector<LabelOutcome>& outcomes;
  LabelOutcome majority, average;
};

CaseTables tables_of_label(const RunContext& run, const CaseNames& names, const LabelCase& counted,
                           const Solved& solved, std::size_t s) {
  const Reduction reduction = reduce_label(counted, s);
  std::vector<Evaluated> evaluated;
  for (const LabelOutcome& outcome : solved.outcomes)
    evaluated.push_back(evaluate_label(counted, reduction, outcome, s));
  const Evaluated majority = evaluate_label(counted, reduction, solved.majority, s);
  const Evaluated average = evaluate_label(counted, reduction, solved.average, s);
  std::vector<MethodResult> results;
  for (const Evaluated& one : evaluated) results.push_back({&one.solution, &one.options});
  const std::vector<MethodRow> rows =
      compare_methods(reduction, results, {&majority.solution, &average.solution}, counted.options.weights);
  const std::vector<MethodPair> pairs = compare_method_pairs(reduction, results);
  const AgreementStudy study = study_agreement(reduction, std::move(evaluated), run.request.study, 1);
  return tables_of({names, reduction, study, rows, pairs});
}

std::vector<Cell> joint_row(const std::string& name, const LabelCounts& counts, const LabelOutcome& outcome) {
  const LabelConsensus& consensus = outcome.consensus;
  const Cell none = Undefined::not_asked;
  const bool overlapping = counts.maps->overlapping;
  const auto settled = [&](auto number) {
    return overlapping ? none : Cell(static_cast<std::int64_t>(number));
  };
  return {name,
          std::string(method_of(outcome).name),
          std::ssize(counts.structures),
          consensus.lmsd,
          consensus.lmsd_alone,
          consensus.lower_bound ? Cell(*consensus.lower_bound) : none,
          consensus.lower_bound ? Cell(consensus.unproven == 0) : none,
          settled(consensus.claimed_twice),
          settled(consensus.disputes.size()),
          settled(consensus.emptied),
          settled(consensus.unlabelled),
          counts.nested() ? Cell(consensus.cut) : none,
          overlapping ? Cell(consensus.shared) : none,
          consensus.undecided};
}

/// The file of a method: a label map, or the levels of all labels.
fs::path label_path(const RunContext& run, const CohortCase& one, const LabelCase& counted,
                    const Method& method, BidsKind kind) {
  const bool levels = kind == BidsKind::levels;
  if (run.request.bids) {
    const std::string label = run.request.methods.size() == 1 ? "" : std::string(method.name);
    return run.folder.path / bids_folder(one.raters.front().path) /
           (bids_result(one.name, label, kind) + ".nii.gz");
  }
  if (levels) return run.folder.of_case(one.name) / (std::string(method.name) + "_levels.nii.gz");
  const std::string ending =
      counted.counts.maps->overlapping ? ".seg.nrrd" : files::ending_of(counted.reference);
  return run.folder.of_case(one.name) / (std::string(method.name) + ending);
}

}  // namespace

std::string label_name(const Structure& structure) {
  return structure.name.empty() ? fmt::format("{}", structure.value) : structure.name;
}

Reduction reduce_label(const LabelCase& counted, std::size_t structure) {
  const Grid& grid = counted.counts.grid();
  const Box whole{{0, 0, 0}, grid.size};
  const std::vector<Label>& labels = counted.counts.structures[structure].structure.labels;
  return reduce(grid, votes_on(*counted.counts.maps, labels, whole), Needs::distances, counted.options);
}

Settings for_one_case(Settings settings) {
  if (settings.labels) settings.labels->preset = true;
  if (settings.regions) settings.regions->preset = true;
  return settings;
}

LabelCaseMade fuse_label_case(const RunContext& run, const CohortCase& one, const Settings& settings,
                              std::vector<std::string> raters) {
  std::vector<fs::path> paths;
  for (const RaterFile& file : one.raters) paths.push_back(path_of(run.cohort, file));
  LabelCaseMade made{.counted = raters::count_labels(raters::open_raters(paths, settings), settings,
                                                     run.request.methods, {.stop = run.stop})};
  made.warnings = made.counted.warnings;
  append(made.warnings, raters::warnings_about_size(made.counted.reference));
  made.tables.back() = joint_table();
  for (const Method* method : run.request.methods) {
    made.outcomes.push_back(raters::solve_labels(made.counted, *method));
    append(made.warnings, made.outcomes.back().consensus.warnings);
    made.times.push_back({method->name, made.outcomes.back().solving});
    made.tables.back().rows.push_back(joint_row(one.name, made.counted.counts, made.outcomes.back()));
  }
  const Solved solved{made.outcomes, raters::solve_labels(made.counted, find_method("majority")),
                      raters::solve_labels(made.counted, find_method("average"))};
  const CaseNames names{one.name, std::move(raters)};
  for (std::size_t s = 0; s < made.counted.counts.structures.size(); ++s)
    add_label(made.tables, tables_of_label(run, names, made.counted, solved, s),
              label_name(made.counted.counts.structures[s].structure));
  return made;
}

void put_label_images(const RunContext& run, const CohortCase& one, LabelCaseMade& made,
                      files::StagedSet& staged) {
  for (std::size_t m = 0; m < made.outcomes.size(); ++m) {
    const raters::Stopwatch watch;
    LabelConsensus& consensus = made.outcomes[m].consensus;
    const auto put = [&](const fs::path& path, const raters::LabelPicture& picture) {
      append(made.warnings, staged.put_image(path, picture.image, picture.reference));
    };
    if (run.request.images) {
      const fs::path path = label_path(run, one, made.counted, *consensus.method, BidsKind::labels);
      put(path, raters::label_picture(made.counted, consensus, path));
      if (!consensus.levels.empty())
        put(label_path(run, one, made.counted, *consensus.method, BidsKind::levels),
            raters::levels_picture(made.counted, consensus));
    }
    made.times[m].writing = watch.seconds();
  }
  for (auto& row : made.tables.front().rows) row.back() = std::ssize(made.warnings);
}

}  // namespace crema::cohort
