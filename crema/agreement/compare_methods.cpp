// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/compare_methods.h"

#include <algorithm>

#include "crema/agreement/parts.h"
#include "crema/measure.h"
#include "crema/parallel.h"

namespace crema {
namespace {

/// The levels of the mask of what lies above one half, as shares of rows.
Levels mask_levels(const Tally& tally, const Decision& decision) {
  Levels levels;
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    levels.push_back(static_cast<double>(decision.inside[r]) / static_cast<double>(tally.rows[r].voxels));
  return levels;
}

double criterion_under(const Reduction& reduction, const Solution& solution, std::size_t c, Distance distance,
                       const std::vector<double>& weights) {
  const Tally& tally = reduction.crowns[c].tally;
  const Decision& decision = solution.components[c];
  // Levels of a mask are 0 and 1, also where a row is taken in part, so that soft distances equal hard ones.
  const bool mask = solution.method->kind == Kind::hard || is_hard(distance);
  if (mask) return criterion(tally, mask_levels(tally, decision), row_of(distance).twin, weights);
  if (solution.image) return measure_component(reduction, c, *solution.image, distance, weights).criterion;
  return criterion(tally, decision.levels, distance, weights);
}

Measured percent(double value, double reference) {
  if (reference == 0) return Undefined::empty_reference;
  return 100 * (value / reference - 1);
}

std::int64_t kept(const Solution& solution) {
  return std::count_if(solution.components.begin(), solution.components.end(),
                       [](const Decision& decision) { return decision.soft_voxels > 0; });
}

void count_shape(const Reduction& reduction, const MethodResult& result, MethodRow& row) {
  const VoxelSet set = set_of_consensus(reduction, *result.solution, *result.options);
  const Parts parts = find_parts(reduction.grid, set, reduction.neighbourhood);
  row.parts = static_cast<double>(parts.list.size());
  row.isolated = static_cast<double>(parts.isolated());
}

MethodRow make_row(const Reduction& reduction, const MethodResult& result, const References& references,
                   const std::vector<double>& weights) {
  const Solution& solution = *result.solution;
  MethodRow row{.method = solution.method, .options = *result.options};
  row.components = std::ssize(solution.components);
  row.kept = kept(solution);
  row.parts = row.isolated = Undefined::not_asked;
  row.voxels = solution.voxels;
  row.soft_volume = solution.soft_volume;
  row.volume = solution.soft_volume * reduction.grid.voxel_volume();
  row.entropy = solution.entropy;
  for (std::size_t d = 0; d < kDistances.size(); ++d)
    row.lmsd[d] = lmsd_under(reduction, solution, kDistances[d].distance, weights);
  row.lower_bound = Undefined::no_proof;
  if (solution.lower_bound) {
    row.lower_bound = *solution.lower_bound;
    row.proven = solution.unproven == 0;
  }
  row.size_vs_majority = row.soft_vs_average = Undefined::not_asked;
  if (references.majority != nullptr)
    row.size_vs_majority =
        percent(static_cast<double>(solution.voxels), static_cast<double>(references.majority->voxels));
  if (references.average != nullptr)
    row.soft_vs_average = percent(solution.soft_volume, references.average->soft_volume);
  row.performance = solution.performance;
  row.solving = result.solving;
  row.writing = result.writing;
  return row;
}

Cell text(std::string_view value) { return std::string(value); }

Cell slices_of(const Options& options) {
  if (!options.slice_wise) return text("");
  return std::string(1, "xyz"[static_cast<std::size_t>(*options.slice_wise)]);
}

Cell blocks_of(const Options& options) {
  constexpr std::array<std::string_view, 4> names{"subcrown", "crown", "voxel", "group"};
  return text(names[static_cast<std::size_t>(options.blocks)]);
}

/// What a method was told, empty where it does not concern the method.
std::vector<Cell> told(const MethodRow& row, const Reduction& reduction) {
  const Method& method = *row.method;
  const Cell none = Undefined::not_asked;
  const bool criterion = accepts(method, Accept::criterion), region = accepts(method, Accept::region);
  const bool prior = row.performance && row.performance->prior;
  return {criterion ? blocks_of(row.options) : none,
          criterion ? Cell(row.options.empty_test == EmptyTest::apply) : none,
          std::int64_t{reduction.neighbourhood.connectivity},
          slices_of(row.options),
          prior ? Cell(*row.performance->prior) : none,
          region ? text(to_string(row.options.region.kind)) : none};
}

/// A measure that counts things, as a whole number.
Cell counted(const Measured& measure) {
  if (!measure.defined()) return *measure.reason();
  return static_cast<std::int64_t>(*measure);
}

}  // namespace

double lmsd_under(const Reduction& reduction, const Solution& solution, Distance distance,
                  const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    sum += criterion_under(reduction, solution, c, distance, weights);
  return sum;
}

std::vector<MethodRow> compare_methods(const Reduction& reduction, const std::vector<MethodResult>& results,
                                       const References& references, const std::vector<double>& weights,
                                       Shape shape) {
  std::vector<MethodRow> rows(results.size());
  for (std::size_t m = 0; m < results.size(); ++m)
    rows[m] = make_row(reduction, results[m], references, weights);
  if (shape == Shape::count)
    parallel_for(std::ssize(results), [&](std::int64_t i) {
      const auto m = static_cast<std::size_t>(i);
      count_shape(reduction, results[m], rows[m]);
    });
  return rows;
}

std::vector<MethodPair> compare_method_pairs(const Reduction& reduction,
                                             const std::vector<MethodResult>& results) {
  std::vector<MethodPair> pairs;
  for (std::size_t a = 0; a < results.size(); ++a)
    for (std::size_t b = a + 1; b < results.size(); ++b) {
      MethodPair pair{.a = a, .b = b};
      pair.voxels =
          compare_results(reduction, *results[a].solution, *results[b].solution, *results[a].options);
      pair.dice = dice(pair.voxels);
      pair.jaccard = jaccard(pair.voxels);
      pairs.push_back(pair);
    }
  return pairs;
}

Table methods_table(const CaseNames& names, const Reduction& reduction, const std::vector<MethodRow>& rows,
                    const CaseTimes& times) {
  Table table{
      {"case", "method", "paper_name", "kind", "blocks", "empty_test", "connectivity", "slice_wise", "prior",
       "region", "components", "kept", "parts", "isolated", "voxels", "soft_volume", "volume_mm3", "entropy"},
      {}};
  for (const DistanceRow& distance : kDistances)
    table.columns.push_back("lmsd_" + std::string(distance.name));
  for (const char* name : {"lower_bound", "proven", "size_vs_majority_pct", "soft_vs_average_pct", "read_s",
                           "count_s", "solve_s", "write_s", "iterations", "converged", "distance"})
    table.columns.emplace_back(name);
  const Cell none = Undefined::not_asked, unknown = Undefined::no_estimate;
  for (const MethodRow& row : rows) {
    std::vector<Cell> cells{names.name, text(row.method->name), text(row.method->paper_name),
                            text(row.method->kind == Kind::hard ? "hard" : "soft")};
    for (Cell& more : told(row, reduction)) cells.push_back(std::move(more));
    for (const Cell& more :
         std::initializer_list<Cell>{row.components, row.kept, counted(row.parts), counted(row.isolated),
                                     row.voxels, row.soft_volume, row.volume, row.entropy})
      cells.push_back(more);
    for (const double lmsd : row.lmsd) cells.emplace_back(lmsd);
    for (const Cell& more : std::initializer_list<Cell>{
             cell(row.lower_bound), row.proven ? Cell(*row.proven) : Cell(Undefined::no_proof),
             cell(row.size_vs_majority), cell(row.soft_vs_average), times.reading, times.counting,
             row.solving, row.writing ? Cell(*row.writing) : none,
             row.performance ? Cell(std::int64_t{row.performance->iterations}) : unknown,
             row.performance ? Cell(row.performance->converged) : unknown,
             text(to_string(row.method->distance))})
      cells.push_back(more);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table method_pairs_table(const CaseNames& names, const Reduction& reduction,
                         const std::vector<MethodRow>& rows, const std::vector<MethodPair>& pairs) {
  Table table{{"case", "method_a", "method_b", "dice", "jaccard", "volume_difference_mm3", "voxels_a",
               "voxels_b", "common_voxels"},
              {}};
  const double volume = reduction.grid.voxel_volume();
  for (const MethodPair& pair : pairs)
    table.rows.push_back({names.name, text(rows[pair.a].method->name), text(rows[pair.b].method->name),
                          cell(pair.dice), cell(pair.jaccard),
                          static_cast<double>(pair.voxels.first - pair.voxels.second) * volume,
                          pair.voxels.first, pair.voxels.second, pair.voxels.common});
  return table;
}

}  // namespace crema
