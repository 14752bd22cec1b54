// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/detection.h"

#include <algorithm>

#include "crema/agreement/detect_parts.h"
#include "crema/base/parallel.h"
#include "crema/options.h"
#include "crema/reduction.h"
#include "crema/solution.h"

namespace crema {
namespace {

/// Which parts of the other side parts meet.
struct Met {
  std::int64_t found = 0;              ///< parts that meet any
  std::vector<Junction> several = {};  ///< those that meet several
};

/// Of a million parts nearly all meet one other: of these no more than a number is held.
template <class Own, class Other>
Met find_met(const Parts& parts, const std::vector<Meeting>& meetings, Own own, Other other) {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> count(parts.list.size(), 0);
  for (const Meeting& meeting : meetings) ++count[own(meeting)];
  Met met{.found = std::count_if(count.begin(), count.end(), [](std::uint32_t n) { return n > 0; })};
  std::vector<std::uint32_t>& place = count;  // in the list of those that meet several
  for (std::uint32_t p = 0; p < place.size(); ++p) {
    const bool several = count[p] > 1;
    place[p] = several ? static_cast<std::uint32_t>(met.several.size()) : kNone;
    if (several) met.several.push_back({p, parts.list[p].box});
  }
  for (const Meeting& meeting : meetings)
    if (place[own(meeting)] != kNone) met.several[place[own(meeting)]].meets.push_back(other(meeting));
  return met;
}

Measured harmonic_mean(const Measured& precision, const Measured& recall) {
  if (!precision.defined() && !recall.defined()) return Undefined::both_empty;
  const double p = precision.value_or(0), r = recall.value_or(0);
  return p + r == 0 ? 0 : 2 * p * r / (p + r);
}

Detection compare(const Parts& own, const Parts& truth, int rater) {
  const auto meetings = find_meetings(own, truth);
  const auto a = [](const Meeting& m) { return m.a; };
  const auto b = [](const Meeting& m) { return m.b; };
  Met of_own = find_met(own, meetings, a, b), of_truth = find_met(truth, meetings, b, a);
  Detection found{.rater = rater};
  found.own_parts = std::ssize(own.list);
  found.own_found = of_own.found;
  found.consensus_parts = std::ssize(truth.list);
  found.consensus_found = of_truth.found;
  found.precision = precision({found.own_parts, found.consensus_parts, found.own_found});
  found.recall = recall({found.own_parts, found.consensus_parts, found.consensus_found});
  found.f1 = harmonic_mean(found.precision, found.recall);
  found.splits = std::move(of_truth.several);
  found.merges = std::move(of_own.several);
  return found;
}

template <class List>
MeanAgreement mean_agreement(const List& list) {
  std::vector<Measured> precision, recall, f1;
  for (const auto& one : list) {
    precision.push_back(one.precision);
    recall.push_back(one.recall);
    f1.push_back(one.f1);
  }
  return {mean_of(precision), mean_of(recall), mean_of(f1)};
}

/// Takes values one by one, as mean_of() would take them all.
struct RunningMean {
  double sum = 0;
  std::int64_t all = 0, defined = 0;

  void add(const Measured& value) {
    sum += value.value_or(0);
    ++all;
    defined += value.defined() ? 1 : 0;
  }
  [[nodiscard]] BothMeans means() const {
    const auto count = static_cast<double>(all), known = static_cast<double>(defined);
    BothMeans found{.counted = all == 0 ? 1 : (sum + count - known) / count};
    if (defined > 0) found.left_out = sum / known;
    return found;
  }
};

/// `parts` gives those of a rater.
template <class F>
DetectionReport detect_all(const Reduction& reduction, std::size_t raters, const VoxelSet& consensus,
                           F parts) {
  const Parts truth = find_parts(reduction.grid, consensus, reduction.neighbourhood);
  DetectionReport report{.parts = std::ssize(truth.list), .isolated = truth.isolated()};
  report.raters.resize(raters);
  parallel_for(std::ssize(report.raters), [&](std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    report.raters[k] = compare(parts(k), truth, static_cast<int>(i));
  });
  return report;
}

}  // namespace

std::vector<Parts> parts_of(const Reduction& reduction, std::span<const VoxelSet> raters) {
  std::vector<Parts> parts(raters.size());
  parallel_for(std::ssize(raters), [&](std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    parts[k] = find_parts(reduction.grid, raters[k], reduction.neighbourhood);
  });
  return parts;
}

DetectionReport detect_parts(const Reduction& reduction, std::span<const Parts> raters,
                             const VoxelSet& consensus) {
  return detect_all(reduction, raters.size(), consensus,
                    [&](std::size_t k) -> const Parts& { return raters[k]; });
}

DetectionReport detect(const Reduction& reduction, std::span<const VoxelSet> raters,
                       const VoxelSet& consensus) {
  return detect_all(reduction, raters.size(), consensus, [&](std::size_t k) {
    return find_parts(reduction.grid, raters[k], reduction.neighbourhood);
  });
}

DetectionReport detect(const Reduction& reduction, const Solution& solution, const Options& options) {
  DetectionReport report;
  with_threads(options.threads, [&] {
    report = detect(reduction, sets_of_raters(reduction), set_of_consensus(reduction, solution, options));
  });
  return report;
}

BothMeans mean_of(std::span<const Measured> values) {
  RunningMean mean;
  for (const Measured& value : values) mean.add(value);
  return mean.means();
}

MeanAgreement mean_detection(const DetectionReport& report) { return mean_agreement(report.raters); }

std::vector<ComponentOverlap> compare_component(const Tally& tally, const Decision& decision) {
  std::vector<ComponentOverlap> list(static_cast<std::size_t>(tally.raters));
  for (std::size_t k = 0; k < list.size(); ++k) {
    ComponentOverlap& one = list[k];
    one.voxels.second = decision.voxels;
    for (std::size_t r = 0; r < tally.rows.size(); ++r) {
      if ((tally.rows[r].raters >> k & 1) == 0) continue;
      one.voxels.first += tally.rows[r].voxels;
      one.voxels.common += decision.inside[r];
    }
    one.present = one.voxels.first > 0;
    one.precision = precision(one.voxels);
    one.recall = recall(one.voxels);
    one.f1 = dice(one.voxels);
  }
  return list;
}

std::vector<MeanAgreement> compare_lesions(const Reduction& reduction, const Solution& solution) {
  struct Means {
    RunningMean precision, recall, f1;
  };
  std::vector<Means> means(static_cast<std::size_t>(reduction.raters));
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto overlaps = compare_component(reduction.crowns[c].tally, solution.components[c]);
    for (std::size_t k = 0; k < means.size(); ++k) {
      means[k].precision.add(overlaps[k].precision);
      means[k].recall.add(overlaps[k].recall);
      means[k].f1.add(overlaps[k].f1);
    }
  }
  std::vector<MeanAgreement> result;
  for (const Means& one : means)
    result.push_back({one.precision.means(), one.recall.means(), one.f1.means()});
  return result;
}

}  // namespace crema
