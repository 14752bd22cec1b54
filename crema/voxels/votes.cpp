// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"

namespace crema {
namespace {

constexpr std::int64_t kBlocksPerPiece = 128;

bool marks_anything(const std::uint8_t* mask, std::int64_t count) {
  std::uint8_t any = 0;
  for (std::int64_t i = 0; i < count; ++i) any |= mask[i];
  return any != 0;
}

template <class Set>
void fold_voxels(Set* __restrict sets, const std::uint8_t* __restrict mask, std::int64_t count, Set rater) {
  for (std::int64_t i = 0; i < count; ++i)
    sets[i] = static_cast<Set>(sets[i] | (mask[i] != 0 ? rater : Set{0}));
}

void check_size(Mask mask, std::int64_t voxels, int rater) {
  if (static_cast<std::int64_t>(mask.size()) != voxels)
    throw InputError(
        fmt::format("rater {}: the mask has {} voxels, but the grid has {}; all masks must lie on one grid",
                    rater + 1, mask.size(), voxels));
}

Mask block_of(Mask mask, std::int64_t block) {
  const auto begin = static_cast<std::size_t>(block * Votes::kBlock);
  return mask.subspan(begin, std::min<std::size_t>(Votes::kBlock, mask.size() - begin));
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
  occupied_.assign(static_cast<std::size_t>((voxels + kBlock - 1) / kBlock), 0);
  if (raters <= 8)
    allocate(std::uint8_t{});
  else if (raters <= 16)
    allocate(std::uint16_t{});
  else if (raters <= 32)
    allocate(std::uint32_t{});
  else
    allocate(std::uint64_t{});
}

/// Most of a mask is background, which is read once and costs nothing more.
template <class Set>
bool Votes::fold_block(Set* sets, std::int64_t block, int rater, Mask mask) {
  const std::int64_t begin = block * kBlock, count = std::min(kBlock, voxels_ - begin);
  if (!marks_anything(mask.data() + begin, count)) return false;
  fold_voxels(sets + begin, mask.data() + begin, count, static_cast<Set>(Set{1} << rater));
  occupied_[static_cast<std::size_t>(block)] = 1;
  return true;
}

void Votes::fold(int rater, Mask mask) {
  if (rater < 0 || rater >= raters_)
    throw InputError(fmt::format("there is no rater {} among {}", rater + 1, raters_));
  check_size(mask, voxels_, rater);
  std::visit(
      [&](auto& sets) {
        parallel_pieces(std::ssize(occupied_), kBlocksPerPiece, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t block = begin; block < end; ++block) fold_block(sets.get(), block, rater, mask);
        });
      },
      sets_);
}

std::int64_t Votes::keep_inside(Mask region) {
  if (static_cast<std::int64_t>(region.size()) != voxels_)
    throw InputError(
        fmt::format("the region has {} voxels, but the raters' grid has {}; it must lie on their grid",
                    region.size(), voxels_));
  std::int64_t forgotten = 0;
  std::visit(
      [&](auto& sets) {
        for (std::size_t block = 0; block < occupied_.size(); ++block) {
          if (occupied_[block] == 0) continue;
          const std::size_t begin = block * kBlock, end = std::min(begin + kBlock, region.size());
          for (std::size_t i = begin; i < end; ++i) {
            if (region[i] != 0 || sets[i] == 0) continue;
            sets[i] = 0;
            ++forgotten;
          }
        }
      },
      sets_);
  return forgotten;
}

Votes take_votes(std::int64_t voxels, std::span<const Mask> masks, const BlockVisitor& visitor) {
  Votes votes(voxels, static_cast<int>(std::min<std::size_t>(masks.size(), kMaxRaters + 1)));
  for (std::size_t k = 0; k < masks.size(); ++k) check_size(masks[k], voxels, static_cast<int>(k));
  std::visit(
      [&](auto& sets) {
        parallel_pieces(
            std::ssize(votes.occupied_), kBlocksPerPiece, [&](std::int64_t begin, std::int64_t end) {
              for (std::int64_t block = begin; block < end; ++block)
                for (std::size_t k = 0; k < masks.size(); ++k)
                  if (votes.fold_block(sets.get(), block, static_cast<int>(k), masks[k]) && visitor)
                    visitor(k, block_of(masks[k], block));
            });
      },
      votes.sets_);
  return votes;
}

}  // namespace crema
