// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes/votes.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/voxels/votes/kernels.h"

namespace crema {
namespace {

constexpr std::int64_t kBlocksPerPiece = 128;

/// Where a rater marked something, most is background still; wide sets are not touched for it.
template <class Set>
void fold_voxels(Set* sets, Mask mask, int rater) {
  constexpr std::size_t kStretch = 256;
  const Kernels& with = kernels();
  for (std::size_t i = 0; i < mask.size(); i += kStretch) {
    const Mask part = mask.subspan(i, std::min(kStretch, mask.size() - i));
    if (with.bytes.any(part.data(), part.size()) != 0)
      with.sets<Set>().fold(sets + i, part.data(), part.size(), static_cast<Set>(Set{1} << rater));
  }
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

bool marks_anything(Mask mask) { return kernels().bytes.any(mask.data(), mask.size()) != 0; }

Votes::Votes(std::int64_t voxels, int raters) : raters_(raters), voxels_(voxels) {
  if (raters < 1) throw InputError("no masks were given; a consensus needs at least one rater");
  if (raters > kMaxRaters)
    throw InputError(
        fmt::format("{} masks were given, but at most {} raters fit; leave some out", raters, kMaxRaters));
  if (voxels < 0)
    throw InputError(fmt::format("the grid has {} voxels; every size must be positive", voxels));
  const auto count = static_cast<std::size_t>(voxels);
  if (raters <= 8)
    sets_ = Canvas<std::uint8_t>(count);
  else if (raters <= 16)
    sets_ = Canvas<std::uint16_t>(count);
  else if (raters <= 32)
    sets_ = Canvas<std::uint32_t>(count);
  else
    sets_ = Canvas<std::uint64_t>(count);
  occupied_.assign(static_cast<std::size_t>((voxels + kBlock - 1) / kBlock), 0);
}

/// Most of a mask is background, which is read once and costs nothing more.
template <class Set>
std::uint8_t Votes::fold_block(Set* sets, std::int64_t block, int rater, Mask mask) {
  const Mask part = block_of(mask, block);
  const std::uint8_t bits = kernels().bytes.any(part.data(), part.size());
  if (bits == 0) return 0;
  occupy(sets, block);
  fold_voxels(sets + block * kBlock, part, rater);
  return bits;
}

/// The first touch of a page is a write: a page that is read first is shared with all empty ones, and taking
/// that back stops every thread.
template <class Set>
void Votes::occupy(Set* sets, std::int64_t block) {
  std::uint8_t& occupied = occupied_[static_cast<std::size_t>(block)];
  if (occupied != 0) return;
  occupied = 1;
  constexpr std::int64_t kPage = 4096 / sizeof(Set);
  volatile Set* const empty = sets;
  for (std::int64_t v = block * kBlock; v < std::min(voxels_, (block + 1) * kBlock); v += kPage) empty[v] = 0;
}

void Votes::check_rater(int rater) const {
  if (rater < 0 || rater >= raters_)
    throw InputError(fmt::format("there is no rater {} among {}", rater + 1, raters_));
}

void Votes::fold(int rater, Mask mask) {
  check_rater(rater);
  check_size(mask, voxels_, rater);
  std::visit(
      [&](auto& sets) {
        parallel_pieces(std::ssize(occupied_), kBlocksPerPiece, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t block = begin; block < end; ++block) fold_block(sets.data(), block, rater, mask);
        });
      },
      sets_);
}

void Votes::fold_part(int rater, std::int64_t first, Mask part) {
  check_rater(rater);
  if (first < 0 || std::ssize(part) > voxels_ - first)
    throw InputError(fmt::format("rater {}: {} voxels from voxel {} on do not lie in a grid of {} voxels",
                                 rater + 1, part.size(), first, voxels_));
  std::visit(
      [&](auto& sets) {
        for (std::int64_t v = first / kBlock * kBlock; v < first + std::ssize(part); v += kBlock)
          occupy(sets.data(), v / kBlock);
        fold_voxels(sets.data() + first, part, rater);
      },
      sets_);
}

std::int64_t Votes::bytes_per_voxel() const {
  return visit([]<class Set>(const Set*) { return static_cast<std::int64_t>(sizeof(Set)); });
}

std::int64_t Votes::bytes() const {
  const auto blocks = std::count(occupied_.begin(), occupied_.end(), std::uint8_t{1});
  return std::min(voxels_, blocks * kBlock) * bytes_per_voxel();
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
          const std::size_t begin = block * kBlock;
          const std::size_t end = std::min<std::size_t>(begin + kBlock, region.size());
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
                  if (const auto bits = votes.fold_block(sets.data(), block, static_cast<int>(k), masks[k]);
                      bits != 0 && visitor)
                    visitor(k, block_of(masks[k], block), bits);
            });
      },
      votes.sets_);
  return votes;
}

}  // namespace crema
