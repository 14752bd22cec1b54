// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/misplaced.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "crema/agreement/level_agreement.h"
#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/reduction.h"

namespace crema {
namespace {

/// Whoever overlaps by less is looked at where the others agree better by so much.
constexpr double kFair = 0.75, kApart = 0.15;
/// A flip is reported that raises the Dice by so much to at least so much. A shift is free to fit, so that it
/// has to do nearly as well as the others do with each other; beside one other, it has to fit closely.
constexpr double kGain = 0.25, kFlipped = 0.5, kShifted = 0.7, kAlone = 0.85, kNearly = 0.05;
/// Voxels that a shift is followed one by one, and runs that may be looked at on the way.
constexpr std::int64_t kSteps = 24, kMaxLooks = 20'000'000;
/// Below it, or below that share of how well others agree who agree by as much, a mask does not resemble
/// theirs: a threshold makes a mask of any image, and that meets others by chance.
constexpr double kUnlike = 0.1, kShare = 0.25, kAgree = 0.5;
/// A mask so many times as large as any other, of this share of the image or more, dwarfs them.
constexpr std::int64_t kTimes = 10, kMinPart = 50;
/// Masks that all have fewer voxels are alike or not by chance.
constexpr std::int64_t kFewVoxels = 30;

/// The Dice of pairs of raters, pooled: of each with all others, and of these among themselves.
class Pooled {
 public:
  explicit Pooled(const Reduction& reduction)
      : size(static_cast<std::size_t>(reduction.raters)), common(size.size()) {
    for (const Crowns& crowns : reduction.crowns)
      for (const Subcrown& row : crowns.tally.rows) {
        const std::int64_t pairs = row.voxels * (std::popcount(row.raters) - 1);
        for (Raters left = row.raters; left != 0; left &= left - 1) {
          const auto k = static_cast<std::size_t>(std::countr_zero(left));
          size[k] += row.voxels;
          common[k] += pairs;
        }
      }
    for (std::size_t k = 0; k < size.size(); ++k) {
      active += size[k] > 0 ? 1 : 0;
      all_sizes += size[k];
      all_common += common[k];
    }
  }

  /// With `shared` voxels in common, over all others.
  [[nodiscard]] double dice(std::size_t k, std::int64_t shared) const {
    const std::int64_t sizes = (active - 1) * size[k] + all_sizes - size[k];
    return sizes > 0 ? 2 * static_cast<double>(shared) / static_cast<double>(sizes) : 0;
  }
  [[nodiscard]] double dice(std::size_t k) const { return dice(k, common[k]); }
  /// Of this mask, or of the others in the mean, whichever is larger.
  [[nodiscard]] std::int64_t voxels(std::size_t k) const {
    return std::max(size[k], (all_sizes - size[k]) / std::max<std::int64_t>(active - 1, 1));
  }
  [[nodiscard]] double others(std::size_t k) const {
    if (active < 3) return 1;
    const std::int64_t sizes = (active - 2) * (all_sizes - size[k]);
    return sizes > 0 ? static_cast<double>(all_common - 2 * common[k]) / static_cast<double>(sizes) : 0;
  }

  std::vector<std::int64_t> size, common;  ///< common: summed over the others
  std::int64_t active = 0, all_sizes = 0, all_common = 0;
};

std::vector<std::size_t> far_off(const Pooled& pooled) {
  std::vector<std::size_t> raters;
  for (std::size_t k = 0; k < pooled.size.size(); ++k)
    if (pooled.common[k] > 0 && pooled.voxels(k) >= kFewVoxels && pooled.dice(k) < kFair &&
        pooled.others(k) > pooled.dice(k) + kApart)
      raters.push_back(k);
  // Of two raters the second one is reported.
  if (pooled.active == 2 && raters.size() == 2) raters.erase(raters.begin());
  return raters;
}

std::optional<Misplaced> find_oversized(const Pooled& pooled, std::int64_t image) {
  const auto largest = std::max_element(pooled.size.begin(), pooled.size.end());
  std::int64_t other = 0;
  for (auto size = pooled.size.begin(); size != pooled.size.end(); ++size)
    if (size != largest) other = std::max(other, *size);
  if (other == 0 || *largest < kTimes * other || *largest < image / kMinPart) return {};
  const auto rater = static_cast<std::size_t>(largest - pooled.size.begin());
  return Misplaced{.rater = static_cast<int>(rater),
                   .kind = Misplaced::Kind::oversized,
                   .dice = pooled.dice(rater),
                   .others = pooled.others(rater),
                   .times = *largest / other};
}

class Attempt {
 public:
  Attempt(const Grid& grid, const std::vector<VoxelSet>& sets, const Pooled& pooled, std::size_t rater)
      : grid_(grid), sets_(sets), pooled_(pooled), rater_(rater) {
    found_ = {.rater = static_cast<int>(rater), .dice = pooled.dice(rater), .others = pooled.others(rater)};
  }

  std::optional<Misplaced> solve() {
    const bool movable = !sets_.empty() && pooled_.size[rater_] >= kFewVoxels;
    if (movable) try_flips();
    if (movable && found_.better == 0) try_shifts();
    if (found_.better > 0) return found_;
    if (pooled_.active > 2 && found_.dice < std::max(kUnlike, kShare * found_.others) &&
        found_.others >= kAgree)
      return found_;
    return {};
  }

 private:
  [[nodiscard]] double dice_of(const VoxelSet& changed) const {
    std::int64_t shared = 0;
    for (std::size_t k = 0; k < sets_.size(); ++k)
      if (k != rater_) shared += count_common(changed, sets_[k]);
    return pooled_.dice(rater_, shared);
  }

  [[nodiscard]] bool raises(double dice, double least) const {
    return dice >= std::max(least, found_.dice + kGain) && dice > found_.better;
  }

  void try_flips() {
    constexpr std::array orders{1U, 2U, 4U, 3U, 5U, 6U, 7U};  // one axis before two
    for (const unsigned bits : orders) {
      if (grid_.flat() && bits >= 4) continue;
      const std::array axes{(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0};
      const double dice = dice_of(flip(grid_, sets_[rater_], axes));
      if (!raises(dice, kFlipped)) continue;
      found_.kind = Misplaced::Kind::flipped;
      found_.flipped = axes;
      found_.better = dice;
    }
  }

  /// Shifts that bring landmarks together, and from the best one on neighbours as long as they fit better.
  void try_shifts() {
    Point best{};
    double dice = found_.dice;
    const auto offer = [&](const Point& shift) {
      const double moved = dice_of(move(grid_, sets_[rater_], shift));
      if (moved <= dice) return false;
      best = shift;
      dice = moved;
      return true;
    };
    const Landmarks own = find_landmarks(grid_, sets_[rater_]);
    std::int64_t runs = 1;
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      runs += std::ssize(sets_[k].runs) + std::ssize(sets_[rater_].runs);
      if (k == rater_ || sets_[k].voxels == 0) continue;
      for (const Point& shift : shifts_between(own, find_landmarks(grid_, sets_[k]))) offer(shift);
    }
    const std::size_t axes = grid_.flat() ? 2 : 3;
    bool better = true;
    for (std::int64_t left = std::min(kSteps, kMaxLooks / runs); better && left > 0; --left) {
      const Point from = best;
      better = false;
      for (std::size_t a = 0; a < axes; ++a)
        for (const int step : {-1, 1}) {
          Point next = from;
          next[a] += step;
          better = offer(next) || better;
        }
    }
    const double least = pooled_.active > 2 ? std::max(kShifted, found_.others - kNearly) : kAlone;
    if (!raises(dice, least)) return;
    found_.kind = Misplaced::Kind::shifted;
    found_.shift = best;
    found_.better = dice;
  }

  const Grid& grid_;
  const std::vector<VoxelSet>& sets_;
  const Pooled& pooled_;
  std::size_t rater_;
  Misplaced found_;
};

bool affordable(const Reduction& reduction, const MemoryAccount* memory) {
  try {
    if (memory != nullptr) require_sets(reduction, *memory);
    return true;
  } catch (const ResourceError&) {
    return false;
  }
}

}  // namespace

std::vector<Misplaced> find_misplaced(const Reduction& reduction, const MemoryAccount* memory,
                                      Origins origins) {
  const Pooled pooled(reduction);
  std::vector<Misplaced> list;
  std::vector<std::size_t> raters = without_alike(reduction, far_off(pooled), kFair);
  const auto oversized = find_oversized(pooled, reduction.grid.voxels());
  if (oversized && origins == Origins::cut) {
    list.push_back(*oversized);
    std::erase(raters, static_cast<std::size_t>(oversized->rater));
  }
  if (raters.empty()) return list;
  std::vector<VoxelSet> sets;  // none where there is no memory for them: a fusion needs none of this
  if (affordable(reduction, memory)) sets = sets_of_raters(reduction);
  for (const std::size_t rater : raters)
    if (const auto found = Attempt(reduction.grid, sets, pooled, rater).solve()) list.push_back(*found);
  return list;
}

}  // namespace crema
