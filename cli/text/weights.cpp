// SPDX-License-Identifier: Apache-2.0
#include "cli/text/weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "cli/shell/options.h"
#include "crema/error.h"
#include "files/files.h"

namespace crema::cli {
namespace {

double parse_weight(const std::string& text) {
  if (text.empty()) throw UsageError("a weight is missing; write them like 1,0.5,1.");
  const double weight = parse_number(text);
  if (weight < 0) throw UsageError(fmt::format("{} is no weight; weights are 0 or more.", text));
  return weight;
}

std::string rounds_text(int rounds) { return fmt::format("{} round{}", rounds, rounds == 1 ? "" : "s"); }

}  // namespace

std::vector<double> parse_weights(std::string_view text) {
  std::vector<double> weights;
  for (const std::string& part : split(text, ',')) weights.push_back(parse_weight(part));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum == 0) throw UsageError("all weights are 0; at least one rater must count.");
  if (!std::isfinite(sum)) throw UsageError("the sum of the weights is too large; write smaller ones.");
  return weights;
}

void check_weights(std::span<const double> weights, std::size_t raters) {
  if (weights.empty() || weights.size() == raters) return;
  throw UsageError(fmt::format("--weights: {} weight{} given for {} rater{}; give one for each.",
                               weights.size(), weights.size() == 1 ? " is" : "s are", raters,
                               raters == 1 ? "" : "s"));
}

std::string found_text(const WeightSearch& search) {
  std::string weights;
  for (const double weight : search.weights)
    weights += fmt::format("{}{:.4f}", weights.empty() ? "" : ", ", weight);
  return fmt::format("weights {}: {} after {}", weights, search.converged ? "settled" : "not settled",
                     rounds_text(search.rounds));
}

std::string doubt(const WeightSearch& search, const Solution& solution) {
  if (search.converged) return "";
  if (solution.soft_volume == 0)
    return fmt::format("{}: the consensus is empty, so that it says nothing about the raters' weights.",
                       solution.method->name);
  return fmt::format(
      "{}: the weights did not settle in {}; the last one still moved one of them by {:.3g}. "
      "Fix them with --weights to be independent of where the search stopped.",
      solution.method->name, rounds_text(search.rounds), search.change);
}

}  // namespace crema::cli
