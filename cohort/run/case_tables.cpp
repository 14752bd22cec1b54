// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/case_tables.h"

#include <algorithm>
#include <iterator>

#include "crema/records/records.h"
#include "crema/records/table.h"
#include "crema/records/tables.h"
#include "crema/records/units.h"
#include "raters/run/run.h"

namespace crema::cohort {
namespace {

constexpr std::size_t kCases = 0, kMethods = 1, kReview = 7, kJoint = kTables.size() - 1;

const Grid& grid_of(const Known& row) { return row.reduction.grid; }

std::int64_t union_of(const Known& row) {
  std::int64_t voxels = 0;
  for (const Component& component : row.reduction.components.list) voxels += component.voxels;
  return voxels;
}

Cell outlier_of(const Known& row) {
  const auto& outlier = row.study.outlier.outlier;
  if (!outlier) return *row.study.outlier_rater.reason();
  return row.names.raters[static_cast<std::size_t>(*outlier)];
}

template <std::size_t axis>
Cell size_along(const Known& row) {
  return std::int64_t{grid_of(row).size[axis]};
}

template <std::size_t axis>
Cell spacing_along(const Known& row) {
  return cell(millimetres(grid_of(row), grid_of(row).spacing[axis]));
}

Columns<Known> grid_columns() {
  return {{"raters", "how many", [](const Known& row) -> Cell { return std::int64_t{row.reduction.raters}; }},
          {"size_x", "of the grid, in voxels", size_along<0>},
          {"size_y", "of the grid, in voxels", size_along<1>},
          {"size_z", "of the grid, in voxels", size_along<2>},
          {"spacing_x_mm", "of the grid; empty where no file states it", spacing_along<0>},
          {"spacing_y_mm", "of the grid", spacing_along<1>},
          {"spacing_z_mm", "of the grid", spacing_along<2>},
          {"voxel_mm3", "volume of a voxel, of 3-D images",
           [](const Known& row) { return cell(cubic_millimetres(grid_of(row), 1)); }}};
}

Columns<Known> agreement_columns() {
  return {
      {"union_voxels", "voxels that any rater marked",
       [](const Known& row) -> Cell { return union_of(row); }},
      {"components", "connected pieces of them",
       [](const Known& row) -> Cell { return std::ssize(row.reduction.components.list); }},
      {"positive_agreement", "of the raters",
       [](const Known& row) { return cell(row.study.positive_agreement); }},
      {"fleiss_kappa", "in the region", [](const Known& row) { return cell(row.study.chance.kappa); }},
      {"krippendorff_alpha", "in the region", [](const Known& row) { return cell(row.study.chance.alpha); }},
      {"region", "of kappa and alpha",
       [](const Known& row) -> Cell { return to_string(row.study.chance.region.kind); }},
      {"region_voxels", "its size", [](const Known& row) -> Cell { return row.study.chance.voxels; }},
      {"outlier", "the rater farthest from the others", outlier_of},
      {"warnings", "how many; result.json has them", [](const Known&) -> Cell { return std::int64_t{0}; }},
      {"warning_kinds", "of which kinds, separated by ;",
       [](const Known&) -> Cell { return std::string(); }}};
}

Columns<Known> case_row_columns(const CaseNames& names) {
  Columns<Known> columns = case_columns<Known>(names);
  append(columns, grid_columns());
  append(columns, agreement_columns());
  append(columns, {{"voxel_mm2", "area of a pixel, of 2-D images",
                    [](const Known& row) { return cell(square_millimetres(grid_of(row), 1)); }}});
  return columns;
}

/// Times differ from run to run; they have a table of their own.
void drop_times(Table& methods) {
  for (const std::string_view column : kTimeColumns) drop_column(methods, column);
}

Columns<JointRow> joint_criterion() {
  using Row = JointRow;
  return {{"method", "the method", [](const Row& row) -> Cell { return row.outcome.method().name; }},
          {"labels", "how many",
           [](const Row& row) -> Cell { return std::ssize(row.counted.counts.structures); }},
          {"lmsd", "summed over all labels", [](const Row& row) -> Cell { return row.outcome.joint->lmsd; }},
          {"lmsd_alone", "if labels could overlap",
           [](const Row& row) -> Cell { return row.outcome.joint->lmsd_alone; }},
          {"lower_bound", "proven, of the joint LMSD",
           [](const Row& row) -> Cell {
             const auto& bound = row.outcome.joint->lower_bound;
             return bound ? Cell(*bound) : Cell(Undefined::not_requested);
           }},
          {"proven", "whether the bound was proven for all components", [](const Row& row) -> Cell {
             if (!row.outcome.joint->lower_bound) return Undefined::not_requested;
             return row.outcome.joint->unproven == 0;
           }}};
}

/// Nothing is settled where labels may overlap.
template <class F>
auto settled(F number) {
  return [number](const JointRow& row) -> Cell {
    if (row.counted.counts.overlapping()) return Undefined::not_requested;
    return static_cast<std::int64_t>(number(*row.outcome.joint));
  };
}

Columns<JointRow> joint_disputes() {
  using Row = JointRow;
  using Consensus = LabelConsensus;
  return {
      {"claimed_twice", "voxels that several labels claimed",
       settled([](const Consensus& found) { return found.claimed_twice; })},
      {"dispute_blocks", "blocks of them",
       settled([](const Consensus& found) { return found.disputes.size(); })},
      {"emptied_components", "components that were emptied by that",
       settled([](const Consensus& found) { return found.emptied; })},
      {"unlabelled", "voxels that all raters labelled and no label got",
       settled([](const Consensus& found) { return found.unlabelled; })},
      {"cut", "voxels cut from nested regions",
       [](const Row& row) -> Cell {
         return row.counted.counts.nested() ? Cell(row.outcome.joint->cut) : Cell(Undefined::not_requested);
       }},
      {"overlapping", "voxels of several labels",
       [](const Row& row) -> Cell {
         return row.counted.counts.overlapping() ? Cell(row.outcome.joint->shared)
                                                 : Cell(Undefined::not_requested);
       }},
      {"tied", "voxels left undecided", [](const Row& row) -> Cell { return row.outcome.joint->undecided; }}};
}

}  // namespace

CaseTables tables_of(const Known& known) {
  CaseTables tables;
  tables[kCases] = table_of<Known>(case_row_columns(known.names), {known});
  tables[kMethods] = methods_table(known.names, known.reduction, known.rows, {});
  drop_times(tables[kMethods]);
  tables[2] = raters_table(known.names, known.study);
  tables[3] = begin_table(component_columns(known.names));
  tables[4] = begin_table(component_rater_columns(known.names));
  if (lists_components(known.reduction)) {
    tables[3] = components_table(known.names, known.reduction, known.study);
    tables[4] = component_raters_table(known.names, known.reduction, known.study);
  }
  tables[5] = rater_pairs_table(known.names, known.study);
  tables[6] = method_pairs_table(known.names, known.reduction, known.rows, known.pairs);
  tables[kReview] = known.study.consensuses.empty()
                        ? begin_table(review_columns(known.names))
                        : review_table(known.names, known.reduction, known.study.consensuses.front());
  return tables;
}

void set_warnings(Table& cases, const Warnings& warnings) {
  std::string kinds;
  std::vector<bool> reported(256, false);
  for (const Warning& warning : spelled(warnings, Spelling::program)) {
    const auto at = static_cast<std::size_t>(warning.kind);
    if (!reported[at]) kinds += (kinds.empty() ? "" : ";") + std::string(to_string(warning.kind));
    reported[at] = true;
  }
  const auto place = [&](std::string_view name) {
    return std::find(cases.columns.begin(), cases.columns.end(), name) - cases.columns.begin();
  };
  for (auto& row : cases.rows) {
    row[static_cast<std::size_t>(place("warnings"))] = std::ssize(warnings);
    row[static_cast<std::size_t>(place("warning_kinds"))] = kinds;
  }
}

bool lists_components(const Reduction& reduction) { return reduction.crowns.size() <= kMaxListedComponents; }

void add_rows(CaseTables& all, CaseTables one) {
  for (std::size_t t = 0; t < kJoint; ++t) {
    all[t].columns = std::move(one[t].columns);
    all[t].rows.insert(all[t].rows.end(), std::make_move_iterator(one[t].rows.begin()),
                       std::make_move_iterator(one[t].rows.end()));
  }
}

Columns<JointRow> joint_columns() {
  Columns<JointRow> columns = case_columns<JointRow>({});
  append(columns, joint_criterion());
  append(columns, joint_disputes());
  return columns;
}

std::array<std::vector<ColumnText>, kTables.size()> table_columns(Structures structures) {
  CaseNames names;
  if (structures == Structures::several) names.label.emplace();
  auto methods = texts_of(method_columns(names));
  std::erase_if(methods, [](const ColumnText& column) {
    return std::find(kTimeColumns.begin(), kTimeColumns.end(), column.name) != kTimeColumns.end();
  });
  return {texts_of(case_row_columns(names)),
          std::move(methods),
          texts_of(rater_columns(names)),
          texts_of(component_columns(names)),
          texts_of(component_rater_columns(names)),
          texts_of(rater_pair_columns(names)),
          texts_of(method_pair_columns(names)),
          texts_of(review_columns(names)),
          names.label ? texts_of(joint_columns()) : std::vector<ColumnText>{}};
}

std::ptrdiff_t names_in(Structures structures) { return structures == Structures::several ? 2 : 1; }

std::vector<ColumnText> merged_case_columns(Structures structures) {
  std::vector<ColumnText> columns = table_columns(structures).front();
  columns.insert(columns.begin() + names_in(structures),
                 {{"status", "done, failed or missing"}, {"missing_raters", "between semicolons"}});
  return columns;
}

std::vector<ColumnText> failure_columns() {
  return {{"case", "the case"},
          {"class", "away, input, settings, memory, io, disk or bug"},
          {"transient", "whether it may go away by itself"},
          {"raters", "how many"},
          {"message", "a sentence"}};
}

std::vector<ColumnText> time_columns() {
  return {{"case", "the case"},
          {"method", "the method"},
          {"read_s", "reading, shared by all methods"},
          {"count_s", "counting, shared by all methods"},
          {"solve_s", "solving"},
          {"write_s", "painting and writing"}};
}

std::string times_text(const std::string& name, const CaseTimes& times,
                       std::span<const MethodTimes> methods) {
  Table table;
  for (const ColumnText& column : time_columns()) table.columns.push_back(column.name);
  for (const MethodTimes& own : methods)
    table.rows.push_back(
        {name, std::string(own.method), times.reading, times.counting, own.solving, own.writing});
  return csv_text(table);
}

}  // namespace crema::cohort
