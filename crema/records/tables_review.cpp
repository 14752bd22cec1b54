// SPDX-License-Identifier: Apache-2.0
// What to look at again, and the rows of the map of subcrowns.
#include <bit>

#include "crema/records/review_words.h"
#include "crema/records/table.h"
#include "crema/records/tables.h"

namespace crema {
namespace {

Cell from_one(std::size_t component) { return static_cast<std::int64_t>(component) + 1; }

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
  return {{"centre_x_mm", "that of its voxels nearest to its middle, in world coordinates, to the right",
           centre<0>},
          {"centre_y_mm", "anterior", centre<1>},
          {"centre_z_mm", "superior; all three empty where no file states the size of a voxel", centre<2>},
          {"box", "x0:x1 y0:y1 z0:z1, half open, in voxels",
           [](const ReviewRow& row) -> Cell { return box_text(item_of(row).box); }},
          {"fall", "by how much the criterion is expected to fall in all if the raters agreed here",
           [](const ReviewRow& row) -> Cell { return item_of(row).fall; }},
          {"criterion", "of the component now",
           [](const ReviewRow& row) -> Cell { return item_of(row).criterion; }},
          {"criterion_if_inside", "if all who marked anything in the component had marked it",
           [](const ReviewRow& row) -> Cell { return item_of(row).if_inside; }},
          {"criterion_if_outside", "if no rater had",
           [](const ReviewRow& row) -> Cell { return item_of(row).if_outside; }},
          {"centre_x", "index of that voxel along x", centre_voxel<0>},
          {"centre_y", "the same along y", centre_voxel<1>},
          {"centre_z", "the same along z", centre_voxel<2>},
          {"first_voxel", "offset of its first voxel in raster order, by which a zone is known",
           [](const ReviewRow& row) -> Cell { return item_of(row).first; }}};
}

const Subcrown& subcrown_of(const SubcrownRow& row) {
  return row.reduction.crowns[row.component].tally.rows[row.row];
}

}  // namespace

std::string names_text(Raters raters, std::span<const std::string> names) {
  std::string text;
  for (; raters != 0; raters &= raters - 1)
    text += (text.empty() ? "" : ";") + names[static_cast<std::size_t>(std::countr_zero(raters))];
  return text;
}

Columns<ReviewRow> review_columns(const CaseNames& names) {
  Columns<ReviewRow> columns = case_columns<ReviewRow>(names);
  append(
      columns,
      {{"method", "the method", [](const ReviewRow& row) -> Cell { return row.consensus.evaluated.name; }},
       {"rank", "from 1, the most important first", [](const ReviewRow& row) { return from_one(row.place); }},
       {"reason", "flips, left_out or zone, in this order",
        [](const ReviewRow& row) -> Cell { return std::string(to_string(item_of(row).reason)); }},
       {"kind", "the kind of disagreement in words",
        [](const ReviewRow& row) -> Cell {
          return review_words(item_of(row), row.reduction.grid, row.names.raters);
        }},
       {"component", "number of the component, from 1",
        [](const ReviewRow& row) { return from_one(item_of(row).component); }},
       {"voxels", "its size", [](const ReviewRow& row) -> Cell { return item_of(row).voxels; }},
       {"consensus_voxels", "those of them that the consensus has",
        [](const ReviewRow& row) -> Cell { return item_of(row).inside; }},
       {"raters_in", "who marked any of it, separated by semicolons",
        [](const ReviewRow& row) -> Cell { return names_text(item_of(row).drawn, row.names.raters); }},
       {"raters_out", "who marked none of it",
        [](const ReviewRow& row) -> Cell {
          return names_text(everybody(row) & ~item_of(row).drawn, row.names.raters);
        }},
       {"flips_without", "without whom the component would be decided otherwise",
        [](const ReviewRow& row) -> Cell { return names_text(item_of(row).flips, row.names.raters); }}});
  append(columns, review_numbers());
  return columns;
}

Columns<SubcrownRow> subcrown_columns(const CaseNames& names, std::span<const ConsensusStudy> consensuses) {
  Columns<SubcrownRow> columns = case_columns<SubcrownRow>(names);
  append(
      columns,
      {{"row", "value in the map of subcrowns", [](const SubcrownRow& row) -> Cell { return row.number; }},
       {"component", "number of the component, from 1",
        [](const SubcrownRow& row) { return from_one(row.component); }},
       {"total_distance", "sum of its distances to the raters' masks, in steps",
        [](const SubcrownRow& row) -> Cell { return std::int64_t{subcrown_of(row).distance}; }},
       {"votes", "raters who marked it",
        [](const SubcrownRow& row) -> Cell { return std::int64_t{std::popcount(subcrown_of(row).raters)}; }},
       {"raters", "their names, separated by semicolons",
        [](const SubcrownRow& row) -> Cell { return names_text(subcrown_of(row).raters, row.names.raters); }},
       {"voxels", "its size", [](const SubcrownRow& row) -> Cell { return subcrown_of(row).voxels; }}});
  for (std::size_t m = 0; m < consensuses.size(); ++m) {
    const std::string& name = consensuses[m].evaluated.name;
    columns.push_back(
        {"level_" + name, "level in the consensus of " + name, [m](const SubcrownRow& row) -> Cell {
           return row.consensuses[m].evaluated.solution.components[row.component].levels[row.row];
         }});
    if (!consensuses[m].bootstrap) continue;
    columns.push_back({"inclusion_" + name, "share of the bootstrap's replicates, of " + name,
                       [m](const SubcrownRow& row) -> Cell {
                         return row.consensuses[m].bootstrap->mean_levels[row.component][row.row];
                       }});
  }
  return columns;
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
