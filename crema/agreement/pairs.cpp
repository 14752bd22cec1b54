// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/pairs.h"

#include <algorithm>

#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/counts/groups.h"
#include "crema/gather.h"
#include "crema/measure.h"

namespace crema {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// The voxels of each pair of raters, and of each rater on the diagonal.
std::vector<std::int64_t> count_pairs(const Reduction& reduction) {
  const auto raters = static_cast<std::size_t>(reduction.raters);
  std::vector<std::int64_t> table(raters * raters, 0);
  for (const Group& row : gather(reduction, {}).rows)
    for (std::size_t a = 0; a < raters; ++a) {
      if ((row.raters >> a & 1) == 0) continue;
      for (std::size_t b = a; b < raters; ++b)
        if ((row.raters >> b & 1) != 0) table[a * raters + b] += row.voxels;
    }
  return table;
}

RaterPair make_pair(int a, int b, const CommonCounts& counts) {
  RaterPair pair{.a = a, .b = b, .voxels = counts, .dice = dice(counts), .jaccard = jaccard(counts)};
  pair.difference = counts.first - counts.second;
  return pair;
}

RaterOverlap make_overlap(int rater, const CommonCounts& counts) {
  RaterOverlap overlap{.rater = rater, .voxels = counts};
  overlap.precision = precision(counts);
  overlap.recall = recall(counts);
  overlap.f1 = overlap.dice = dice(counts);
  overlap.jaccard = jaccard(counts);
  return overlap;
}

/// `inside(c)` gives the voxels of each row of component c in the consensus, which has `voxels` in all.
template <class Inside>
std::vector<RaterOverlap> compare(const Reduction& reduction, std::int64_t voxels, Inside inside) {
  std::vector<CommonCounts> counts(static_cast<std::size_t>(reduction.raters), {.second = voxels});
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    const std::vector<std::int64_t>& taken = inside(c);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0; k < counts.size(); ++k) {
        if ((rows[r].raters >> k & 1) == 0) continue;
        counts[k].first += rows[r].voxels;
        counts[k].common += taken[r];
      }
  }
  std::vector<RaterOverlap> list;
  for (std::size_t k = 0; k < counts.size(); ++k)
    list.push_back(make_overlap(static_cast<int>(k), counts[k]));
  return list;
}

bool background_inside(const Solution& solution) {
  return solution.background.voxels > 0 && static_cast<float>(solution.background.level) > 0.5F;
}

}  // namespace

Measured dice(const CommonCounts& counts) {
  if (counts.first + counts.second == 0) return Undefined::both_empty;
  return ratio(2 * counts.common, counts.first + counts.second);
}

Measured jaccard(const CommonCounts& counts) {
  if (counts.first + counts.second == 0) return Undefined::both_empty;
  return ratio(counts.common, counts.first + counts.second - counts.common);
}

Measured precision(const CommonCounts& counts) {
  if (counts.first == 0) return counts.second == 0 ? Undefined::both_empty : Undefined::first_empty;
  return ratio(counts.common, counts.first);
}

Measured recall(const CommonCounts& counts) {
  if (counts.second == 0) return counts.first == 0 ? Undefined::both_empty : Undefined::second_empty;
  return ratio(counts.common, counts.second);
}

std::vector<RaterPair> compare_pairs(const Reduction& reduction) {
  const auto raters = static_cast<std::size_t>(reduction.raters);
  const auto table = count_pairs(reduction);
  std::vector<RaterPair> pairs;
  for (std::size_t a = 0; a < raters; ++a)
    for (std::size_t b = a + 1; b < raters; ++b)
      pairs.push_back(make_pair(static_cast<int>(a), static_cast<int>(b),
                                {table[a * raters + a], table[b * raters + b], table[a * raters + b]}));
  return pairs;
}

std::vector<RaterOverlap> compare_with_consensus(const Reduction& reduction, const Solution& solution) {
  return compare(reduction, solution.voxels, [&](std::size_t c) -> const std::vector<std::int64_t>& {
    return solution.components[c].inside;
  });
}

std::vector<RaterOverlap> compare_with_consensus(const Reduction& reduction, const Image& consensus) {
  const VoxelSet set = set_of_image(reduction.grid, consensus);
  const auto sets = sets_of_raters(reduction);
  std::vector<RaterOverlap> list;
  for (std::size_t k = 0; k < sets.size(); ++k)
    list.push_back(
        make_overlap(static_cast<int>(k), {sets[k].voxels, set.voxels, count_common(sets[k], set)}));
  return list;
}

CommonCounts compare_results(const Reduction& reduction, const Solution& a, const Solution& b,
                             const Options& options) {
  CommonCounts counts{.first = a.voxels, .second = b.voxels};
  if (a.image || b.image) {
    counts.common =
        count_common(set_of_consensus(reduction, a, options), set_of_consensus(reduction, b, options));
    return counts;
  }
  // Parts of a row are its first voxels, so that the smaller one lies in the larger one.
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    for (std::size_t r = 0; r < reduction.crowns[c].tally.rows.size(); ++r)
      counts.common += std::min(a.components[c].inside[r], b.components[c].inside[r]);
  if (background_inside(a) && background_inside(b))
    counts.common += std::min(a.background.voxels, b.background.voxels);
  return counts;
}

}  // namespace crema
