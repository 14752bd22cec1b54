// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "crema/counts/macchiato/draft.h"
#include "crema/fuse.h"

/// A plain reading of the method, voxel by voxel, with no thought for speed: the oracle of the tests.
namespace slow {

using crema::Grid;
using crema::Precise;
using Masks = std::vector<std::vector<std::uint8_t>>;
using Point = std::array<int, 3>;

struct Setting {
  int connectivity = 26;
  std::optional<crema::Axis> slice_wise;
  crema::Distance distance = crema::Distance::jaccard;
  crema::Tie tie = crema::Tie::background;
};

inline Point point(const Grid& g, std::size_t v) {
  const auto nx = static_cast<std::size_t>(g.size[0]), ny = static_cast<std::size_t>(g.size[1]);
  return {static_cast<int>(v % nx), static_cast<int>(v / nx % ny), static_cast<int>(v / nx / ny)};
}

/// Number of steps between two voxels on the plain grid, from the formulas; -1 where no way leads.
inline int steps(const Point& a, const Point& b, const Setting& s) {
  const int dx = std::abs(a[0] - b[0]), dy = std::abs(a[1] - b[1]), dz = std::abs(a[2] - b[2]);
  if (s.slice_wise &&
      a[static_cast<std::size_t>(*s.slice_wise)] != b[static_cast<std::size_t>(*s.slice_wise)])
    return -1;
  const int most = std::max({dx, dy, dz}), sum = dx + dy + dz;
  if (s.connectivity == 4 || s.connectivity == 6) return sum;
  if (s.connectivity == 18) return std::max(most, (sum + 1) / 2);
  return most;
}

/// The component number of each voxel, from 1 in raster order of first voxels; 0 outside the union.
inline std::vector<int> components(const Grid& g, const Masks& masks, const Setting& s) {
  std::vector<int> label(masks[0].size(), 0);
  auto in_union = [&](std::size_t v) {
    return std::any_of(masks.begin(), masks.end(), [&](const auto& m) { return m[v] != 0; });
  };
  int count = 0;
  for (std::size_t seed = 0; seed < label.size(); ++seed) {
    if (!in_union(seed) || label[seed] != 0) continue;
    std::vector<std::size_t> todo{seed};
    label[seed] = ++count;
    while (!todo.empty()) {
      const std::size_t v = todo.back();
      todo.pop_back();
      for (std::size_t w = 0; w < label.size(); ++w)
        if (label[w] == 0 && in_union(w) && steps(point(g, v), point(g, w), s) == 1) {
          label[w] = count;
          todo.push_back(w);
        }
    }
  }
  return label;
}

/// One component as a list of voxels.
struct Part {
  std::vector<std::size_t> voxels;
  std::vector<int> distance;          ///< td of each
  std::vector<crema::Raters> raters;  ///< g of each
  int count = 0;                      ///< K
};

inline std::vector<Part> parts(const Grid& g, const Masks& masks, const Setting& s) {
  const auto label = components(g, masks, s);
  std::vector<Part> result(static_cast<std::size_t>(*std::max_element(label.begin(), label.end())));
  for (std::size_t v = 0; v < label.size(); ++v)
    if (label[v] != 0) result[static_cast<std::size_t>(label[v]) - 1].voxels.push_back(v);
  for (Part& part : result) {
    part.count = static_cast<int>(masks.size());
    for (const std::size_t v : part.voxels) {
      int total = 0;
      crema::Raters raters = 0;
      for (std::size_t k = 0; k < masks.size(); ++k) {
        int nearest = -1;
        for (const std::size_t w : part.voxels)
          if (masks[k][w] != 0) {
            const int d = steps(point(g, v), point(g, w), s);
            if (nearest < 0 || d < nearest) nearest = d;
          }
        if (nearest > 0) total += nearest;
        if (masks[k][v] != 0) raters |= crema::Raters{1} << k;
      }
      part.distance.push_back(total);
      part.raters.push_back(raters);
    }
  }
  return result;
}

/// Sum of squared distances of a mask of the part to its raters.
inline Precise value(const Part& part, const std::vector<char>& in, crema::Distance distance) {
  Precise sum = 0;
  for (int k = 0; k < part.count; ++k) {
    std::int64_t both = 0, own = 0, mask = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const bool drew = (part.raters[i] >> k & 1) != 0;
      both += drew && in[i] ? 1 : 0;
      own += drew ? 1 : 0;
      mask += in[i] ? 1 : 0;
    }
    if (own + mask == 0) continue;
    const Precise d = distance == crema::Distance::jaccard
                          ? 1 - static_cast<Precise>(both) / static_cast<Precise>(own + mask - both)
                          : 1 - static_cast<Precise>(2 * both) / static_cast<Precise>(own + mask);
    sum += d * d;
  }
  return sum;
}

constexpr double kSame = 1e-26;

/// Members of a row (td, g) as positions in the part.
using Rows = std::map<std::pair<int, crema::Raters>, std::vector<std::size_t>>;

inline std::vector<char> flipped(std::vector<char> in, const std::vector<std::size_t>& members) {
  for (const std::size_t i : members) in[i] = in[i] ? 0 : 1;
  return in;
}

/// One greedy pass: shrink from everything, or grow from the innermost crown.
inline std::vector<char> pass(const Part& part, crema::Distance distance, bool shrink) {
  Rows rows;
  for (std::size_t i = 0; i < part.voxels.size(); ++i) rows[{part.distance[i], part.raters[i]}].push_back(i);
  std::vector<int> crowns;
  for (const auto& [key, members] : rows)
    if (crowns.empty() || crowns.back() != key.first) crowns.push_back(key.first);
  std::vector<char> in(part.voxels.size(), shrink ? 1 : 0);
  if (shrink) {
    std::reverse(crowns.begin(), crowns.end());
  } else {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = part.distance[i] == crowns.front() ? 1 : 0;
    crowns.erase(crowns.begin());
  }
  for (const int crown : crowns) {
    std::vector<std::pair<crema::Raters, Precise>> order;
    for (const auto& [key, members] : rows)
      if (key.first == crown) order.emplace_back(key.second, value(part, flipped(in, members), distance));
    // Insertion by the pinned rule; the map gave them by row index.
    for (std::size_t i = 1; i < order.size(); ++i)
      for (std::size_t j = i; j > 0; --j) {
        const Precise difference = order[j].second - order[j - 1].second;
        const int fewer = std::popcount(order[j].first) - std::popcount(order[j - 1].first);
        const bool tie = difference < kSame && difference > -kSame;
        const bool before = tie ? (shrink ? fewer < 0 : fewer > 0) : difference < 0;
        if (!before) break;
        std::swap(order[j], order[j - 1]);
      }
    bool accepted = false;
    for (const auto& [raters, alone] : order) {
      auto candidate = flipped(in, rows[{crown, raters}]);
      if (value(part, candidate, distance) < value(part, in, distance) - kSame) {
        in = std::move(candidate);
        accepted = true;
      }
    }
    if (!accepted) break;
  }
  return in;
}

struct Result {
  std::vector<std::uint8_t> mask;
  double lmsd = 0;
  std::vector<int> distance;  ///< td per voxel, -1 outside the union
};

inline Result fuse(const Grid& g, const Masks& masks, const Setting& s) {
  Result result{std::vector<std::uint8_t>(masks[0].size(), 0), 0, std::vector<int>(masks[0].size(), -1)};
  Precise lmsd = 0;
  for (const Part& part : parts(g, masks, s)) {
    for (std::size_t i = 0; i < part.voxels.size(); ++i) result.distance[part.voxels[i]] = part.distance[i];
    auto best = pass(part, s.distance, true);
    const auto grown = pass(part, s.distance, false);
    if (value(part, grown, s.distance) < value(part, best, s.distance) - kSame) best = grown;
    const std::vector<char> empty(best.size(), 0);
    const Precise loss = value(part, empty, s.distance) - value(part, best, s.distance);
    if (loss < -kSame || (loss < kSame && s.tie == crema::Tie::background)) best = empty;
    for (std::size_t i = 0; i < best.size(); ++i) result.mask[part.voxels[i]] = best[i] ? 1 : 0;
    lmsd += value(part, best, s.distance) / part.count;
  }
  result.lmsd = static_cast<double>(lmsd);
  return result;
}

}  // namespace slow
