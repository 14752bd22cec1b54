// SPDX-License-Identifier: Apache-2.0
// Components, and raters in them.
#include <fmt/format.h>

#include "crema/records/table.h"
#include "crema/records/tables.h"

namespace crema {
namespace {

Cell number_of(std::size_t component) { return static_cast<std::int64_t>(component) + 1; }

const Decision& decision_of(const ComponentRow& row) {
  return row.consensus.evaluated.solution.components[row.component];
}
const FoundWeights& weights_of(const ComponentRow& row) { return row.consensus.weights[row.component]; }
const ComponentOverlap& overlap_of(const ComponentRaterRow& row) { return row.overlaps[row.rater]; }

Cell weight_found(const ComponentRaterRow& row) {
  const FoundWeights& found = row.consensus.weights[row.component];
  if (found.reason) return *found.reason;
  return found.weights[row.rater];
}

Cell flip_weight(const ComponentRaterRow& row) {
  if (row.consensus.stability.empty()) return Undefined::not_requested;
  const auto& weight = row.consensus.stability[row.component].flip_weight[row.rater];
  if (!weight) return Undefined::no_turn;
  return *weight;
}

Cell bootstrap_kept(const ComponentRow& row) {
  if (!row.consensus.bootstrap) return Undefined::not_requested;
  return row.consensus.bootstrap->kept[row.component];
}

Columns<ComponentRow> decision_columns() {
  using Row = ComponentRow;
  return {{"union_voxels", "voxels that any rater marked",
           [](const Row& row) -> Cell { return row.reduction.components.list[row.component].voxels; }},
          {"consensus_voxels", "voxels of the consensus",
           [](const Row& row) -> Cell { return decision_of(row).voxels; }},
          {"kept", "whether the consensus has anything in it",
           [](const Row& row) -> Cell { return decision_of(row).soft_voxels > 0; }},
          {"margin", "criterion of the empty set minus that of the best consensus found that is not empty",
           [](const Row& row) { return cell(row.consensus.margins[row.component]); }},
          {"criterion", "mean squared distance to the raters",
           [](const Row& row) -> Cell { return decision_of(row).criterion; }},
          {"bootstrap_kept", "share of the bootstrap's replicates that keep it", bootstrap_kept},
          {"rule", "the weighted vote that the consensus is, with the voxels that it gets wrong",
           [](const Row& row) -> Cell { return rule_in_words(weights_of(row), row.names.raters); }},
          {"rule_exceptions", "voxels that the consensus decided otherwise than the rule, ties left out",
           [](const Row& row) -> Cell {
             const FoundWeights& found = weights_of(row);
             if (found.reason) return *found.reason;
             return found.exceptions;
           }}};
}

template <class F>
void for_each_component(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                        F f) {
  for (const ConsensusStudy& one : study.consensuses)
    for (std::size_t c = 0; c < reduction.crowns.size(); ++c) f(ComponentRow{names, reduction, one, c});
}

template <class F>
void for_each_rater(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study, F f) {
  for_each_component(names, reduction, study, [&](const ComponentRow& row) {
    const auto overlaps = compare_component(reduction.crowns[row.component].tally, decision_of(row));
    for (std::size_t k = 0; k < names.raters.size(); ++k)
      f(ComponentRaterRow{names, row.consensus, overlaps, row.component, k});
  });
}

/// Rows as CSV, in pieces.
class Pieces {
 public:
  explicit Pieces(const WritePiece& write) : write_(write) {}
  void add(const std::vector<Cell>& row) {
    constexpr std::size_t kPiece = 1 << 16;
    piece_ += csv_rows({row});
    if (piece_.size() >= kPiece) end();
  }
  void end() {
    write_(piece_);
    piece_.clear();
  }

 private:
  const WritePiece& write_;
  std::string piece_;
};

}  // namespace

std::string box_text(const Box& box) {
  return fmt::format("{}:{} {}:{} {}:{}", box.low[0], box.high[0], box.low[1], box.high[1], box.low[2],
                     box.high[2]);
}

Columns<ComponentRow> component_columns(const CaseNames& names) {
  using Row = ComponentRow;
  Columns<Row> columns = case_columns<Row>(names);
  append(columns, {{"method", "the method, or the file of the consensus",
                    [](const Row& row) -> Cell { return row.consensus.evaluated.name; }},
                   {"component", "number of the component, from 1",
                    [](const Row& row) { return number_of(row.component); }},
                   {"box", "x0:x1 y0:y1 z0:z1, half open, in voxels", [](const Row& row) -> Cell {
                      return box_text(row.reduction.components.list[row.component].box);
                    }}});
  append(columns, decision_columns());
  return columns;
}

Columns<ComponentRaterRow> component_rater_columns(const CaseNames& names) {
  using Row = ComponentRaterRow;
  Columns<Row> columns = case_columns<Row>(names);
  append(
      columns,
      {{"method", "the method, or the file of the consensus",
        [](const Row& row) -> Cell { return row.consensus.evaluated.name; }},
       {"component", "number of the component, from 1",
        [](const Row& row) { return number_of(row.component); }},
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
       {"weight_found", "weight of the rater in the rule", weight_found},
       {"flip_weight", "weight of the rater at which the decision turns; with --flip-weights", flip_weight}});
  return columns;
}

Table components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study) {
  const Columns<ComponentRow> columns = component_columns(names);
  Table table = begin_table(columns);
  for_each_component(names, reduction, study,
                     [&](const ComponentRow& row) { table.rows.push_back(cells_of(columns, row)); });
  return table;
}

Table component_raters_table(const CaseNames& names, const Reduction& reduction,
                             const AgreementStudy& study) {
  const Columns<ComponentRaterRow> columns = component_rater_columns(names);
  Table table = begin_table(columns);
  for_each_rater(names, reduction, study,
                 [&](const ComponentRaterRow& row) { table.rows.push_back(cells_of(columns, row)); });
  return table;
}

std::string components_header(const CaseNames& names) {
  return csv_header(begin_table(component_columns(names)).columns);
}

std::string component_raters_header(const CaseNames& names) {
  return csv_header(begin_table(component_rater_columns(names)).columns);
}

void write_components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                            const WritePiece& write) {
  const Columns<ComponentRow> columns = component_columns(names);
  Pieces pieces(write);
  for_each_component(names, reduction, study,
                     [&](const ComponentRow& row) { pieces.add(cells_of(columns, row)); });
  pieces.end();
}

void write_component_raters_table(const CaseNames& names, const Reduction& reduction,
                                  const AgreementStudy& study, const WritePiece& write) {
  const Columns<ComponentRaterRow> columns = component_rater_columns(names);
  Pieces pieces(write);
  for_each_rater(names, reduction, study,
                 [&](const ComponentRaterRow& row) { pieces.add(cells_of(columns, row)); });
  pieces.end();
}

}  // namespace crema
