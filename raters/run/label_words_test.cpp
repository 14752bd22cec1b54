// SPDX-License-Identifier: Apache-2.0
#include "raters/run/label_words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "raters/run/testing.h"

namespace crema::raters {
namespace {

/// Two raters give the last three voxels to another label than the first one.
const Drawn kDisputed{{1, 1, 1, 1, 1, 1, 0, 0}, {1, 1, 1, 2, 2, 2, 0, 0}, {1, 1, 1, 2, 2, 0, 0, 0}};

std::vector<ReviewItem> decisions_of(const Case& counted, std::size_t s) {
  const Outcome outcome = solve_method(counted, find_method("jaccard"), {});
  return make_review_list(counted.reduction(s), solution_of(counted, outcome, s), outcome.options).items;
}

TEST(LabelWords, SayWhichLabelEachRaterGave) {
  const Case counted = count_maps("organ=1,lesion=2", kDisputed);
  std::vector<ReviewItem> items = decisions_of(counted, 0);
  ASSERT_FALSE(items.empty());
  EXPECT_TRUE(items.front().said.empty());
  name_labels(counted, 0, items);
  EXPECT_EQ(items.front().said, (std::vector<std::string>{"organ", "lesion", "lesion"}));
}

TEST(LabelWords, AreForLabelMapsOnly) {
  Drawn masks = kDisputed;
  for (auto& row : masks)
    for (std::uint8_t& voxel : row) voxel = voxel == 1 ? 1 : 0;
  const Case counted = count_masks(masks, {});
  std::vector<ReviewItem> items = decisions_of(counted, 0);
  ASSERT_FALSE(items.empty());
  name_labels(counted, 0, items);
  EXPECT_TRUE(items.front().said.empty());
}

}  // namespace
}  // namespace crema::raters
