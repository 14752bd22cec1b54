// SPDX-License-Identifier: Apache-2.0
#include "cohort/case_tables.h"

#include <iterator>

#include "crema/agreement/csv_parts.h"

namespace crema::cohort {
namespace {

constexpr std::size_t kCases = 0, kMethods = 1, kJoint = kTables.size() - 1;

std::vector<std::string> case_columns() {
  return {"case",         "raters",
          "size_x",       "size_y",
          "size_z",       "spacing_x_mm",
          "spacing_y_mm", "spacing_z_mm",
          "voxel_mm3",    "union_voxels",
          "components",   "positive_agreement",
          "fleiss_kappa", "krippendorff_alpha",
          "region",       "region_voxels",
          "outlier",      "warnings"};
}

Table case_table(const Known& known) {
  const Reduction& reduction = known.reduction;
  const AgreementStudy& study = known.study;
  const Grid& grid = reduction.grid;
  std::int64_t in_union = 0;
  for (const Component& component : reduction.components.list) in_union += component.voxels;
  const Cell outlier = study.outlier.outlier
                           ? Cell(known.names.raters[static_cast<std::size_t>(*study.outlier.outlier)])
                           : Cell(*study.outlier_rater.reason());
  std::vector<Cell> row{known.names.name, std::int64_t{reduction.raters}};
  for (const std::int32_t size : grid.size) row.emplace_back(std::int64_t{size});
  for (const double spacing : grid.spacing) row.emplace_back(spacing);
  for (Cell& more : std::vector<Cell>{
           grid.voxel_volume(), in_union, std::ssize(reduction.components.list),
           cell(study.positive_agreement), cell(study.chance.kappa), cell(study.chance.alpha),
           std::string(to_string(study.chance.region.kind)), study.chance.voxels, outlier, known.warnings})
    row.push_back(std::move(more));
  return {case_columns(), {std::move(row)}};
}

/// Times differ from run to run; they have a table of their own.
void drop_times(Table& methods) {
  for (const char* column : {"read_s", "count_s", "solve_s", "write_s"}) drop_column(methods, column);
}

}  // namespace

CaseTables tables_of(const Known& known) {
  CaseTables tables;
  tables[kCases] = case_table(known);
  tables[kMethods] = methods_table(known.names, known.reduction, known.rows, {});
  drop_times(tables[kMethods]);
  tables[2] = raters_table(known.names, known.study);
  tables[3] = components_table(known.names, known.reduction, known.study);
  tables[4] = rater_pairs_table(known.names, known.study);
  tables[5] = method_pairs_table(known.names, known.reduction, known.rows, known.pairs);
  return tables;
}

void add_label(CaseTables& all, CaseTables one, const std::string& label) {
  for (std::size_t t = 0; t < kJoint; ++t) {
    one[t].columns.insert(one[t].columns.begin() + 1, "label");
    for (auto& row : one[t].rows) row.insert(row.begin() + 1, Cell(label));
    all[t].columns = std::move(one[t].columns);
    all[t].rows.insert(all[t].rows.end(), std::make_move_iterator(one[t].rows.begin()),
                       std::make_move_iterator(one[t].rows.end()));
  }
}

Table joint_table() {
  return {{"case", "method", "labels", "lmsd", "lmsd_alone", "lower_bound", "proven", "claimed_twice",
           "dispute_blocks", "emptied_components", "unlabelled", "cut", "overlapping", "tied"},
          {}};
}

std::array<std::vector<std::string>, kTables.size()> table_columns(bool labels) {
  const CaseNames names;
  const Reduction reduction;
  const AgreementStudy study;
  Table methods = methods_table(names, reduction, {}, {});
  drop_times(methods);
  std::array<std::vector<std::string>, kTables.size()> columns{
      case_columns(),
      methods.columns,
      raters_table(names, study).columns,
      components_table(names, reduction, study).columns,
      rater_pairs_table(names, study).columns,
      method_pairs_table(names, reduction, {}, {}).columns,
      {}};
  if (!labels) return columns;
  for (std::size_t t = 0; t < kJoint; ++t) columns[t].insert(columns[t].begin() + 1, "label");
  columns[kJoint] = joint_table().columns;
  return columns;
}

std::string times_text(const std::string& name, const CaseTimes& times,
                       std::span<const MethodTimes> methods) {
  Table table{{"case", "method", "read_s", "count_s", "solve_s", "write_s"}, {}};
  for (const MethodTimes& own : methods)
    table.rows.push_back(
        {name, std::string(own.method), times.reading, times.counting, own.solving, own.writing});
  return csv_text(table);
}

}  // namespace crema::cohort
