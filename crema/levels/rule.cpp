// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/rule.h"

#include <numeric>

#include <fmt/format.h>

#include "crema/tables/method.h"

namespace crema {

std::optional<LevelRule> level_rule(const Solution& solution) {
  LevelRule rule;
  double volume = 0;
  for (std::size_t c = 0; c < solution.votes.size(); ++c) {
    const std::vector<double>& votes = solution.votes[c];
    const double soft_voxels = solution.components[c].soft_voxels;
    if (votes.empty() || soft_voxels <= 0) continue;
    rule.weights.resize(votes.size(), 0);
    volume += soft_voxels;
    ++rule.components;
    for (std::size_t k = 0; k < votes.size(); ++k) rule.weights[k] += soft_voxels * votes[k];
  }
  if (volume == 0) return {};
  for (double& weight : rule.weights) weight /= volume;
  if (squares(solution.method->distance)) return rule;
  const double all = std::accumulate(rule.weights.begin(), rule.weights.end(), 0.0);
  if (!(all > 0)) return {};
  for (double& weight : rule.weights) weight /= all;
  rule.threshold = 1 / all;
  return rule;
}

std::string rule_text(const LevelRule& rule, const std::vector<std::string>& names) {
  std::string sum;
  for (std::size_t k = 0; k < rule.weights.size(); ++k)
    sum += fmt::format("{}{:.2f}·{}", sum.empty() ? "" : " + ", rule.weights[k],
                       k < names.size() ? names[k] : fmt::format("rater {}", k + 1));
  const std::string mean =
      rule.components > 1 ? fmt::format(" (mean over {} components)", rule.components) : "";
  return (rule.threshold ? fmt::format("in where {} > {:.2f}", sum, *rule.threshold)
                         : fmt::format("level {}, at most 1", sum)) +
         mean;
}

}  // namespace crema
