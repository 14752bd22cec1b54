// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/detection.h"

#include <algorithm>

#include "crema/parallel.h"

namespace crema {
namespace {

/// Which parts of the other side each part meets.
template <class Own, class Other>
std::vector<Junction> junctions(const Parts& parts, const std::vector<Meeting>& meetings, Own own,
                                Other other) {
  std::vector<Junction> list(parts.list.size());
  for (std::uint32_t p = 0; p < list.size(); ++p) list[p] = {p, parts.list[p].box};
  for (const Meeting& meeting : meetings) list[own(meeting)].meets.push_back(other(meeting));
  return list;
}

std::int64_t count_found(const std::vector<Junction>& list) {
  return std::count_if(list.begin(), list.end(), [](const Junction& j) { return !j.meets.empty(); });
}

std::vector<Junction> meeting_several(std::vector<Junction> list) {
  std::erase_if(list, [](const Junction& j) { return j.meets.size() < 2; });
  return list;
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
  auto of_own = junctions(own, meetings, a, b), of_truth = junctions(truth, meetings, b, a);
  Detection found{.rater = rater};
  found.own_parts = std::ssize(own.list);
  found.own_found = count_found(of_own);
  found.consensus_parts = std::ssize(truth.list);
  found.consensus_found = count_found(of_truth);
  found.precision = precision({found.own_parts, found.consensus_parts, found.own_found});
  found.recall = recall({found.own_parts, found.consensus_parts, found.consensus_found});
  found.f1 = harmonic_mean(found.precision, found.recall);
  found.splits = meeting_several(std::move(of_truth));
  found.merges = meeting_several(std::move(of_own));
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

}  // namespace

DetectionReport detect(const Reduction& reduction, std::span<const VoxelSet> raters,
                       const VoxelSet& consensus) {
  const Parts truth = find_parts(reduction.grid, consensus, reduction.neighbourhood);
  DetectionReport report{.parts = std::ssize(truth.list), .isolated = truth.isolated()};
  report.raters.resize(raters.size());
  parallel_for(std::ssize(raters), [&](std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    report.raters[k] =
        compare(find_parts(reduction.grid, raters[k], reduction.neighbourhood), truth, static_cast<int>(i));
  });
  return report;
}

DetectionReport detect(const Reduction& reduction, const Solution& solution, const Options& options) {
  DetectionReport report;
  with_threads(options.threads, [&] {
    report = detect(reduction, sets_of_raters(reduction), set_of_consensus(reduction, solution, options));
  });
  return report;
}

BothMeans mean_of(std::span<const Measured> values) {
  double sum = 0;
  std::int64_t defined = 0;
  for (const Measured& value : values) {
    sum += value.value_or(0);
    defined += value.defined() ? 1 : 0;
  }
  const auto all = static_cast<double>(values.size()), known = static_cast<double>(defined);
  BothMeans means{.counted = values.empty() ? 1 : (sum + all - known) / all};
  if (defined > 0) means.left_out = sum / known;
  return means;
}

MeanAgreement mean_detection(const DetectionReport& report) { return mean_agreement(report.raters); }

LesionWise compare_lesions(const Reduction& reduction, const Solution& solution) {
  LesionWise result;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    result.components.push_back(compare_component(reduction.crowns[c].tally, solution.components[c]));
  for (std::size_t k = 0; k < static_cast<std::size_t>(reduction.raters); ++k) {
    std::vector<ComponentOverlap> own;
    for (const auto& raters : result.components) own.push_back(raters[k]);
    result.raters.push_back(mean_agreement(own));
  }
  return result;
}

}  // namespace crema
