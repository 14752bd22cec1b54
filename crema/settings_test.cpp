// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/text/weights.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

TEST(Weights, AreNumbersSeparatedByCommas) {
  EXPECT_EQ(parse_weights("1,0.5,2e-1"), (std::vector<double>{1, 0.5, 0.2}));
  EXPECT_EQ(parse_weights("0,3"), (std::vector<double>{0, 3}));
}

TEST(Weights, RefuseWhatIsNoWeight) {
  for (const char* text : {"", "1,", ",1", "1,,2", "1;2", "one,two", "1,-1", "1,nan", "inf,1", "1,1 ",
                           "1,0x2", "0,0,0", "0", "1e400,1", "1e308,1e308", "auto,1"})
    EXPECT_THROW(parse_weights(text), UsageError) << text;
}

TEST(Weights, MustBeOnePerRaterOrNone) {
  const std::vector<double> two{1, 2};
  EXPECT_NO_THROW(check_weights({}, 3));
  EXPECT_NO_THROW(check_weights(two, 2));
  EXPECT_THROW(check_weights(two, 3), UsageError);
  EXPECT_THROW(check_weights(two, 1), UsageError);
}

TEST(Weights, ASearchThatSettledLeavesNoDoubt) {
  WeightSearch search{.weights = {1, 0.5}, .rounds = 1, .converged = true};
  Solution solution{.method = &methods().front()};
  solution.soft_volume = 3;
  EXPECT_EQ(found_text(search), "weights 1.0000, 0.5000: settled after 1 round");
  EXPECT_EQ(doubt(search, solution), "");
  search.converged = false;
  search.rounds = 100;
  search.change = 0.125;
  EXPECT_NE(found_text(search).find("not settled after 100 rounds"), std::string::npos);
  EXPECT_NE(doubt(search, solution).find("0.125"), std::string::npos);
  solution.soft_volume = 0;
  EXPECT_NE(doubt(search, solution).find("empty"), std::string::npos);
}

}  // namespace
}  // namespace crema::cli
