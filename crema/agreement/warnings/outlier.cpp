// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/outlier.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/level_agreement.h"
#include "crema/agreement/pairs.h"
#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/agreement/warnings/misplaced.h"
#include "crema/agreement/warnings/moved_set.h"
#include "crema/base/memory.h"
#include "crema/reduction.h"

namespace crema {
namespace {

constexpr std::int64_t kHandful = 4;  ///< fewer voxels match others wherever they are moved
/// The Dice from which on two masks are taken to show the same thing. A shift brings any two of them
/// together, so that they have to be much alike then.
constexpr double kAlike = 0.3, kAlikeShifted = 0.7;

/// One mask against the others.
class Inquiry {
 public:
  Inquiry(const Grid& grid, const std::vector<VoxelSet>& sets, std::size_t rater)
      : grid_(grid), sets_(sets), rater_(rater) {}

  /// A mirrored axis is a likelier mishap than an exchanged one, and that than a shift, which alone is free
  /// to fit: the likelier one is reported unless a later one does much better.
  Suspicion solve() {
    constexpr double kMuchBetter = 0.2;
    if (own().voxels >= kHandful) {
      try_flips();
      try_exchanges();
      try_shifts();
    }
    double largest = 0;
    for (const Suspicion& one : best_) largest = std::max(largest, one.dice);
    Suspicion found;
    for (const Suspicion& one : best_) {
      const double least = one.kind == Suspicion::Kind::shifted ? kAlikeShifted : kAlike;
      if (one.dice >= std::max(least, largest - kMuchBetter) && found.like < 0) found = one;
    }
    found.rater = static_cast<int>(rater_);
    return found;
  }

 private:
  [[nodiscard]] const VoxelSet& own() const { return sets_[rater_]; }

  /// Remembers what `how` says when the mask then resembles somebody more than before.
  void compare(const VoxelSet& changed, const Suspicion& how) {
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      if (k == rater_) continue;
      const double alike = dice({own().voxels, sets_[k].voxels, count_common(changed, sets_[k])}).value_or(0);
      Suspicion& best = best_[static_cast<std::size_t>(how.kind)];
      if (alike <= best.dice) continue;
      best = how;
      best.like = static_cast<int>(k);
      best.dice = alike;
    }
  }

  void try_flips() {
    constexpr std::array orders{1U, 2U, 4U, 3U, 5U, 6U, 7U};  // one axis before two
    for (const unsigned bits : orders) {
      if (grid_.flat() && bits >= 4) continue;
      Suspicion how{.kind = Suspicion::Kind::flipped};
      for (unsigned a = 0; a < 3; ++a) how.flipped[a] = (bits >> a & 1U) != 0;
      compare(flip(grid_, own(), how.flipped), how);
    }
  }

  void try_exchanges() {
    for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      if (grid_.size[a] != grid_.size[b]) continue;
      Suspicion how{.kind = Suspicion::Kind::exchanged};
      how.exchanged = {static_cast<Axis>(a), static_cast<Axis>(b)};
      compare(exchange(grid_, own(), a, b), how);
    }
  }

  void try_shifts() {
    const Landmarks marks = find_landmarks(grid_, own());
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      if (k == rater_ || sets_[k].voxels == 0) continue;
      for (const Point& shift : shifts_between(marks, find_landmarks(grid_, sets_[k]))) {
        Suspicion how{.kind = Suspicion::Kind::shifted};
        how.shift = shift;
        compare(move(grid_, own(), shift), how);
      }
    }
  }

  const Grid& grid_;
  const std::vector<VoxelSet>& sets_;
  std::size_t rater_;
  std::array<Suspicion, 4> best_;  ///< of each kind
};

/// Raters who drew something, but nothing that anybody else drew.
std::vector<std::size_t> find_apart(const Reduction& reduction) {
  const auto raters = static_cast<std::size_t>(reduction.raters);
  Raters drew = 0, shares = 0;
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows) {
      drew |= row.raters;
      if (!std::has_single_bit(row.raters)) shares |= row.raters;
    }
  std::vector<std::size_t> apart;
  for (std::size_t k = 0; k < raters; ++k)
    if (((drew & ~shares) >> k & 1) != 0) apart.push_back(k);
  const int active = std::popcount(drew);
  if (active < 2) return {};
  if (active == 2 && apart.size() == 2) apart.erase(apart.begin());
  return apart;
}

/// "moved by 3, 0 voxels along x and y it would match them (0.90); check …": a file that does not say how
/// large its voxels are does not say where they lie either.
std::string moved(const Grid& grid, const Point& shift, const std::string& match) {
  const std::string way = grid.flat() ? fmt::format("{}, {} voxels along x and y", shift[0], shift[1])
                                      : fmt::format("{} voxels along x, y and z", fmt::join(shift, ", "));
  return fmt::format("moved by {} it would match {}; check {}.", way, match,
                     grid.measured ? "the origin that its file declares" : "that it is of the same image");
}

Warning describe(const Grid& grid, const Suspicion& suspicion, std::span<const std::string> names) {
  const auto name = [&](int rater) { return names[static_cast<std::size_t>(rater)]; };
  const std::string who = fmt::format("{} shares no voxel with any other rater", name(suspicion.rater));
  if (suspicion.kind == Suspicion::Kind::apart)
    return {fmt::format("{}; check that it is the mask of this image.", who), WarningKind::no_overlap};
  const std::string whom = fmt::format("{} (Dice {:.2f})", name(suspicion.like), suspicion.dice);
  const std::string match = "would match " + whom;
  if (suspicion.kind == Suspicion::Kind::flipped)
    return {fmt::format("{}, but mirrored along {} it {}; check the orientation that its file declares.", who,
                        axes_in_words(suspicion.flipped), match),
            WarningKind::mirrored};
  if (suspicion.kind == Suspicion::Kind::exchanged)
    return {fmt::format("{}, but with {} and {} exchanged it {}; check the order of axes in its file.", who,
                        "xyz"[static_cast<std::size_t>(suspicion.exchanged[0])],
                        "xyz"[static_cast<std::size_t>(suspicion.exchanged[1])], match),
            WarningKind::mirrored};
  return {fmt::format("{}, but {}", who, moved(grid, suspicion.shift, whom)), WarningKind::shifted};
}

/// What a flip or a shift would do to a mask that overlaps too little.
Warning describe(const Grid& grid, const Misplaced& found, std::span<const std::string> names) {
  const std::string& name = names[static_cast<std::size_t>(found.rater)];
  if (found.kind == Misplaced::Kind::oversized)
    return {fmt::format("{} is {} times as large as any other; check that it is a mask, not an image.", name,
                        found.times),
            WarningKind::unlike};
  const std::string who = fmt::format("{} overlaps little with the others (Dice {:.2f})", name, found.dice);
  if (found.kind == Misplaced::Kind::unlike)
    return {fmt::format("{}, who agree with each other ({:.2f}); check that it is a mask of this image.", who,
                        found.others),
            WarningKind::unlike};
  if (found.kind == Misplaced::Kind::flipped)
    return {fmt::format("{}, but mirrored along {} it would match them ({:.2f}); check the orientation that "
                        "its file declares.",
                        who, axes_in_words(found.flipped), found.better),
            WarningKind::mirrored};
  return {
      fmt::format("{}, but {}", who, moved(grid, found.shift, fmt::format("them ({:.2f})", found.better))),
      WarningKind::shifted};
}

}  // namespace

OutlierReport find_outlier(const Reduction& reduction) {
  OutlierReport report;
  const auto raters = static_cast<std::size_t>(reduction.raters);
  std::vector<double> dice_sum(raters, 0), jaccard_sum(raters, 0), pairs(raters, 0), farthest(raters, -1);
  report.raters.resize(raters);
  for (const RaterPair& pair : compare_pairs(reduction)) {
    if (!pair.dice.defined()) continue;
    for (const auto& [own, other] : {std::pair{pair.a, pair.b}, {pair.b, pair.a}}) {
      const auto k = static_cast<std::size_t>(own);
      dice_sum[k] += 1 - *pair.dice;
      jaccard_sum[k] += 1 - *pair.jaccard;
      ++pairs[k];
      if (1 - *pair.dice <= farthest[k]) continue;
      farthest[k] = 1 - *pair.dice;
      report.raters[k].farthest_from = other;
    }
  }
  double largest = -1;
  for (std::size_t k = 0; k < raters; ++k) {
    RaterDistance& one = report.raters[k];
    one.rater = static_cast<int>(k);
    one.dice = one.jaccard = raters < 2 ? Undefined::one_rater : Undefined::both_empty;
    if (pairs[k] == 0) continue;
    one.dice = dice_sum[k] / pairs[k];
    one.jaccard = jaccard_sum[k] / pairs[k];
    if (*one.dice >= largest) report.outlier = *one.dice > largest ? std::optional(one.rater) : std::nullopt;
    largest = std::max(largest, *one.dice);
  }
  return report;
}

std::vector<Suspicion> find_suspicions(const Reduction& reduction, const MemoryAccount* memory) {
  const auto apart = without_alike(reduction, find_apart(reduction), kAlike);
  if (apart.empty()) return {};
  if (memory != nullptr) require_sets(reduction, *memory);
  const auto sets = sets_of_raters(reduction);
  std::vector<Suspicion> list;
  for (const std::size_t rater : apart) list.push_back(Inquiry(reduction.grid, sets, rater).solve());
  return list;
}

std::string axes_in_words(const std::array<bool, 3>& axes) {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < 3; ++a)
    if (axes[a]) names.emplace_back(1, "xyz"[a]);
  if (names.empty()) return "";
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// The same cause has the same words in all labels, but for numbers and for who is matched.
template <class Found>
std::string cause_of(const Found& found) {
  const std::array<bool, 3>& flipped = found.flipped;
  return fmt::format("{} {} {} {} {} {}", found.rater, flipped[0], flipped[1], flipped[2],
                     fmt::join(found.shift, " "), static_cast<int>(found.kind));
}

Warnings warnings_about_outliers(const Reduction& reduction, std::span<const std::string> names,
                                 const MemoryAccount* memory, Origins origins) {
  Warnings warnings;
  const auto add = [&](const auto& found, std::string_view how) {
    warnings.push_back(describe(reduction.grid, found, names));
    warnings.back().cause = fmt::format("{} {}", how, cause_of(found));
  };
  for (const Suspicion& suspicion : find_suspicions(reduction, memory)) add(suspicion, "apart");
  for (const Misplaced& found : find_misplaced(reduction, memory, origins)) add(found, "misplaced");
  return warnings;
}

}  // namespace crema
