// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/tables.h"

#include <bit>

#include <fmt/format.h>

namespace crema {
namespace {

using Row = std::vector<Cell>;

const std::string& name(const CaseNames& names, int rater) {
  return names.raters[static_cast<std::size_t>(rater)];
}

Cell whole(std::int64_t number) { return number; }

/// How a rater does, where the method has an opinion about it.
Cell performance(const std::vector<double>& list, std::size_t rater) {
  return rater < list.size() ? Cell(list[rater]) : Cell(Undefined::no_estimate);
}

Row performance_of(const ConsensusStudy& study, std::size_t k) {
  if (!study.evaluated.solution.performance) return {Undefined::no_estimate, Undefined::no_estimate};
  const Performance& found = *study.evaluated.solution.performance;
  return {performance(found.sensitivity, k), performance(found.specificity, k)};
}

void add(Row& row, Row more) {
  row.insert(row.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Row lesion_cells(const MeanAgreement& means) {
  Row row;
  for (const BothMeans& mean : {means.precision, means.recall, means.f1})
    add(row, {mean.counted, cell(mean.left_out)});
  return row;
}

Row rater_row(const CaseNames& names, const AgreementStudy& all, const ConsensusStudy& study, std::size_t k) {
  const RaterOverlap& overlap = study.overlaps[k];
  const SurfaceDistances& surface = study.surfaces[k];
  const Detection& found = study.detection.raters[k];
  const RaterDistance& others = all.outlier.raters[k];
  Row row{names.name,
          study.evaluated.name,
          names.raters[k],
          overlap.voxels.first,
          overlap.volume,
          cell(overlap.precision),
          cell(overlap.recall),
          cell(overlap.f1),
          cell(overlap.dice),
          cell(overlap.jaccard),
          cell(hd95_of(surface, all.asked.hd95)),
          cell(surface.assd)};
  add(row, performance_of(study, k));
  add(row, {cell(found.precision), cell(found.recall), cell(found.f1)});
  add(row,
      {overlap.voxels.second, overlap.voxels.common, overlap.volume_difference, cell(surface.hausdorff),
       cell(surface.masd), cell(surface.nsd), std::string(to_string(all.asked.hd95)), all.asked.tolerance});
  add(row, lesion_cells(study.lesions.raters[k]));
  add(row, {found.own_parts, found.own_found, found.consensus_parts, found.consensus_found,
            std::ssize(found.splits), std::ssize(found.merges), cell(others.dice)});
  const bool farthest = others.farthest_from.has_value();
  row.push_back(farthest ? Cell(name(names, *others.farthest_from)) : Cell(*others.dice.reason()));
  return row;
}

/// What a component tells of a rater besides its overlap.
Row rater_in_component(const ConsensusStudy& study, std::size_t c, std::size_t k) {
  const FoundWeights& weights = study.weights[c];
  Row row{weights.reason ? Cell(*weights.reason) : Cell(weights.weights[k])};
  if (study.stability.empty())
    row.emplace_back(Undefined::not_asked);
  else if (study.stability[c].flip_weight[k])
    row.emplace_back(*study.stability[c].flip_weight[k]);
  else
    row.emplace_back(Undefined::no_turn);
  return row;
}

Row component_start(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study,
                    std::size_t c) {
  const Component& component = reduction.components.list[c];
  const Decision& decision = study.evaluated.solution.components[c];
  return {names.name,
          study.evaluated.name,
          whole(static_cast<std::int64_t>(c) + 1),
          box_text(component.box),
          component.voxels,
          decision.voxels,
          decision.soft_voxels > 0,
          cell(study.margins[c])};
}

Row component_row(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study,
                  std::size_t c, std::size_t k) {
  const ComponentOverlap& overlap = study.lesions.components[c][k];
  Row row = component_start(names, reduction, study, c);
  add(row, {names.raters[k], overlap.present, cell(overlap.precision), cell(overlap.recall), cell(overlap.f1),
            overlap.voxels.first, overlap.voxels.common, study.evaluated.solution.components[c].criterion});
  add(row, rater_in_component(study, c, k));
  row.push_back(study.bootstrap ? Cell(study.bootstrap->kept[c]) : Cell(Undefined::not_asked));
  row.push_back(rule_in_words(study.weights[c], names.raters));
  return row;
}

}  // namespace

std::string box_text(const Box& box) {
  return fmt::format("{}:{} {}:{} {}:{}", box.low[0], box.high[0], box.low[1], box.high[1], box.low[2],
                     box.high[2]);
}

std::string names_text(Raters raters, std::span<const std::string> names) {
  std::string text;
  for (; raters != 0; raters &= raters - 1)
    text += (text.empty() ? "" : ";") + names[static_cast<std::size_t>(std::countr_zero(raters))];
  return text;
}

Table rater_pairs_table(const CaseNames& names, const AgreementStudy& study) {
  Table table{
      {"case", "rater_a", "rater_b", "dice", "jaccard", "volume_difference_mm3", "hausdorff_mm", "hd95_mm",
       "assd_mm", "nsd", "masd_mm", "hd95_kind", "tolerance_mm", "voxels_a", "voxels_b", "common_voxels"},
      {}};
  for (std::size_t p = 0; p < study.pairs.size(); ++p) {
    const RaterPair& pair = study.pairs[p];
    const SurfaceDistances& surface = study.surfaces[p];
    table.rows.push_back({names.name, name(names, pair.a), name(names, pair.b), cell(pair.dice),
                          cell(pair.jaccard), pair.volume_difference, cell(surface.hausdorff),
                          cell(hd95_of(surface, study.asked.hd95)), cell(surface.assd), cell(surface.nsd),
                          cell(surface.masd), std::string(to_string(study.asked.hd95)), study.asked.tolerance,
                          pair.voxels.first, pair.voxels.second, pair.voxels.common});
  }
  return table;
}

Table raters_table(const CaseNames& names, const AgreementStudy& study) {
  Table table{{"case",
               "method",
               "rater",
               "voxels",
               "volume_mm3",
               "precision",
               "recall",
               "f1",
               "dice",
               "jaccard",
               "hd95_mm",
               "assd_mm",
               "sensitivity",
               "specificity",
               "det_precision",
               "det_recall",
               "det_f1",
               "consensus_voxels",
               "common_voxels",
               "volume_difference_mm3",
               "hausdorff_mm",
               "masd_mm",
               "nsd",
               "hd95_kind",
               "tolerance_mm",
               "lesion_precision",
               "lesion_precision_left_out",
               "lesion_recall",
               "lesion_recall_left_out",
               "lesion_f1",
               "lesion_f1_left_out",
               "parts",
               "parts_found",
               "consensus_parts",
               "consensus_parts_found",
               "splits",
               "merges",
               "distance_to_others",
               "farthest_from"},
              {}};
  for (const ConsensusStudy& one : study.consensuses)
    for (std::size_t k = 0; k < one.overlaps.size(); ++k)
      table.rows.push_back(rater_row(names, study, one, k));
  return table;
}

Table components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study) {
  Table table{{"case",         "method",           "component",      "box",
               "union_voxels", "consensus_voxels", "kept",           "margin",
               "rater",        "present",          "precision",      "recall",
               "f1",           "rater_voxels",     "common_voxels",  "criterion",
               "weight_found", "flip_weight",      "bootstrap_kept", "rule"},
              {}};
  for (const ConsensusStudy& one : study.consensuses)
    for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
      for (std::size_t k = 0; k < names.raters.size(); ++k)
        table.rows.push_back(component_row(names, reduction, one, c, k));
  return table;
}

Table review_table(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study) {
  Table table{{"case", "method", "rank", "component", "voxels", "raters_in", "raters_out", "total_distance",
               "level", "centre_x_mm", "centre_y_mm", "centre_z_mm", "box", "fall_per_voxel", "fall",
               "criterion", "criterion_if_inside", "criterion_if_outside"},
              {}};
  const Raters all = names.raters.size() == static_cast<std::size_t>(kMaxRaters)
                         ? ~Raters{0}
                         : (Raters{1} << reduction.raters) - 1;
  std::int64_t rank = 0;
  for (const ReviewItem& item : study.review)
    table.rows.push_back(
        {names.name, study.evaluated.name, ++rank, whole(static_cast<std::int64_t>(item.component) + 1),
         item.subcrown.voxels, names_text(item.subcrown.raters, names.raters),
         names_text(all & ~item.subcrown.raters, names.raters), whole(item.subcrown.distance),
         study.evaluated.solution.components[item.component].levels[item.row], item.centre[0], item.centre[1],
         item.centre[2], box_text(item.box), item.fall_per_voxel, item.fall, item.criterion, item.if_inside,
         item.if_outside});
  return table;
}

Table rows_table(const CaseNames& names, const Reduction& reduction,
                 std::span<const ConsensusStudy> studies) {
  Table table{{"case", "row", "component", "total_distance", "votes", "raters", "voxels"}, {}};
  for (const ConsensusStudy& study : studies) {
    table.columns.push_back("level_" + study.evaluated.name);
    if (study.bootstrap) table.columns.push_back("inclusion_" + study.evaluated.name);
  }
  std::int64_t number = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Row row{names.name,
              ++number,
              whole(static_cast<std::int64_t>(c) + 1),
              whole(rows[r].distance),
              whole(std::popcount(rows[r].raters)),
              names_text(rows[r].raters, names.raters),
              rows[r].voxels};
      for (const ConsensusStudy& study : studies) {
        row.emplace_back(study.evaluated.solution.components[c].levels[r]);
        if (study.bootstrap) row.emplace_back(study.bootstrap->mean_levels[c][r]);
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace crema
