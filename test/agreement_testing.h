// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/agreement/overlap.h"
#include "crema/fuse.h"
#include "crema/voxels/votes/votes.h"
#include "test/random_case.h"

/// What the tests of agreement have in common: random cases with their counts, and masks as plain bytes.
namespace agreement_testing {

using Bytes = std::vector<std::uint8_t>;

struct Fused {
  random_case::Case random;
  crema::Options options;
  crema::Consensus consensus;
};

inline Fused make(std::uint64_t seed, std::string_view method, int max_raters = 6) {
  Fused fused{random_case::make(seed, max_raters), {}, {}};
  fused.options = fused.random.options();
  fused.options.method = method;
  fused.consensus = crema::fuse(fused.random.grid, fused.random.views(), fused.options);
  // Painting took the image of a method that paints itself; what is measured here wants it beside the counts.
  if (fused.consensus.solution.method->needs == crema::Needs::neighbours)
    fused.consensus.solution.image = std::make_shared<crema::Image>(fused.consensus.image);
  return fused;
}

/// The first case from that seed on in which several raters drew something.
inline Fused make_of_several(std::uint64_t seed, std::string_view method) {
  for (;; ++seed) {
    Fused fused = make(seed, method);
    const crema::Reduction& reduction = fused.consensus.reduction;
    for (const crema::Crowns& crowns : reduction.crowns) {
      const crema::Raters present = crema::raters_present(crowns.tally);
      if ((present & (present - 1)) != 0) return fused;
    }
  }
}

/// 1 where a level is above 0.5.
inline Bytes inside(const crema::Image& image) {
  Bytes bytes;
  std::visit(
      [&](const auto& map) {
        for (const auto level : map) bytes.push_back(static_cast<double>(level) > 0.5 ? 1 : 0);
      },
      image);
  return bytes;
}

inline std::int64_t count(const Bytes& mask) {
  std::int64_t n = 0;
  for (const auto voxel : mask) n += voxel != 0 ? 1 : 0;
  return n;
}

inline std::int64_t count_both(const Bytes& a, const Bytes& b) {
  std::int64_t n = 0;
  for (std::size_t v = 0; v < a.size(); ++v) n += a[v] != 0 && b[v] != 0 ? 1 : 0;
  return n;
}

/// Votes of masks on a grid, counted.
inline crema::Reduction reduce(const crema::Grid& grid, const std::vector<Bytes>& masks,
                               const crema::Options& options = {}) {
  const std::vector<crema::Mask> views(masks.begin(), masks.end());
  return crema::reduce(grid, crema::take_votes(grid.voxels(), views), crema::Needs::distances, options);
}

}  // namespace agreement_testing
