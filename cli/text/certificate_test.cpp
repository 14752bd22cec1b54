// SPDX-License-Identifier: Apache-2.0
#include "cli/text/certificate.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace crema::cli {
namespace {

TEST(Certificate, TellsHowGoodAConsensusIsInOneLine) {
  EXPECT_EQ(certificate_text({20.294803, 20.276708, 90, 0}),
            "LMSD 20.294803 is at most 0.090 % above the best possible (lower bound 20.276708; bound proven "
            "for 90 of 90 "
            "components)");
  EXPECT_EQ(
      certificate_text({3, 2, 4, 1}),
      "LMSD 3.000000 is at most 50 % above the best possible (lower bound 2.000000; not proven for 1 of "
      "4 components within the budget)");
}

TEST(Certificate, IsTheBestPossibleOnlyWithoutAGap) {
  EXPECT_EQ(excess_text({2, 2, 1, 0}), "the best possible");
  EXPECT_EQ(excess_text({0, 0, 0, 0}), "the best possible");
  EXPECT_EQ(excess_text({2 + 1e-9, 2, 1, 0}), "less than 0.0001 % above the best possible");
}

TEST(Certificate, SpeaksOfVoxelsOutsideEveryRaterBeforeAnythingElse) {
  EXPECT_EQ(excess_text({2, 2, 1, 0, 400}),
            "400 voxels outside every rater not counted; inside the best possible");
}

TEST(Certificate, SaysNoPercentageOfNothing) {
  EXPECT_EQ(excess_text({0.25, 0, 1, 1}), "at most 0.25 above the best possible");
}

TEST(Certificate, HasNoNegativeGap) {
  EXPECT_EQ(gap_of({1, 1 + 1e-15, 1, 0}), 0);
  EXPECT_EQ(excess_text({1, 1 + 1e-15, 1, 0}), "the best possible");
}

TEST(Certificate, RoundingIsNoGap) {
  const Certified rounded{0.007449, 0.007449 - 1.18e-13, 1, 0};
  EXPECT_EQ(excess_text(rounded), "the best possible");
  EXPECT_EQ(gap_text(rounded), "none");
  EXPECT_EQ(gap_text({0, 0, 0, 0}), "none");
  EXPECT_EQ(gap_text({2, 1, 1, 0}), "1, or 50 % of the LMSD");
}

RC_GTEST_PROP(Certificate, ThePercentageIsRoundedUpByLessThanATenth, ()) {
  const double percent = std::pow(10.0, *rc::gen::inRange(-390, 490) / 100.0);
  const std::string text = excess_text({1 + percent / 100, 1, 1, 0});
  const double shown = std::stod(text.substr(std::string("at most ").size()));
  RC_ASSERT(shown >= percent * (1 - 1e-9));
  RC_ASSERT(shown <= percent * 1.1 + 1e-9);
}

}  // namespace
}  // namespace crema::cli
