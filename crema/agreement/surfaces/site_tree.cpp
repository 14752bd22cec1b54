// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/site_tree.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "crema/counts/processor.h"

namespace crema {
namespace {

using Block = SiteTree::Block;
constexpr std::size_t kBoxes = Block::kBoxes;
using Squares = std::array<double, kBoxes>;

/// The squared distances of a place to boxes, summed up in the order in which spreading does: x, y, then z.
/// Rounded multiplication and addition never turn an order around: no box is farther than what lies in it.
CREMA_FOR_EACH_PROCESSOR
void measure(const Block& block, const SiteTree::Place& place, const std::array<double, 3>& spacing,
             Squares& squares) {
  using Numbers = std::int32_t __attribute__((vector_size(4 * kBoxes)));
  using Lengths = double __attribute__((vector_size(8 * kBoxes)));
  Lengths sum{};
  for (std::size_t a = 0; a < 3; ++a) {
    Numbers low, high;
    std::memcpy(&low, block.low[a].data(), sizeof low);
    std::memcpy(&high, block.high[a].data(), sizeof high);
    const Numbers before = low - place[a], behind = place[a] - high;  // at most one is above 0
    const Numbers apart = (before > 0 ? before : Numbers{}) + (behind > 0 ? behind : Numbers{});
    const Lengths mm = spacing[a] * __builtin_convertvector(apart, Lengths);
    sum += mm * mm;
  }
  std::memcpy(squares.data(), &sum, sizeof sum);
}

/// Two zeros between each of the lowest 21 bits.
std::uint64_t spread_bits(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x001F00000000FFFF;
  bits = (bits | bits << 16) & 0x001F0000FF0000FF;
  bits = (bits | bits << 8) & 0x100F00F00F00F00F;
  bits = (bits | bits << 4) & 0x10C30C30C30C30C3;
  return (bits | bits << 2) & 0x1249249249249249;
}

/// Runs so that those close to each other in space are mostly close in the list.
std::vector<std::pair<std::uint64_t, std::size_t>> in_space_order(std::span<const SiteRun> sites) {
  constexpr int kBits = 21;
  std::uint32_t largest = 0;
  for (const SiteRun& run : sites)
    for (const std::int32_t at : run.first) largest = std::max(largest, static_cast<std::uint32_t>(at));
  const int shift = std::max(0, static_cast<int>(std::bit_width(largest)) - kBits);
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    std::uint64_t key = 0;
    for (const std::int32_t at : sites[i].first)
      key = key << 1 | spread_bits(static_cast<std::uint32_t>(at) >> shift);
    order.emplace_back(key, i);
  }
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

void SiteTree::Level::add(const Place& from, const Place& to) {
  const std::size_t at = boxes++ % kBoxes;
  if (at == 0) blocks.emplace_back();
  Block& block = blocks.back();
  for (std::size_t a = 0; a < 3; ++a) {
    block.low[a][at] = from[a];
    block.high[a][at] = to[a];
  }
}

void SiteTree::Level::fill_up() {
  Block& block = blocks.back();
  for (std::size_t at = (boxes - 1) % kBoxes + 1; at < kBoxes; ++at)
    for (std::size_t a = 0; a < 3; ++a) {
      block.low[a][at] = block.low[a][at - 1];
      block.high[a][at] = block.high[a][at - 1];
    }
}

SiteTree::SiteTree(std::span<const SiteRun> sites, const std::array<double, 3>& spacing) : spacing_(spacing) {
  Level level;
  level.blocks.reserve(sites.size() / kBoxes + 1);
  for (const auto& [key, i] : in_space_order(sites)) {
    const Place& first = sites[i].first;
    level.add(first, {first[0] + sites[i].length - 1, first[1], first[2]});
  }
  level.fill_up();
  while (level.blocks.size() > 1) {
    Level above;
    above.blocks.reserve(level.blocks.size() / kBoxes + 1);
    for (const Block& block : level.blocks) {
      Place from{}, to{};
      for (std::size_t a = 0; a < 3; ++a) {
        from[a] = *std::min_element(block.low[a].begin(), block.low[a].end());
        to[a] = *std::max_element(block.high[a].begin(), block.high[a].end());
      }
      above.add(from, to);
    }
    above.fill_up();
    levels_.push_back(std::exchange(level, std::move(above)));
  }
  levels_.push_back(std::move(level));
}

double SiteTree::Walk::nearest(const Place& place) {
  place_ = place;
  Squares squares;
  measure(tree_.levels_.front().blocks[last_ / kBoxes], place, tree_.spacing_, squares);
  best_ = squares[last_ % kBoxes];
  search(tree_.levels_.size() - 1, 0);
  return best_;
}

void SiteTree::Walk::search(std::size_t level, std::size_t block) {
  const Level& boxes = tree_.levels_[level];
  Squares squares;
  measure(boxes.blocks[block], place_, tree_.spacing_, squares);
  ++looks_;
  const std::size_t first = block * kBoxes, count = std::min(kBoxes, boxes.boxes - first);
  const auto nearest =
      static_cast<std::size_t>(std::min_element(squares.begin(), squares.begin() + count) - squares.begin());
  if (squares[nearest] >= best_) return;
  if (level == 0) {
    best_ = squares[nearest];
    last_ = first + nearest;
    return;
  }
  search(level - 1, first + nearest);
  for (std::size_t i = 0; i < count; ++i)
    if (i != nearest && squares[i] < best_) search(level - 1, first + i);
}

}  // namespace crema
