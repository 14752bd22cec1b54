// SPDX-License-Identifier: Apache-2.0
// What the page computes is what the library computes.
#include "web/wasm/what_if.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "crema/levels/reduce_levels.h"

namespace crema::report {
namespace {

constexpr int kRaters = 4;
const Grid kGrid{.size = {9, 8, 7}};

std::vector<std::vector<std::uint8_t>> masks_of(unsigned seed) {
  std::vector<std::vector<std::uint8_t>> masks(kRaters, std::vector<std::uint8_t>(9 * 8 * 7));
  for (std::size_t v = 0; v < masks[0].size(); ++v)
    for (std::size_t k = 0; k < kRaters; ++k) {
      seed = seed * 1664525U + 1013904223U;
      const auto x = static_cast<int>(v % 9), y = static_cast<int>(v / 9 % 8);
      masks[k][v] = (x - 4) * (x - 4) + (y - 4) * (y - 4) < 6 && (seed >> 24) % 5 != 0;
    }
  return masks;
}

WhatIf filled_in(const std::vector<std::vector<std::uint8_t>>& masks) {
  WhatIf what(kGrid, kRaters);
  for (std::size_t v = 0; v < what.sets().size(); ++v)
    for (std::size_t k = 0; k < masks.size(); ++k) what.sets()[v] |= Raters{masks[k][v]} << k;
  return what;
}

std::vector<float> fused(const std::vector<std::vector<std::uint8_t>>& masks, const Options& options) {
  const std::vector<Mask> list(masks.begin(), masks.end());
  const Consensus consensus = fuse(kGrid, list, options);
  return std::visit([](const auto& image) { return std::vector<float>(image.begin(), image.end()); },
                    consensus.image);
}

TEST(WhatIf, AnswersWhatFusingAnswers) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const auto masks = masks_of(seed);
    WhatIf what = filled_in(masks);
    for (const char* method : {"jaccard", "dice", "tanimoto", "soergel", "majority", "average"}) {
      what.ask(std::string("method ") + method);
      Options options;
      options.method = method;
      EXPECT_EQ(what.levels(), fused(masks, options)) << method;
    }
    what.ask(
        "method jaccard\nweights 2,1,1,0.5\ntie foreground\nconnectivity 6\nblocks group\ncertify True\n");
    Options options;
    options.weights = {2, 1, 1, 0.5};
    options.tie = Tie::foreground;
    options.connectivity = 6;
    options.blocks = Blocks::group;
    EXPECT_EQ(what.levels(), fused(masks, options));
  }
}

TEST(WhatIf, LeavesARaterOutAltogether) {
  auto masks = masks_of(9);
  WhatIf what = filled_in(masks);
  what.ask("method dice\nwithout 1\nweights 1,9,2,1\n");
  masks.erase(masks.begin() + 1);
  Options options;
  options.method = "dice";
  options.weights = {1, 2, 1};
  EXPECT_EQ(what.levels(), fused(masks, options));
  EXPECT_THROW(what.ask("without 0,1,2,3"), InputError);
  EXPECT_THROW(what.ask("without 4"), UsageError);
  EXPECT_THROW(what.ask("method nobody"), UsageError);
}

/// Soft balls in steps, one beside the other.
std::vector<std::vector<std::uint8_t>> steps_of() {
  std::vector<std::vector<std::uint8_t>> steps(kRaters, std::vector<std::uint8_t>(9 * 8 * 7));
  for (std::size_t k = 0; k < kRaters; ++k)
    for (std::size_t v = 0; v < steps[k].size(); ++v) {
      const double x = static_cast<double>(v % 9) - 3.5 - 0.3 * static_cast<double>(k);
      const double y = static_cast<double>(v / 9 % 8) - 4, z = static_cast<double>(v / 72) - 3;
      const double level =
          1 / (1 + std::exp((std::hypot(x, y, z) - 2.5) / (0.4 + 0.2 * static_cast<double>(k))));
      steps[k][v] = static_cast<std::uint8_t>(level < 0.05 ? 0 : std::lround(255 * level));
    }
  return steps;
}

std::vector<float> fused_levels(const std::vector<std::vector<std::uint8_t>>& steps, const Options& options) {
  std::vector<SparseLevels> maps(steps.size(), SparseLevels(0));
  for (std::size_t k = 0; k < steps.size(); ++k) {
    std::vector<float> levels;
    for (const std::uint8_t step : steps[k]) levels.push_back(static_cast<float>(step) / 255);
    maps[k].add(0, levels);
  }
  const Method& method = find_method(options.method);
  const Reduction reduction = reduce_levels(kGrid, std::move(maps), 0, Needs::distances, options);
  Solution solution = solve(reduction, method, options);
  return std::visit([](const auto& image) { return std::vector<float>(image.begin(), image.end()); },
                    paint(reduction, solution, options));
}

TEST(WhatIf, AnswersWhatFusingLevelsAnswers) {
  auto steps = steps_of();
  WhatIf what(kGrid, kRaters);
  auto to = what.take_steps().begin();
  for (const auto& own : steps) to = std::copy(own.begin(), own.end(), to);
  for (const char* method : {"jaccard", "tanimoto", "soergel", "median", "robust", "majority"}) {
    const std::string answer = what.ask(std::string("method ") + method).text();
    EXPECT_EQ(what.levels(), fused_levels(steps, {.method = method})) << method;
    EXPECT_NE(answer.find("\"margin\""), std::string::npos);
  }
  EXPECT_THROW(what.ask("method staple"), UsageError);
  what.ask("method tanimoto\nwithout 1\nweights 1,9,2,1\n");
  steps.erase(steps.begin() + 1);
  EXPECT_EQ(what.levels(), fused_levels(steps, {.method = "tanimoto", .weights = {1, 2, 1}}));
}

}  // namespace
}  // namespace crema::report
