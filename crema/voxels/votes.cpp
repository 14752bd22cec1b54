// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"

namespace crema {
namespace {

/// A block of sets that stays in the first-level cache while all raters are folded into it.
constexpr std::int64_t kBlock = 1 << 13;
constexpr std::int64_t kPiece = 64 * kBlock;

template <class Set>
void fold_piece(Set* sets, const std::uint8_t* mask, std::int64_t count, Set bit) {
  for (std::int64_t i = 0; i < count; ++i)
    sets[i] = static_cast<Set>(sets[i] | (mask[i] != 0 ? bit : Set{0}));
}

template <class Set>
void start_piece(Set* sets, const std::uint8_t* mask, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sets[i] = mask[i] != 0 ? Set{1} : Set{0};
}

void check_size(Mask mask, std::int64_t voxels, int rater) {
  if (static_cast<std::int64_t>(mask.size()) != voxels)
    throw InputError(
        fmt::format("rater {}: the mask has {} voxels, but the grid has {}; all masks must lie on one grid",
                    rater + 1, mask.size(), voxels));
}

}  // namespace

Votes::Votes(std::int64_t voxels, int raters) : raters_(raters), voxels_(voxels) {
  if (raters < 1) throw InputError("no masks were given; a consensus needs at least one rater");
  if (raters > kMaxRaters)
    throw InputError(
        fmt::format("{} masks were given, but at most {} raters fit; leave some out", raters, kMaxRaters));
  if (voxels < 0)
    throw InputError(fmt::format("the grid has {} voxels; every size must be positive", voxels));
  auto allocate = [&]<class Set>(Set) {
    auto* memory = static_cast<Set*>(
        std::calloc(static_cast<std::size_t>(std::max<std::int64_t>(voxels, 1)), sizeof(Set)));
    if (memory == nullptr) throw std::bad_alloc();
    sets_ = Sets<Set>(memory);
  };
  if (raters <= 8)
    allocate(std::uint8_t{});
  else if (raters <= 16)
    allocate(std::uint16_t{});
  else if (raters <= 32)
    allocate(std::uint32_t{});
  else
    allocate(std::uint64_t{});
}

void Votes::fold(int rater, Mask mask) {
  if (rater < 0 || rater >= raters_)
    throw InputError(fmt::format("there is no rater {} among {}", rater + 1, raters_));
  check_size(mask, voxels_, rater);
  std::visit(
      [&](auto& sets) {
        using Set = typename std::decay_t<decltype(sets)>::element_type;
        const Set bit = static_cast<Set>(Set{1} << rater);
        parallel_pieces(voxels_, kPiece, [&](std::int64_t begin, std::int64_t end) {
          fold_piece(sets.get() + begin, mask.data() + begin, end - begin, bit);
        });
      },
      sets_);
}

Votes take_votes(std::int64_t voxels, std::span<const Mask> masks) {
  Votes votes(voxels, static_cast<int>(std::min<std::size_t>(masks.size(), kMaxRaters + 1)));
  for (std::size_t k = 0; k < masks.size(); ++k) check_size(masks[k], voxels, static_cast<int>(k));
  std::visit(
      [&](auto& sets) {
        using Set = typename std::decay_t<decltype(sets)>::element_type;
        parallel_pieces(voxels, kPiece, [&](std::int64_t piece, std::int64_t piece_end) {
          for (std::int64_t begin = piece; begin < piece_end; begin += kBlock) {
            const std::int64_t count = std::min(kBlock, piece_end - begin);
            start_piece(sets.get() + begin, masks[0].data() + begin, count);
            for (std::size_t k = 1; k < masks.size(); ++k)
              fold_piece(sets.get() + begin, masks[k].data() + begin, count, static_cast<Set>(Set{1} << k));
          }
        });
      },
      votes.sets_);
  return votes;
}

}  // namespace crema
