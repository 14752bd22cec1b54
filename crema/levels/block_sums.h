// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crema/base/parallel.h"

namespace crema {

/// Voxels whose sums are formed together. Sums of blocks are added up in their order, whatever the threads.
inline constexpr std::int64_t kSumBlock = 4096;

/// body(begin, end, sums) adds up `width` numbers over voxels [begin, end); returns their totals.
template <class Body>
std::vector<double> sum_in_blocks(std::int64_t voxels, std::size_t width, const Body& body) {
  const std::int64_t blocks = (voxels + kSumBlock - 1) / kSumBlock;
  std::vector<double> sums(static_cast<std::size_t>(blocks) * width, 0);
  parallel_for(blocks, [&](std::int64_t b) {
    body(b * kSumBlock, std::min(voxels, (b + 1) * kSumBlock),
         std::span(sums).subspan(static_cast<std::size_t>(b) * width, width));
  });
  std::vector<double> total(width, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) total[i % width] += sums[i];
  return total;
}

/// Two sums at once, each in a fixed number of lanes: the same digits on every machine, and several at a
/// time. `terms` gives a pair.
template <class Terms>
std::pair<double, double> sum_pair_lanes(std::int64_t begin, std::int64_t end, const Terms& terms) {
  constexpr std::int64_t kLanes = 8;
  double first[kLanes] = {}, second[kLanes] = {};
  const auto add = [&](std::int64_t lane, std::int64_t i) {
    const auto [one, two] = terms(static_cast<std::size_t>(i));
    first[lane] += one;
    second[lane] += two;
  };
  std::int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) add(l, i + l);
  for (; i < end; ++i) add((i - begin) % kLanes, i);
  std::pair<double, double> sums{0, 0};
  for (std::int64_t l = 0; l < kLanes; ++l) {
    sums.first += first[l];
    sums.second += second[l];
  }
  return sums;
}

/// A sum in a fixed number of lanes: the same digits on every machine, and several at a time.
template <class Term>
double sum_lanes(std::int64_t begin, std::int64_t end, const Term& term) {
  constexpr std::int64_t kLanes = 8;
  double lane[kLanes] = {};
  std::int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) lane[l] += term(static_cast<std::size_t>(i + l));
  for (; i < end; ++i) lane[(i - begin) % kLanes] += term(static_cast<std::size_t>(i));
  double sum = 0;
  for (const double value : lane) sum += value;
  return sum;
}

}  // namespace crema
