// SPDX-License-Identifier: Apache-2.0
#include "raters/read/channels.h"

#include <cmath>

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

/// Two classes and the background, on three voxels.
ClassPlan softmax_plan() {
  ClassPlan plan{.structures = {{.value = 1, .name = {}, .labels = {1}, .channel = 1},
                                {.value = 2, .name = {}, .labels = {2}, .channel = 2}},
                 .channels = 3,
                 .background = true};
  return plan;
}

std::vector<std::vector<float>> read(const ClassPlan& plan, Logits logits, const std::vector<float>& values,
                                     std::size_t piece, float& worst) {
  std::vector<std::vector<float>> found(plan.structures.size(), std::vector<float>(3));
  Channels channels(plan, 3, logits, [&](std::size_t s, std::int64_t first, std::span<const float> part) {
    std::copy(part.begin(), part.end(), found[s].begin() + first);
  });
  for (std::size_t at = 0; at < values.size(); at += piece)
    channels.add(static_cast<std::int64_t>(at),
                 std::span(values).subspan(at, std::min(piece, values.size() - at)));
  channels.finish();
  worst = channels.worst_sum();
  return found;
}

TEST(Channels, PiecesMayCrossChannels) {
  const std::vector<float> values{0.5F, 0.2F, 0.7F, 0.25F, 0.3F, 0.2F, 0.25F, 0.4F, 0.1F};
  for (std::size_t piece = 1; piece <= values.size(); ++piece) {
    float worst = 0;
    const auto found = read(softmax_plan(), Logits::none, values, piece, worst);
    EXPECT_EQ(found[0], (std::vector<float>{0.25F, 0.3F, 0.2F}));
    EXPECT_EQ(found[1], (std::vector<float>{0.25F, 0.4F, 0.1F}));
    EXPECT_FLOAT_EQ(worst, 0.9F);
  }
}

TEST(Channels, ASoftmaxOfLogitsSumsToOneHoweverLargeTheyAre) {
  const std::vector<float> values{0, 500, -3, 1, 0, -1, 2, 499, 80};
  float worst = 0;
  const auto found = read(softmax_plan(), Logits::softmax, values, 4, worst);
  const double sum = 1 + std::exp(1.0) + std::exp(2.0);
  EXPECT_NEAR(found[0][0], std::exp(1.0) / sum, 1e-6);
  EXPECT_NEAR(found[1][1], 1 / (1 + std::exp(1.0)), 1e-6);
  EXPECT_FLOAT_EQ(found[1][2], 1);
}

TEST(Channels, ASigmoidIsOfEachChannelAlone) {
  ClassPlan plan = softmax_plan();
  plan.background = false;
  float worst = 0;
  const auto found = read(plan, Logits::sigmoid, {0, 0, 0, -90, 0, 90, 1, -1, 2}, 2, worst);
  EXPECT_NEAR(found[0][0], 0, 1e-30);
  EXPECT_FLOAT_EQ(found[0][1], 0.5F);
  EXPECT_FLOAT_EQ(found[0][2], 1);
  EXPECT_NEAR(found[1][0], 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(found[1][1], 1 / (1 + std::exp(1.0)), 1e-6);
  EXPECT_FLOAT_EQ(worst, 1);
}

}  // namespace
}  // namespace crema::raters
