// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "raters/open/classes.h"

namespace crema::raters {

/// One rater's map while it is read, channel after channel: logits become levels, and each channel that is
/// wanted goes on by itself.
class Channels {
 public:
  /// Takes the next levels of a structure, from voxel `first` on, in raster order.
  using Take = std::function<void(std::size_t structure, std::int64_t first, std::span<const float> part)>;

  Channels(const ClassPlan& plan, std::int64_t voxels, Logits logits, Take take);

  /// The next values; channels follow each other.
  void add(std::int64_t first, std::span<const float> part);

  /// What is left to do at the end.
  void finish();

  /// Whether values are looked at that no structure takes.
  [[nodiscard]] bool wants_all() const { return !sums_.empty() || !values_.empty(); }

  /// The sum of the channels that is farthest from 1, where they are to have that sum; else 1.
  [[nodiscard]] float worst_sum() const;

  /// Bytes that are held for each voxel of a map.
  static std::int64_t held_bytes(std::int32_t channels, Logits logits);

 private:
  void pass(std::int32_t channel, std::int64_t first, std::span<const float> part);
  void add_up(std::int64_t first, std::span<const float> part);
  void normalise();

  const ClassPlan& plan_;
  std::int64_t voxels_;
  Logits logits_;
  Take take_;
  std::vector<float> sums_;    ///< of all channels
  std::vector<float> values_;  ///< of all channels: a softmax needs them together
  std::vector<float> piece_;
};

}  // namespace crema::raters
