// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/sbatch_options.h"

#include <gtest/gtest.h>

namespace crema::cohort {
namespace {

using Options = std::vector<std::string>;

TEST(SbatchOptions, AreFoundHoweverTheyAreTyped) {
  constexpr SbatchName time{"--time", 't'};
  for (const Options& words :
       {Options{"--time=5"}, Options{"--time", "5"}, Options{"-t5"}, Options{"-t", "5"}, Options{"--tim=5"},
        Options{"--mem=1G", "-t", "9", "--time=5"}})
    EXPECT_EQ(option_in(words, time), "5");
  EXPECT_FALSE(option_in({"--mem=1G", "-n", "t", "--ti=5"}, time));
  EXPECT_FALSE(option_in({"--array=1-9"}, {"--account", 'A'}));
}

TEST(SbatchOptions, SayWhereAMergeMayRunToo) {
  EXPECT_EQ(shared_options({"--partition=long", "--time=5", "-A", "lab", "--mem", "4G", "-qhigh"}),
            (Options{"--partition=long", "-A", "lab", "-qhigh"}));
  EXPECT_EQ(shared_options({"--cpus-per-task=8", "--gres", "gpu:1"}), Options{});
}

TEST(SbatchOptions, AreTakenAwayWithTheirValues) {
  EXPECT_EQ(without({"-d", "afterok:5", "--mem=1G", "--dependency=x", "--depend", "y", "-dz", "--nice"},
                    {"--dependency", 'd'}),
            (Options{"--mem=1G", "--nice"}));
  EXPECT_EQ(without({"--nice", "-d"}, {"--dependency", 'd'}), Options{"--nice"});
}

}  // namespace
}  // namespace crema::cohort
