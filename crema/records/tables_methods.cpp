// SPDX-License-Identifier: Apache-2.0
#include "crema/records/tables_methods.h"

#include "crema/base/text.h"
#include "crema/records/size_columns.h"
#include "crema/reduction.h"
#include "crema/tables/method.h"

namespace crema {
namespace {

using Row = MethodTableRow;

Cell text(std::string_view value) { return std::string(value); }

Cell slices_of(const Options& options) {
  if (!options.slice_wise) return text("");
  return std::string(1, "xyz"[static_cast<std::size_t>(*options.slice_wise)]);
}

Cell blocks_of(const Options& options) { return text(word_of(options.blocks, kBlocksWords)); }

/// A measure that counts things, as a whole number.
Cell counted(const Measured& measure) {
  if (!measure.defined()) return *measure.reason();
  return static_cast<std::int64_t>(*measure);
}

const Method& method_of(const Row& row) { return *row.method.method; }

/// Empty where it does not concern the method.
Cell if_accepted(const Row& row, Accept what, const Cell& cell) {
  return accepts(method_of(row), what) ? cell : Cell(Undefined::not_requested);
}

Cell prior_of(const Row& row) {
  const auto& found = row.method.performance;
  if (!found || !found->prior) return Undefined::not_requested;
  return *found->prior;
}

Columns<Row> what_columns() {
  return {
      {"method", "the method", [](const Row& row) { return text(method_of(row).name); }},
      {"paper_name", "its name in the paper", [](const Row& row) { return text(method_of(row).paper_name); }},
      {"kind", "hard (a mask) or soft (levels)",
       [](const Row& row) { return text(method_of(row).kind == Kind::hard ? "hard" : "soft"); }},
      {"blocks", "--blocks, where it concerns the method",
       [](const Row& row) { return if_accepted(row, Accept::criterion, blocks_of(row.method.options)); }},
      {"empty_test", "whether a component may be left empty",
       [](const Row& row) {
         return if_accepted(row, Accept::empty_test, row.method.options.empty_test == EmptyTest::apply);
       }},
      {"connectivity", "neighbours of a voxel",
       [](const Row& row) -> Cell { return std::int64_t{row.reduction.neighbourhood.connectivity}; }},
      {"slice_wise", "axis across which slices are fused one by one; empty: not",
       [](const Row& row) { return slices_of(row.method.options); }},
      {"prior", "of a method that estimates performance", prior_of},
      {"region", "the voxels that such a method sees", [](const Row& row) {
         return if_accepted(row, Accept::region, text(to_string(row.method.options.region.kind)));
       }}};
}

Columns<Row> size_and_shape_columns() {
  return {
      {"components", "of the union", [](const Row& row) -> Cell { return row.method.components; }},
      {"kept", "components with anything in the consensus",
       [](const Row& row) -> Cell { return row.method.kept; }},
      {"parts", "connected pieces of the result", [](const Row& row) { return counted(row.method.parts); }},
      {"isolated", "of them those of one voxel", [](const Row& row) { return counted(row.method.isolated); }},
      {"voxels", "with a level above 0.5: the hard size",
       [](const Row& row) -> Cell { return row.method.voxels; }},
      {"soft_volume", "sum of all levels, in voxels: the soft size",
       [](const Row& row) -> Cell { return row.method.soft_volume; }}};
}

Columns<Row> criterion_columns() {
  Columns<Row> columns;
  for (std::size_t d = 0; d < kDistances.size(); ++d)
    columns.push_back({"lmsd_" + std::string(kDistances[d].name),
                       "LMSD in this distance; one between masks sees what lies above 0.5",
                       [d](const Row& row) -> Cell { return row.method.lmsd[d]; }});
  append(columns, {{"lower_bound", "proven, of the LMSD in the method's own distance",
                    [](const Row& row) { return cell(row.method.lower_bound); }},
                   {"proven", "whether the bound was proven for all components",
                    [](const Row& row) -> Cell {
                      return row.method.proven ? Cell(*row.method.proven) : Cell(Undefined::no_proof);
                    }},
                   {"size_vs_majority_pct", "voxels against those of the majority vote, in percent",
                    [](const Row& row) { return cell(row.method.size_vs_majority); }},
                   {"soft_vs_average_pct", "soft_volume against that of the average, in percent",
                    [](const Row& row) { return cell(row.method.soft_vs_average); }}});
  return columns;
}

Cell ranged(const Row& row, double LevelRange::*which) {
  return row.method.range ? Cell((*row.method.range).*which) : Cell(Undefined::not_requested);
}

Cell ranged_voxels(const Row& row, double LevelRange::*which) {
  if (!row.method.range) return Undefined::not_requested;
  return static_cast<std::int64_t>((*row.method.range).*which);
}

Columns<Row> late_columns() {
  return {
      {"faces", "of the boundary of the result; edges of 2-D images",
       [](const Row& row) { return counted(row.method.faces); }},
      {"entropy_low",
       "least entropy of all maps with the same LMSD in the method's own distance, where it leaves that open",
       [](const Row& row) { return ranged(row, &LevelRange::entropy_low); }},
      {"entropy_high", "largest one", [](const Row& row) { return ranged(row, &LevelRange::entropy_high); }},
      {"voxels_low", "least hard size of these maps",
       [](const Row& row) { return ranged_voxels(row, &LevelRange::voxels_low); }},
      {"voxels_high", "largest one",
       [](const Row& row) { return ranged_voxels(row, &LevelRange::voxels_high); }}};
}

Columns<Row> run_columns() {
  return {{"read_s", "seconds", [](const Row& row) -> Cell { return row.times.reading; }},
          {"count_s", "seconds", [](const Row& row) -> Cell { return row.times.counting; }},
          {"solve_s", "seconds", [](const Row& row) -> Cell { return row.method.solving; }},
          {"write_s", "seconds; empty: nothing is written",
           [](const Row& row) -> Cell {
             return row.method.writing ? Cell(*row.method.writing) : Cell(Undefined::not_requested);
           }},
          {"iterations", "of a method that estimates performance",
           [](const Row& row) -> Cell {
             const auto& found = row.method.performance;
             return found ? Cell(std::int64_t{found->iterations}) : Cell(Undefined::no_estimate);
           }},
          {"converged", "whether they settled",
           [](const Row& row) -> Cell {
             const auto& found = row.method.performance;
             return found ? Cell(found->converged) : Cell(Undefined::no_estimate);
           }},
          {"distance", "in which the method's LMSD is reported",
           [](const Row& row) { return text(to_string(method_of(row).distance)); }}};
}

}  // namespace

Columns<MethodTableRow> method_columns(const CaseNames& names) {
  const auto sizes = size_columns<Row>(
      {"volume", "area", "soft_volume"}, [](const Row& row) -> const Grid& { return row.reduction.grid; },
      [](const Row& row) { return row.method.soft_volume; });
  Columns<Row> columns = case_columns<Row>(names);
  append(columns, what_columns());
  append(columns, size_and_shape_columns());
  append(columns, {sizes.volume, {"entropy", "of the levels, in nats", [](const Row& row) -> Cell {
                                    return row.method.entropy;
                                  }}});
  append(columns, criterion_columns());
  append(columns, run_columns());
  append(columns, {sizes.area});
  append(columns, late_columns());
  return columns;
}

Columns<MethodPairRow> method_pair_columns(const CaseNames& names) {
  const auto sizes = size_columns<MethodPairRow>(
      difference_names("a minus b, of the masks"),
      [](const MethodPairRow& row) -> const Grid& { return row.reduction.grid; },
      [](const MethodPairRow& row) {
        return static_cast<double>(row.pair.voxels.first - row.pair.voxels.second);
      });
  Columns<MethodPairRow> columns = case_columns<MethodPairRow>(names);
  append(
      columns,
      {{"method_a", "a method",
        [](const MethodPairRow& row) { return text(row.methods[row.pair.a].method->name); }},
       {"method_b", "another",
        [](const MethodPairRow& row) { return text(row.methods[row.pair.b].method->name); }},
       {"dice", "2·|A∩B| / (|A|+|B|)", [](const MethodPairRow& row) { return cell(row.pair.dice); }},
       {"jaccard", "|A∩B| / |A∪B|", [](const MethodPairRow& row) { return cell(row.pair.jaccard); }},
       sizes.volume,
       {"voxels_a", "voxels of a", [](const MethodPairRow& row) -> Cell { return row.pair.voxels.first; }},
       {"voxels_b", "voxels of b", [](const MethodPairRow& row) -> Cell { return row.pair.voxels.second; }},
       {"common_voxels", "voxels of both",
        [](const MethodPairRow& row) -> Cell { return row.pair.voxels.common; }},
       sizes.area});
  return columns;
}

Table methods_table(const CaseNames& names, const Reduction& reduction, const std::vector<MethodRow>& rows,
                    const CaseTimes& times) {
  const Columns<MethodTableRow> columns = method_columns(names);
  Table table = begin_table(columns);
  for (const MethodRow& row : rows) table.rows.push_back(cells_of(columns, {names, reduction, row, times}));
  return table;
}

Table method_pairs_table(const CaseNames& names, const Reduction& reduction,
                         const std::vector<MethodRow>& rows, const std::vector<MethodPair>& pairs) {
  const Columns<MethodPairRow> columns = method_pair_columns(names);
  Table table = begin_table(columns);
  for (const MethodPair& pair : pairs)
    table.rows.push_back(cells_of(columns, {names, reduction, rows, pair}));
  return table;
}

}  // namespace crema
