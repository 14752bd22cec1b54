// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/arguments.h"

#include <gtest/gtest.h>

namespace crema::cli {
namespace {

using Words = std::vector<std::string>;

TEST(Arguments, SliceWiseTakesAnAxisThatFollows) {
  for (const std::string axis : {"x", "y", "z"})
    EXPECT_EQ(prepare_arguments({"--slice-wise", axis, "a.nii"}), (Words{"--slice-wise=" + axis, "a.nii"}));
}

TEST(Arguments, SliceWiseLeavesARaterAlone) {
  EXPECT_EQ(prepare_arguments({"--slice-wise", "x.nii"}), (Words{"--slice-wise=auto", "x.nii"}));
  EXPECT_EQ(prepare_arguments({"--slice-wise", "xy"}), (Words{"--slice-wise=auto", "xy"}));
  EXPECT_EQ(prepare_arguments({"--slice-wise", "X"}), (Words{"--slice-wise=auto", "X"}));
}

TEST(Arguments, SliceWiseMayComeLastOrBeforeAnOption) {
  EXPECT_EQ(prepare_arguments({"a.nii", "--slice-wise"}), (Words{"a.nii", "--slice-wise=auto"}));
  EXPECT_EQ(prepare_arguments({"--slice-wise", "-o", "out.nii"}),
            (Words{"--slice-wise=auto", "-o", "out.nii"}));
}

TEST(Arguments, SliceWiseWithAnEqualsSignIsKept) {
  EXPECT_EQ(prepare_arguments({"--slice-wise=y", "z"}), (Words{"--slice-wise=y", "z"}));
}

TEST(Arguments, AfterALoneDashDashNothingIsAnOption) {
  EXPECT_EQ(prepare_arguments({"--", "--slice-wise", "x"}), (Words{"--", "--slice-wise", "x"}));
}

TEST(Arguments, ANameInBracketsStaysOneName) {
  EXPECT_EQ(prepare_arguments({"[a,b]", "[c", "d]", "[", "[]"}), (Words{"./[a,b]", "[c", "d]", "[", "./[]"}));
  EXPECT_EQ(prepare_arguments({"--", "[a,b]"}), (Words{"--", "./[a,b]"}));
}

}  // namespace
}  // namespace crema::cli
