// SPDX-License-Identifier: Apache-2.0
// Components, what to look at again in them, and the rows of the map of subcrowns.
#include <bit>

#include <fmt/format.h>

#include "crema/records/csv_parts.h"
#include "crema/records/review_words.h"
#include "crema/records/tables.h"

namespace crema {
namespace {

Cell number_of(std::size_t component) { return static_cast<std::int64_t>(component) + 1; }

const Decision& decision_of(const ComponentRow& row) {
  return row.consensus.evaluated.solution.components[row.component];
}
const ComponentOverlap& overlap_of(const ComponentRow& row) { return row.overlaps[row.rater]; }

Cell weight_found(const ComponentRow& row) {
  const FoundWeights& found = row.consensus.weights[row.component];
  if (found.reason) return *found.reason;
  return found.weights[row.rater];
}

Cell flip_weight(const ComponentRow& row) {
  if (row.consensus.stability.empty()) return Undefined::not_requested;
  const auto& weight = row.consensus.stability[row.component].flip_weight[row.rater];
  if (!weight) return Undefined::no_turn;
  return *weight;
}

Cell bootstrap_kept(const ComponentRow& row) {
  if (!row.consensus.bootstrap) return Undefined::not_requested;
  return row.consensus.bootstrap->kept[row.component];
}

Columns<ComponentRow> rater_in_component() {
  using Row = ComponentRow;
  return {
      {"rater", "the rater", [](const Row& row) -> Cell { return row.names.raters[row.rater]; }},
      {"present", "whether the rater marked anything in it",
       [](const Row& row) -> Cell { return overlap_of(row).present; }},
      {"precision", "share of the rater's voxels that are in the consensus",
       [](const Row& row) { return cell(overlap_of(row).precision); }},
      {"recall", "share of the consensus that the rater marked",
       [](const Row& row) { return cell(overlap_of(row).recall); }},
      {"f1", "harmonic mean of the two", [](const Row& row) { return cell(overlap_of(row).f1); }},
      {"rater_voxels", "voxels of the rater",
       [](const Row& row) -> Cell { return overlap_of(row).voxels.first; }},
      {"common_voxels", "voxels of both",
       [](const Row& row) -> Cell { return overlap_of(row).voxels.common; }},
      {"criterion", "mean squared distance to the raters",
       [](const Row& row) -> Cell { return decision_of(row).criterion; }},
      {"weight_found", "weight of the rater in the rule", weight_found},
      {"flip_weight", "weight of the rater at which the decision turns; with --flip-weights", flip_weight},
      {"bootstrap_kept", "share of the bootstrap's replicates that keep it", bootstrap_kept},
      {"rule", "the weighted vote that the consensus is, with the voxels that it gets wrong",
       [](const Row& row) -> Cell {
         return rule_in_words(row.consensus.weights[row.component], row.names.raters);
       }},
      {"rule_exceptions", "voxels that the consensus decided otherwise than the rule, ties left out",
       [](const Row& row) -> Cell {
         const FoundWeights& found = row.consensus.weights[row.component];
         if (found.reason) return *found.reason;
         return found.exceptions;
       }}};
}

const ReviewItem& item_of(const ReviewRow& row) { return row.consensus.review[row.place]; }

Raters everybody(const ReviewRow& row) {
  return row.names.raters.size() == static_cast<std::size_t>(kMaxRaters)
             ? ~Raters{0}
             : (Raters{1} << row.reduction.raters) - 1;
}

template <std::size_t axis>
Cell centre(const ReviewRow& row) {
  if (!row.reduction.grid.measured) return Undefined::no_voxel_size;
  return item_of(row).centre[axis];
}

template <std::size_t axis>
Cell centre_voxel(const ReviewRow& row) {
  return std::int64_t{item_of(row).at[axis]};
}

Columns<ReviewRow> review_numbers() {
  using Row = ReviewRow;
  return {
      {"centre_x_mm", "that of its voxels nearest to its middle, in world coordinates, to the right",
       centre<0>},
      {"centre_y_mm", "anterior", centre<1>},
      {"centre_z_mm", "superior; all three empty where no file states the size of a voxel", centre<2>},
      {"box", "x0:x1 y0:y1 z0:z1, half open, in voxels",
       [](const Row& row) -> Cell { return box_text(item_of(row).box); }},
      {"fall", "by how much the criterion is expected to fall in all if the raters agreed here",
       [](const Row& row) -> Cell { return item_of(row).fall; }},
      {"criterion", "of the component now", [](const Row& row) -> Cell { return item_of(row).criterion; }},
      {"criterion_if_inside", "if all who marked anything in the component had marked it",
       [](const Row& row) -> Cell { return item_of(row).if_inside; }},
      {"criterion_if_outside", "if no rater had",
       [](const Row& row) -> Cell { return item_of(row).if_outside; }},
      {"centre_x", "index of that voxel along x", centre_voxel<0>},
      {"centre_y", "the same along y", centre_voxel<1>},
      {"centre_z", "the same along z", centre_voxel<2>},
      {"first_voxel", "offset of its first voxel in raster order, by which a zone is known",
       [](const Row& row) -> Cell { return item_of(row).first; }}};
}

const Subcrown& subcrown_of(const SubcrownRow& row) {
  return row.reduction.crowns[row.component].tally.rows[row.row];
}

template <class F>
void for_each_row(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study, F f) {
  for (const ConsensusStudy& one : study.consensuses)
    for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
      const auto overlaps =
          compare_component(reduction.crowns[c].tally, one.evaluated.solution.components[c]);
      for (std::size_t k = 0; k < names.raters.size(); ++k)
        f(ComponentRow{names, reduction, one, overlaps, c, k});
    }
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

Columns<ComponentRow> component_columns(const CaseNames& names) {
  using Row = ComponentRow;
  Columns<Row> columns = case_columns<Row>(names);
  append(columns,
         {{"method", "the method, or the file of the consensus",
           [](const Row& row) -> Cell { return row.consensus.evaluated.name; }},
          {"component", "number of the component, from 1",
           [](const Row& row) { return number_of(row.component); }},
          {"box", "x0:x1 y0:y1 z0:z1, half open, in voxels",
           [](const Row& row) -> Cell { return box_text(row.reduction.components.list[row.component].box); }},
          {"union_voxels", "voxels that any rater marked",
           [](const Row& row) -> Cell { return row.reduction.components.list[row.component].voxels; }},
          {"consensus_voxels", "voxels of the consensus",
           [](const Row& row) -> Cell { return decision_of(row).voxels; }},
          {"kept", "whether the consensus has anything in it",
           [](const Row& row) -> Cell { return decision_of(row).soft_voxels > 0; }},
          {"margin", "criterion of the empty set less that of the best consensus found that is not empty",
           [](const Row& row) { return cell(row.consensus.margins[row.component]); }}});
  append(columns, rater_in_component());
  return columns;
}

Columns<ReviewRow> review_columns(const CaseNames& names) {
  using Row = ReviewRow;
  Columns<Row> columns = case_columns<Row>(names);
  append(columns,
         {{"method", "the method", [](const Row& row) -> Cell { return row.consensus.evaluated.name; }},
          {"rank", "from 1, the most important first", [](const Row& row) { return number_of(row.place); }},
          {"reason", "flips, left_out or zone, in this order",
           [](const Row& row) -> Cell { return std::string(to_string(item_of(row).reason)); }},
          {"kind", "the kind of disagreement in words",
           [](const Row& row) -> Cell {
             return review_words(item_of(row), row.reduction.grid, row.names.raters);
           }},
          {"component", "number of the component, from 1",
           [](const Row& row) { return number_of(item_of(row).component); }},
          {"voxels", "its size", [](const Row& row) -> Cell { return item_of(row).voxels; }},
          {"consensus_voxels", "those of them that the consensus has",
           [](const Row& row) -> Cell { return item_of(row).inside; }},
          {"raters_in", "who marked any of it, separated by semicolons",
           [](const Row& row) -> Cell { return names_text(item_of(row).drawn, row.names.raters); }},
          {"raters_out", "who marked none of it",
           [](const Row& row) -> Cell {
             return names_text(everybody(row) & ~item_of(row).drawn, row.names.raters);
           }},
          {"flips_without", "without whom the component would be decided otherwise",
           [](const Row& row) -> Cell { return names_text(item_of(row).flips, row.names.raters); }}});
  append(columns, review_numbers());
  return columns;
}

Columns<SubcrownRow> subcrown_columns(const CaseNames& names, std::span<const ConsensusStudy> consensuses) {
  using Row = SubcrownRow;
  Columns<Row> columns = case_columns<Row>(names);
  append(columns,
         {{"row", "value in the map of subcrowns", [](const Row& row) -> Cell { return row.number; }},
          {"component", "number of the component, from 1",
           [](const Row& row) { return number_of(row.component); }},
          {"total_distance", "sum of its distances to the raters' masks, in steps",
           [](const Row& row) -> Cell { return std::int64_t{subcrown_of(row).distance}; }},
          {"votes", "raters who marked it",
           [](const Row& row) -> Cell { return std::int64_t{std::popcount(subcrown_of(row).raters)}; }},
          {"raters", "their names, separated by semicolons",
           [](const Row& row) -> Cell { return names_text(subcrown_of(row).raters, row.names.raters); }},
          {"voxels", "its size", [](const Row& row) -> Cell { return subcrown_of(row).voxels; }}});
  for (std::size_t m = 0; m < consensuses.size(); ++m) {
    const std::string& name = consensuses[m].evaluated.name;
    columns.push_back(
        {"level_" + name, "level in the consensus of " + name, [m](const Row& row) -> Cell {
           return row.consensuses[m].evaluated.solution.components[row.component].levels[row.row];
         }});
    if (!consensuses[m].bootstrap) continue;
    columns.push_back(
        {"inclusion_" + name, "share of the bootstrap's replicates, of " + name, [m](const Row& row) -> Cell {
           return row.consensuses[m].bootstrap->mean_levels[row.component][row.row];
         }});
  }
  return columns;
}

Table components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study) {
  const Columns<ComponentRow> columns = component_columns(names);
  Table table = begin_table(columns);
  for_each_row(names, reduction, study,
               [&](const ComponentRow& row) { table.rows.push_back(cells_of(columns, row)); });
  return table;
}

std::string components_header(const CaseNames& names) {
  return csv_header(begin_table(component_columns(names)).columns);
}

void write_components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                            const std::function<void(std::string_view)>& write) {
  constexpr std::size_t kPiece = 1 << 16;
  const Columns<ComponentRow> columns = component_columns(names);
  std::string piece;
  for_each_row(names, reduction, study, [&](const ComponentRow& row) {
    piece += csv_rows({cells_of(columns, row)});
    if (piece.size() < kPiece) return;
    write(piece);
    piece.clear();
  });
  write(piece);
}

Table review_table(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study) {
  const Columns<ReviewRow> columns = review_columns(names);
  Table table = begin_table(columns);
  for (std::size_t i = 0; i < study.review.size(); ++i)
    table.rows.push_back(cells_of(columns, {names, reduction, study, i}));
  return table;
}

Table rows_table(const CaseNames& names, const Reduction& reduction,
                 std::span<const ConsensusStudy> consensuses) {
  const Columns<SubcrownRow> columns = subcrown_columns(names, consensuses);
  Table table = begin_table(columns);
  std::int64_t number = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    for (std::size_t r = 0; r < reduction.crowns[c].tally.rows.size(); ++r)
      table.rows.push_back(cells_of(columns, {names, reduction, consensuses, c, r, ++number}));
  return table;
}

}  // namespace crema
