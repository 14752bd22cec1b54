// SPDX-License-Identifier: Apache-2.0
#include "web/wasm/what_if.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>

#include "crema/agreement/confidence/level_raters.h"
#include "crema/agreement/confidence/stability.h"
#include "crema/agreement/overlap.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/levels/reduce_levels.h"
#include "crema/records/record_parts.h"
#include "crema/tables/setting_values.h"
#include "crema/voxels/votes/votes.h"

namespace crema::report {
namespace {

constexpr std::size_t kMaxKnown = 4;

Json present_json(const Tally& tally, const std::vector<int>& left) {
  Json list = Json::array();
  for (Raters some = raters_present(tally); some != 0; some &= some - 1)
    list.push_back(left[static_cast<std::size_t>(std::countr_zero(some))]);
  return list;
}

/// The first voxel of a component.
Json first_of(const Reduction& reduction, const Component& component) {
  const std::int64_t at = reduction.components.runs_of(component).front().first;
  const std::int64_t x = reduction.grid.size[0], y = reduction.grid.size[1];
  return {at % x, at / x % y, at / x / y};
}

Json reported(const Reduction& reduction, const Solution& solution, const Options& options,
              const std::vector<int>& left) {
  Json json{{"method", solution.method->name},
            {"distance", to_string(solution.method->distance)},
            {"lmsd", solution.lmsd},
            {"voxels", solution.voxels},
            {"soft_volume", solution.soft_volume},
            {"raters", left.size()}};
  if (solution.lower_bound) {
    json["lower_bound"] = *solution.lower_bound;
    json["proven"] = solution.unproven == 0;
  }
  const std::vector<Measured> margins = reduction.levels ? measure_level_margins(reduction, solution, options)
                                                         : measure_margins(reduction, solution, options);
  json["components"] = Json::array();
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Decision& decision = solution.components[c];
    const Component& component = reduction.components.list[c];
    Json one{{"first", first_of(reduction, component)},
             {"union_voxels", component.voxels},
             {"voxels", decision.voxels},
             {"kept", decision.soft_voxels > 0},
             {"criterion", decision.criterion},
             {"present", present_json(reduction.crowns[c].tally, left)}};
    put(one, "margin", margins[c]);
    json["components"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

Question parse_question(std::string_view request, int raters) {
  Question question{.method = &find_method("jaccard")};
  for (const std::string& line : split(request, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string name = line.substr(0, blank), value = line.substr(blank + 1);
    if (name == "method")
      question.method = &find_method(value);
    else if (name == "without")
      for (const std::string& rater : split(value, ','))
        question.without |= Raters{1} << parse_whole(rater, {0, raters - 1});
    else
      set(question.settings, name, value);
  }
  std::vector<double>& weights = question.settings.options.weights;
  if (weights.empty()) return question;
  if (std::ssize(weights) != raters) throw UsageError("give one weight for each rater.");
  std::vector<double> kept;
  for (const int k : left_of(question.without, raters)) kept.push_back(weights[static_cast<std::size_t>(k)]);
  weights = kept;
  return question;
}

std::vector<int> left_of(Raters without, int raters) {
  std::vector<int> left;
  for (int k = 0; k < raters; ++k)
    if ((without >> k & 1) == 0) left.push_back(k);
  if (left.empty()) throw InputError("no rater is left; keep at least one.");
  return left;
}

const Reduction& WhatIf::reduction_for(Raters without, const Options& options, Needs needs) {
  const std::string key = fmt::format("{} {} {} {}", without, options.connectivity,
                                      options.slice_wise ? static_cast<int>(*options.slice_wise) : -1,
                                      options.blocks == Blocks::voxel);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= kMaxKnown) known_.clear();
  const std::vector<int> left = left_of(without, raters_);
  needs = std::max(needs, Needs::distances);
  return known_
      .emplace(key, steps_.empty() ? reduce_masks(left, needs, options) : reduce_steps(left, needs, options))
      .first->second;
}

Reduction WhatIf::reduce_masks(const std::vector<int>& left, Needs needs, const Options& options) const {
  Votes votes(grid_.voxels(), static_cast<int>(left.size()));
  std::vector<std::uint8_t> mask(sets_.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    for (std::size_t v = 0; v < sets_.size(); ++v)
      mask[v] = static_cast<std::uint8_t>(sets_[v] >> left[k] & 1);
    votes.fold(static_cast<int>(k), mask);
  }
  return reduce(grid_, std::move(votes), needs, options);
}

/// What is below the floor is 0 already.
Reduction WhatIf::reduce_steps(const std::vector<int>& left, Needs needs, const Options& options) const {
  const auto voxels = static_cast<std::size_t>(grid_.voxels());
  std::vector<SparseLevels> maps(left.size(), SparseLevels(0));
  std::vector<float> levels(voxels);
  for (std::size_t k = 0; k < left.size(); ++k) {
    const auto steps = std::span(steps_).subspan(static_cast<std::size_t>(left[k]) * voxels, voxels);
    std::transform(steps.begin(), steps.end(), levels.begin(),
                   [](std::uint8_t step) { return static_cast<float>(step) / 255; });
    maps[k].add(0, levels);
  }
  return reduce_levels(grid_, std::move(maps), 0, needs, options);
}

std::vector<std::uint8_t>& WhatIf::take_steps() {
  sets_ = {};
  steps_.assign(static_cast<std::size_t>(raters_) * static_cast<std::size_t>(grid_.voxels()), 0);
  return steps_;
}

Json WhatIf::ask(std::string_view request) {
  Question question = parse_question(request, raters_);
  const std::vector<int> left = left_of(question.without, raters_);
  const std::vector<const Method*> methods{question.method};
  question.settings.probabilities = !steps_.empty();
  check(question.settings, methods);
  Options options = options_for(question.settings, grid_);
  options.method = question.method->name;
  options.threads = 1;
  const Reduction& reduction = reduction_for(question.without, options, question.method->needs);
  Solution solution = solve(reduction, *question.method, options);
  Json json = reported(reduction, solution, options, left);
  const Image image = paint(reduction, solution, options);
  levels_.resize(static_cast<std::size_t>(grid_.voxels()));
  std::visit(
      [&](const auto& values) {
        for (std::size_t v = 0; v < levels_.size(); ++v) levels_[v] = static_cast<float>(values[v]);
      },
      image);
  return json;
}

}  // namespace crema::report
