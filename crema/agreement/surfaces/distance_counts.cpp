// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/distance_counts.h"

#include <algorithm>
#include <cmath>

#include "crema/base/bits.h"

namespace crema {
namespace {

using Times = DistanceCounts::Times;

/// Counts how often each distance occurs, by hashing: sorting all of them would take longer.
class Counter {
 public:
  Counter() : slots_(std::size_t{1} << kFirstBits, kNone) {}

  void count(double distance) {
    std::size_t slot = first_place_of(distance);
    if (slots_[slot] != kNone && found[slots_[slot]].distance == distance) {
      ++found[slots_[slot]].times;
      return;
    }
    slot = place_of(distance);
    if (slots_[slot] == kNone) {
      if (2 * (found.size() + 1) > slots_.size()) {
        grow();
        slot = place_of(distance);
      }
      slots_[slot] = static_cast<std::uint32_t>(found.size());
      found.push_back({distance, 0});
    }
    ++found[slots_[slot]].times;
  }

  std::vector<Times> found;  ///< in the order in which they were met

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr int kFirstBits = 7;

  [[nodiscard]] std::size_t first_place_of(double distance) const {
    const std::uint64_t hash = bits_as<std::uint64_t>(distance) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(hash >> shift_);
  }

  /// The slot of a distance, or the empty one where it belongs.
  [[nodiscard]] std::size_t place_of(double distance) const {
    std::size_t slot = first_place_of(distance);
    while (slots_[slot] != kNone && found[slots_[slot]].distance != distance)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    shift_ -= 2;
    slots_.assign(slots_.size() * 4, kNone);
    for (std::size_t i = 0; i < found.size(); ++i)
      slots_[place_of(found[i].distance)] = static_cast<std::uint32_t>(i);
  }

  std::vector<std::uint32_t> slots_;
  int shift_ = 64 - kFirstBits;
};

bool shorter(const Times& a, const Times& b) { return a.distance < b.distance; }

/// Of distances that rise.
double percentile_of(const std::vector<Times>& distances, std::int64_t count, double share) {
  const double place = share * static_cast<double>(count - 1), below = std::floor(place);
  auto at = distances.begin();
  std::int64_t passed = at->times;
  while (passed <= static_cast<std::int64_t>(below)) passed += (++at)->times;
  if (place == below || passed == count) return at->distance;
  const double next = passed > static_cast<std::int64_t>(below) + 1 ? at->distance : (at + 1)->distance;
  return at->distance + (place - below) * (next - at->distance);
}

}  // namespace

DistanceCounts count_distances(const std::vector<double>& distances) {
  DistanceCounts counts{.distances = {}, .count = std::ssize(distances)};
  Counter counter;
  for (const double distance : distances) {
    counts.sum += distance;
    counter.count(distance);
  }
  counts.distances = std::move(counter.found);
  std::sort(counts.distances.begin(), counts.distances.end(), shorter);
  counts.distances.shrink_to_fit();
  return counts;
}

std::int64_t DistanceCounts::within(double longest) const {
  std::int64_t shorter_ones = 0;
  for (const Times& one : distances) shorter_ones += one.distance <= longest ? one.times : 0;
  return shorter_ones;
}

double DistanceCounts::percentile(double share) const { return percentile_of(distances, count, share); }

double pooled_percentile(const DistanceCounts& a, const DistanceCounts& b, double share) {
  std::vector<Times> both(a.distances.size() + b.distances.size());
  std::merge(a.distances.begin(), a.distances.end(), b.distances.begin(), b.distances.end(), both.begin(),
             shorter);
  return percentile_of(both, a.count + b.count, share);
}

}  // namespace crema
