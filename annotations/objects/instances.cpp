// SPDX-License-Identifier: Apache-2.0
#include "annotations/objects/instances.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "annotations/objects/assignment.h"
#include "crema/base/error.h"

namespace crema::annotations {
namespace {

constexpr std::size_t kMaxObjects = 20000;

/// Two objects that have pixels in common.
struct Meeting {
  std::size_t a = 0, b = 0;
  std::int64_t common = 0;
};

std::int32_t right_of(const Patch& mask) { return mask.left + mask.box.width; }
std::int32_t bottom_of(const Patch& mask) { return mask.top + mask.box.height; }

double worth_of(const Meeting& one, const std::vector<Seen>& objects, Overlap overlap) {
  const std::int64_t a = objects[one.a].area, b = objects[one.b].area;
  const std::int64_t among = overlap == Overlap::iou ? a + b - one.common : std::min(a, b);
  return static_cast<double>(one.common) / static_cast<double>(among);
}

/// All pairs of objects of two annotators that meet, the annotator with the lower number first.
std::vector<Meeting> find_meetings(const std::vector<Seen>& objects) {
  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return objects[a].mask.left < objects[b].mask.left; });
  std::vector<Meeting> meetings;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Seen &first = objects[order[i]], &second = objects[order[j]];
      if (second.mask.left >= right_of(first.mask)) break;
      if (first.annotator == second.annotator) continue;
      const std::int64_t common = common_pixels(first.mask, second.mask);
      const bool in_order = first.annotator < second.annotator;
      if (common > 0)
        meetings.push_back({in_order ? order[i] : order[j], in_order ? order[j] : order[i], common});
    }
  return meetings;
}

using AnnotatorPair = std::pair<std::size_t, std::size_t>;

/// The best pairs of all two annotators.
std::vector<Match> matched_pairs(const std::vector<Seen>& objects, const std::vector<Meeting>& meetings,
                                 const InstanceOptions& options) {
  std::map<AnnotatorPair, std::vector<Match>> candidates;
  for (const Meeting& one : meetings)
    if (const double worth = worth_of(one, objects, options.overlap); worth >= options.threshold)
      candidates[{objects[one.a].annotator, objects[one.b].annotator}].push_back({one.a, one.b, worth});
  std::vector<Match> all;
  for (const auto& [pair, some] : candidates)
    for (const Match& one : best_matches(some)) all.push_back(one);
  std::sort(all.begin(), all.end(), [](const Match& a, const Match& b) {
    return a.worth != b.worth ? a.worth > b.worth : std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return all;
}

std::vector<std::vector<std::size_t>> join_pairs(const std::vector<Seen>& objects,
                                                 const std::vector<Match>& pairs) {
  std::vector<std::size_t> cluster(objects.size());
  std::iota(cluster.begin(), cluster.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> members(objects.size());
  std::vector<std::uint64_t> raters(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    members[i] = {i};
    raters[i] = std::uint64_t{1} << objects[i].annotator;
  }
  for (const Match& one : pairs) {
    std::size_t a = cluster[one.row], b = cluster[one.column];
    if (a == b || (raters[a] & raters[b]) != 0) continue;
    if (a > b) std::swap(a, b);
    for (const std::size_t member : members[b]) cluster[member] = a;
    members[a].insert(members[a].end(), members[b].begin(), members[b].end());
    members[b].clear();
    raters[a] |= raters[b];
  }
  std::erase_if(members, [](const auto& one) { return one.empty(); });
  for (auto& one : members)
    std::sort(one.begin(), one.end(),
              [&](std::size_t a, std::size_t b) { return objects[a].annotator < objects[b].annotator; });
  return members;
}

/// How much objects overlap that meet.
class Overlaps {
 public:
  Overlaps(const std::vector<Seen>& objects, const std::vector<Meeting>& meetings, Overlap overlap) {
    for (const Meeting& one : meetings) worth_[std::minmax(one.a, one.b)] = worth_of(one, objects, overlap);
  }
  [[nodiscard]] double of(std::size_t a, std::size_t b) const {
    const auto found = worth_.find(std::minmax(a, b));
    return found == worth_.end() ? 0 : found->second;
  }

 private:
  std::map<std::pair<std::size_t, std::size_t>, double> worth_;
};

/// As CVAT joins pairs: from the first annotator's objects on, whatever is paired with a member, of an
/// annotator who has none in the cluster, and overlaps enough with all members.
std::vector<std::vector<std::size_t>> grow_clusters(const std::vector<Seen>& objects,
                                                    const std::vector<Match>& pairs, const Overlaps& overlaps,
                                                    double threshold) {
  std::vector<std::vector<std::size_t>> paired(objects.size());
  for (const Match& one : pairs) paired[one.row].push_back(one.column);
  std::vector<bool> taken(objects.size(), false);
  std::vector<std::vector<std::size_t>> clusters;
  for (std::size_t first = 0; first < objects.size(); ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> cluster{first};
    for (std::size_t m = 0; m < cluster.size(); ++m) {
      std::vector<std::size_t>& next = paired[cluster[m]];
      std::sort(next.begin(), next.end());
      for (const std::size_t other : next) {
        const auto keeps_out = [&](std::size_t member) {
          return objects[member].annotator == objects[other].annotator ||
                 overlaps.of(member, other) < threshold;
        };
        if (taken[other] || std::any_of(cluster.begin(), cluster.end(), keeps_out)) continue;
        cluster.push_back(other);
        taken[other] = true;
      }
    }
    std::sort(cluster.begin(), cluster.end());
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

/// One object that holds at least half of each of several of somebody else.
std::vector<Split> find_splits(const std::vector<Seen>& objects, const std::vector<Meeting>& meetings) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> inside;
  for (const Meeting& one : meetings) {
    if (2 * one.common >= objects[one.b].area) inside[{one.a, objects[one.b].annotator}].push_back(one.b);
    if (2 * one.common >= objects[one.a].area) inside[{one.b, objects[one.a].annotator}].push_back(one.a);
  }
  std::vector<Split> splits;
  for (auto& [whole, pieces] : inside) {
    if (pieces.size() < 2) continue;
    std::sort(pieces.begin(), pieces.end());
    splits.push_back({whole.first, pieces});
  }
  return splits;
}

/// How much of a pixel lies between two places along an axis.
double covered(std::int32_t pixel, double from, double to) {
  return std::max(0.0, std::min(to, pixel + 1.0) - std::max(from, static_cast<double>(pixel)));
}

}  // namespace

InstanceOptions cvat_rule() { return {.threshold = 0.4, .keep = Keep::nearest_box}; }

std::int64_t common_pixels(const Patch& a, const Patch& b) {
  const std::int32_t left = std::max(a.left, b.left), right = std::min(right_of(a), right_of(b));
  const std::int32_t top = std::max(a.top, b.top), bottom = std::min(bottom_of(a), bottom_of(b));
  std::int64_t common = 0;
  for (std::int32_t y = top; y < bottom; ++y) {
    const std::uint8_t* const in_a = a.row(y - a.top);
    const std::uint8_t* const in_b = b.row(y - b.top);
    for (std::int32_t x = left; x < right; ++x) common += in_a[x - a.left] & in_b[x - b.left];
  }
  return common;
}

Matching match_objects(const std::vector<Seen>& objects, const InstanceOptions& options) {
  if (objects.size() > kMaxObjects)
    throw InputError(fmt::format("{} objects of one category in one picture; at most {} can be matched.",
                                 objects.size(), kMaxObjects));
  const std::vector<Meeting> meetings = find_meetings(objects);
  const std::vector<Match> pairs = matched_pairs(objects, meetings, options);
  const bool grown = options.keep == Keep::nearest_box;
  return {grown
              ? grow_clusters(objects, pairs, Overlaps(objects, meetings, options.overlap), options.threshold)
              : join_pairs(objects, pairs),
          find_splits(objects, meetings)};
}

std::size_t nearest_to_mean_box(const std::vector<Seen>& objects, const std::vector<std::size_t>& cluster) {
  double left = 0, top = 0, right = 0, bottom = 0;
  const auto count = static_cast<double>(cluster.size());
  for (const std::size_t i : cluster) {
    const Patch& mask = objects[i].mask;
    left += mask.left / count;
    top += mask.top / count;
    right += right_of(mask) / count;
    bottom += bottom_of(mask) / count;
  }
  const auto likeness = [&](std::size_t i) {
    const Patch& mask = objects[i].mask;
    double common = 0;
    for (std::int32_t y = 0; y < mask.box.height; ++y) {
      const double height = covered(mask.top + y, top, bottom);
      for (std::int32_t x = 0; x < mask.box.width; ++x)
        if (mask.row(y)[x] != 0) common += height * covered(mask.left + x, left, right);
    }
    return common / ((right - left) * (bottom - top) + static_cast<double>(objects[i].area) - common);
  };
  return *std::max_element(cluster.begin(), cluster.end(),
                           [&](std::size_t a, std::size_t b) { return likeness(a) < likeness(b); });
}

bool suffices(std::size_t members, std::size_t looked, const InstanceOptions& options) {
  if (options.quorum > 0) return members >= static_cast<std::size_t>(options.quorum);
  return options.keep == Keep::nearest_box ? 2 * members >= looked : 2 * members > looked;
}

}  // namespace crema::annotations
