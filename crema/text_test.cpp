// SPDX-License-Identifier: Apache-2.0
#include "crema/text.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace crema {
namespace {

TEST(Suggest, CountsInsertDeleteReplaceAndSwap) {
  EXPECT_EQ(edits_between("dice", "dice"), 0);
  EXPECT_EQ(edits_between("dce", "dice"), 1);
  EXPECT_EQ(edits_between("dicee", "dice"), 1);
  EXPECT_EQ(edits_between("dise", "dice"), 1);
  EXPECT_EQ(edits_between("dcie", "dice"), 1);
  EXPECT_EQ(edits_between("", "dice"), 4);
  EXPECT_EQ(edits_between("kitten", "sitting"), 3);
}

RC_GTEST_PROP(Suggest, EditsAreTheSameBothWays, (const std::string& a, const std::string& b)) {
  RC_ASSERT(edits_between(a, b) == edits_between(b, a));
  RC_ASSERT((edits_between(a, b) == 0) == (a == b));
}

TEST(Suggest, NamesTheNearest) {
  const std::vector<std::string> known = {"--method", "--threads", "--threshold"};
  EXPECT_EQ(suggestion("--thread", known), " Did you mean --threads?");
  EXPECT_EQ(suggestion("--treshold", known), " Did you mean --threshold?");
}

TEST(Suggest, SaysNothingWhenNoneIsNear) {
  const std::vector<std::string> known = {"--method", "--threads"};
  EXPECT_EQ(suggestion("--verbose", known), "");
  EXPECT_EQ(suggestion("anything", {}), "");
}

}  // namespace
}  // namespace crema
