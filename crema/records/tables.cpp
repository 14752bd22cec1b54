// SPDX-License-Identifier: Apache-2.0
// Raters beside each other and beside a consensus.
#include "crema/records/tables.h"

#include "crema/base/text.h"
#include "crema/records/size_columns.h"

namespace crema {
namespace {

const Grid& grid_of(const PairRow& row) { return row.study.grid; }
const Grid& grid_of(const RaterRow& row) { return row.study.grid; }
const RaterPair& pair_of(const PairRow& row) { return row.study.pairs[row.pair]; }
const RaterOverlap& overlap_of(const RaterRow& row) { return row.consensus.overlaps[row.rater]; }
const Detection& detection_of(const RaterRow& row) { return row.consensus.detection.raters[row.rater]; }
const MeanAgreement& lesions_of(const RaterRow& row) { return row.consensus.lesions[row.rater]; }
const RaterDistance& others_of(const RaterRow& row) { return row.study.outlier.raters[row.rater]; }
const SurfaceDistances& surface_of(const PairRow& row) { return row.study.surfaces[row.pair]; }
const SurfaceDistances& surface_of(const RaterRow& row) { return row.consensus.surfaces[row.rater]; }

const std::string& rater_name(const PairRow& row, int rater) {
  return row.names.raters[static_cast<std::size_t>(rater)];
}

/// A distance between surfaces, in millimetres and, where there are none, in voxels.
template <class Row>
struct Distances {
  Column<Row> mm, voxels;
};

template <class Row>
Distances<Row> distances(const std::string& name, const std::string& text, Shown shown,
                         Measured (*length)(const Row&)) {
  return {{name + "_mm", text,
           [length](const Row& row) { return cell(millimetres(grid_of(row), length(row))); }, shown},
          {name + "_voxels", name + "_mm in voxels, where the files do not state their size",
           [length](const Row& row) { return cell(in_voxels(grid_of(row), length(row))); }, shown}};
}

template <class Row>
struct Surfaces {
  Distances<Row> hausdorff = distances<Row>("hausdorff", "Hausdorff distance between the surfaces", {"HD", 1},
                                            [](const Row& row) { return surface_of(row).hausdorff; });
  Distances<Row> hd95 = distances<Row>(
      "hd95", "95th percentile of the distances between the surfaces, see hd95_kind", {"HD95", 1},
      [](const Row& row) { return hd95_of(surface_of(row), row.study.requested.hd95); });
  Distances<Row> assd = distances<Row>("assd", "mean of all distances between the surfaces", {"ASSD", 2},
                                       [](const Row& row) { return surface_of(row).assd; });
  Distances<Row> masd = distances<Row>("masd", "mean of the two directed means", {"MASD", 2},
                                       [](const Row& row) { return surface_of(row).masd; });
  Distances<Row> tolerance =
      distances<Row>("surface_tolerance", "within which surfaces agree", {},
                     [](const Row& row) -> Measured { return row.study.requested.surface_tolerance; });
  Column<Row> nsd{"nsd",
                  "share of both surfaces within the tolerance of the other",
                  [](const Row& row) { return cell(surface_of(row).nsd); },
                  {"NSD", 3}};
  Column<Row> kind{"hd95_kind", "which 95th percentile: max, pooled or area", [](const Row& row) -> Cell {
                     return std::string(word_of(row.study.requested.hd95, kHd95Words));
                   }};

  [[nodiscard]] Columns<Row> in_voxels() const {
    return {hausdorff.voxels, hd95.voxels, assd.voxels, masd.voxels, tolerance.voxels};
  }
};

const LevelScore* score_of(const RaterRow& row) {
  const auto& scores = row.consensus.level_scores;
  return scores.empty() ? nullptr : &scores[row.rater];
}

const LevelOverlap* levels_of(const PairRow& row) {
  return row.study.level_pairs.empty() ? nullptr : &row.study.level_pairs[row.pair];
}
const LevelOverlap* levels_of(const RaterRow& row) {
  const LevelScore* const score = score_of(row);
  return score == nullptr ? nullptr : &score->overlap;
}

Cell score_cell(const RaterRow& row, const Measured LevelScore::*measure) {
  const LevelScore* const score = score_of(row);
  return score == nullptr ? Cell(Undefined::no_levels) : cell(score->*measure);
}

/// Levels beside levels, where raters gave them.
template <class Row>
Columns<Row> level_columns() {
  const auto of = [](const Row& row, const Measured LevelOverlap::*measure) -> Cell {
    const LevelOverlap* const overlap = levels_of(row);
    return overlap == nullptr ? Cell(Undefined::no_levels) : cell(overlap->*measure);
  };
  return {{"soft_dice",
           "2·Σ min(a, b) / (Σ a + Σ b) of levels; with --probabilities",
           [of](const Row& row) { return of(row, &LevelOverlap::soft_dice); },
           {"soft Dice", 3}},
          {"tanimoto",
           "Σ a·b / (Σ a² + Σ b² − Σ a·b) of levels; with --probabilities",
           [of](const Row& row) { return of(row, &LevelOverlap::tanimoto); },
           {"Tanim.", 3}}};
}

Columns<RaterRow> calibration_columns() {
  using Row = RaterRow;
  return {{"brier",
           "mean of (level − consensus above ½)² over the support; with --probabilities",
           [](const Row& row) { return score_cell(row, &LevelScore::brier); },
           {"Brier", 4}},
          {"calibration_error",
           "expected calibration error against the consensus above ½, ten bins; with --probabilities",
           [](const Row& row) { return score_cell(row, &LevelScore::calibration_error); },
           {"ECE", 4}}};
}

/// How a rater does, where the method has an opinion about it.
Cell performance(const RaterRow& row, const std::vector<double> Performance::*list) {
  const auto& found = row.consensus.evaluated.solution.performance;
  if (!found || row.rater >= ((*found).*list).size()) return Undefined::no_estimate;
  return ((*found).*list)[row.rater];
}

Columns<RaterRow> overlap_columns() {
  using Row = RaterRow;
  return {{"precision",
           "share of the rater's voxels that are in the consensus",
           [](const Row& row) { return cell(overlap_of(row).precision); },
           {"precis.", 3}},
          {"recall",
           "share of the consensus that the rater marked",
           [](const Row& row) { return cell(overlap_of(row).recall); },
           {"recall", 3}},
          {"f1",
           "harmonic mean of the two; the same as dice",
           [](const Row& row) { return cell(overlap_of(row).f1); },
           {"F1", 3}},
          {"dice",
           "overlap with the consensus",
           [](const Row& row) { return cell(overlap_of(row).dice); },
           {"Dice", 3}},
          {"jaccard",
           "overlap with the consensus",
           [](const Row& row) { return cell(overlap_of(row).jaccard); },
           {"Jacc.", 3}}};
}

Columns<RaterRow> estimate_columns() {
  using Row = RaterRow;
  return {{"sensitivity", "as the method estimated it",
           [](const Row& row) { return performance(row, &Performance::sensitivity); }},
          {"specificity", "as the method estimated it",
           [](const Row& row) { return performance(row, &Performance::specificity); }},
          {"det_precision", "share of the rater's parts that meet the consensus",
           [](const Row& row) { return cell(detection_of(row).precision); }},
          {"det_recall", "share of the consensus' parts that the rater meets",
           [](const Row& row) { return cell(detection_of(row).recall); }},
          {"det_f1",
           "harmonic mean of the two",
           [](const Row& row) { return cell(detection_of(row).f1); },
           {"F1", 3}},
          {"consensus_voxels", "voxels of the consensus",
           [](const Row& row) -> Cell { return overlap_of(row).voxels.second; }},
          {"common_voxels", "voxels of both",
           [](const Row& row) -> Cell { return overlap_of(row).voxels.common; }}};
}

void add_lesions(Columns<RaterRow>& columns, const std::string& name, BothMeans MeanAgreement::*mean) {
  const std::string name_there = "lesion_" + name;
  columns.push_back({name_there, "mean of " + name + " over components, 0/0 counted as 1",
                     [mean](const RaterRow& row) -> Cell { return (lesions_of(row).*mean).counted; }});
  columns.push_back({name_there + "_left_out", "mean of " + name + " over components, 0/0 left out",
                     [mean](const RaterRow& row) { return cell((lesions_of(row).*mean).left_out); }});
}

Columns<RaterRow> part_columns() {
  using Row = RaterRow;
  return {{"parts", "connected parts of the rater's mask",
           [](const Row& row) -> Cell { return detection_of(row).own_parts; }},
          {"parts_found", "of them those that meet the consensus",
           [](const Row& row) -> Cell { return detection_of(row).own_found; }},
          {"consensus_parts", "connected parts of the consensus",
           [](const Row& row) -> Cell { return detection_of(row).consensus_parts; }},
          {"consensus_parts_found", "of them those that the rater meets",
           [](const Row& row) -> Cell { return detection_of(row).consensus_found; }},
          {"splits", "parts of the consensus in which the rater marked several",
           [](const Row& row) -> Cell { return std::ssize(detection_of(row).splits); }},
          {"merges", "parts of the rater that join several of the consensus",
           [](const Row& row) -> Cell { return std::ssize(detection_of(row).merges); }},
          {"distance_to_others", "mean of 1 − Dice to the other raters",
           [](const Row& row) { return cell(others_of(row).dice); }},
          {"farthest_from", "the rater with the least Dice to this one", [](const Row& row) -> Cell {
             const auto& other = others_of(row).farthest_from;
             if (!other) return *others_of(row).dice.reason();
             return row.names.raters[static_cast<std::size_t>(*other)];
           }}};
}

}  // namespace

Columns<PairRow> rater_pair_columns(const CaseNames& names) {
  using Row = PairRow;
  const Surfaces<Row> surfaces;
  const auto sizes = size_columns<Row>(difference_names("a minus b"), grid_of, [](const Row& row) {
    return static_cast<double>(pair_of(row).difference);
  });
  Columns<Row> columns = case_columns<Row>(names);
  append(
      columns,
      {{"rater_a", "a rater", [](const Row& row) -> Cell { return rater_name(row, pair_of(row).a); }},
       {"rater_b", "another", [](const Row& row) -> Cell { return rater_name(row, pair_of(row).b); }},
       {"dice", "2·|A∩B| / (|A|+|B|)", [](const Row& row) { return cell(pair_of(row).dice); }, {"Dice", 3}},
       {"jaccard", "|A∩B| / |A∪B|", [](const Row& row) { return cell(pair_of(row).jaccard); }, {"Jacc.", 3}},
       sizes.volume,
       surfaces.hausdorff.mm,
       surfaces.hd95.mm,
       surfaces.assd.mm,
       surfaces.nsd,
       surfaces.masd.mm,
       surfaces.kind,
       surfaces.tolerance.mm,
       {"voxels_a", "voxels of a", [](const Row& row) -> Cell { return pair_of(row).voxels.first; }},
       {"voxels_b", "voxels of b", [](const Row& row) -> Cell { return pair_of(row).voxels.second; }},
       {"common_voxels", "voxels of both", [](const Row& row) -> Cell { return pair_of(row).voxels.common; }},
       {"voxel_difference",
        "voxels of a minus those of b",
        [](const Row& row) -> Cell { return pair_of(row).difference; },
        {"Δ voxels", 0}},
       sizes.area});
  append(columns, surfaces.in_voxels());
  append(columns, level_columns<Row>());
  return columns;
}

Columns<RaterRow> rater_columns(const CaseNames& names) {
  using Row = RaterRow;
  const Surfaces<Row> surfaces;
  const auto sizes =
      size_columns<Row>({"volume", "area", "of the rater's mask"}, grid_of,
                        [](const Row& row) { return static_cast<double>(overlap_of(row).voxels.first); });
  const auto differences =
      size_columns<Row>(difference_names("rater minus consensus"), grid_of, [](const Row& row) {
        return static_cast<double>(overlap_of(row).voxels.first - overlap_of(row).voxels.second);
      });
  Columns<Row> columns = case_columns<Row>(names);
  append(columns, {{"method", "the method, or the file of the consensus",
                    [](const Row& row) -> Cell { return row.consensus.evaluated.name; }},
                   {"rater", "the rater", [](const Row& row) -> Cell { return row.names.raters[row.rater]; }},
                   {"voxels",
                    "voxels of the rater's mask",
                    [](const Row& row) -> Cell { return overlap_of(row).voxels.first; },
                    {"voxels", 0}},
                   sizes.volume});
  append(columns, overlap_columns());
  append(columns, {surfaces.hd95.mm, surfaces.assd.mm});
  append(columns, estimate_columns());
  append(columns, {differences.volume, surfaces.hausdorff.mm, surfaces.masd.mm, surfaces.nsd, surfaces.kind,
                   surfaces.tolerance.mm});
  add_lesions(columns, "precision", &MeanAgreement::precision);
  add_lesions(columns, "recall", &MeanAgreement::recall);
  add_lesions(columns, "f1", &MeanAgreement::f1);
  append(columns, part_columns());
  append(columns, {sizes.area, differences.area});
  append(columns, surfaces.in_voxels());
  append(columns, level_columns<Row>());
  append(columns, calibration_columns());
  return columns;
}

std::vector<PairRow> pair_rows(const CaseNames& names, const AgreementStudy& study) {
  std::vector<PairRow> rows;
  for (std::size_t p = 0; p < study.pairs.size(); ++p) rows.push_back({names, study, p});
  return rows;
}

std::vector<RaterRow> rater_rows(const CaseNames& names, const AgreementStudy& study,
                                 const ConsensusStudy& consensus) {
  std::vector<RaterRow> rows;
  for (std::size_t k = 0; k < consensus.overlaps.size(); ++k) rows.push_back({names, study, consensus, k});
  return rows;
}

Table rater_pairs_table(const CaseNames& names, const AgreementStudy& study) {
  return table_of(rater_pair_columns(names), pair_rows(names, study));
}

Table raters_table(const CaseNames& names, const AgreementStudy& study) {
  const Columns<RaterRow> columns = rater_columns(names);
  Table table = begin_table(columns);
  for (const ConsensusStudy& one : study.consensuses)
    for (const RaterRow& row : rater_rows(names, study, one)) table.rows.push_back(cells_of(columns, row));
  return table;
}

}  // namespace crema
