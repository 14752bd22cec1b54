// SPDX-License-Identifier: Apache-2.0
#include "raters/run/memory.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "crema/agreement/overlap.h"
#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "raters/run/testing.h"

namespace crema::raters {
namespace {

/// Whether so many bytes are enough for these methods.
bool enough(Case& counted, std::int64_t bytes, const std::vector<const Method*>& methods,
            const Afterwards& afterwards) {
  counted.options.memory = std::make_shared<MemoryAccount>(bytes);
  try {
    check_memory(counted, methods, {}, afterwards);
  } catch (const ResourceError&) {
    return false;
  }
  return true;
}

/// The least that is enough.
std::int64_t needed(const std::vector<const Method*>& methods, const Afterwards& afterwards) {
  Case counted = count_masks(masks_of(1), {});
  std::int64_t too_few = -1, bytes = 1 << 20;
  while (bytes - too_few > 1) {
    const std::int64_t tried = (bytes + too_few) / 2;
    (enough(counted, tried, methods, afterwards) ? bytes : too_few) = tried;
  }
  return bytes;
}

TEST(RunMemory, EachMethodAddsItsDecisionsAndImagesOnlyWhereTheyAreKept) {
  using Images = Afterwards::Images;
  const Method &jaccard = find_method("jaccard"), &dice = find_method("dice");
  const std::int64_t decisions = decision_bytes(count_masks(masks_of(1), {}));
  ASSERT_GT(decisions, 0);
  const std::int64_t solving = solving_bytes(count_masks(masks_of(1), {}), jaccard);
  ASSERT_GT(solving, 0);
  EXPECT_EQ(needed({&jaccard}, {Images::none}), decisions + solving);
  EXPECT_EQ(needed({&jaccard, &dice}, {Images::none}), 2 * decisions + solving);  // one after the other
  const std::int64_t image = image_bytes(count_masks(masks_of(1), {}), jaccard, {});
  EXPECT_EQ(needed({&jaccard, &dice}, {Images::one_by_one}), 2 * decisions + std::max(image, solving));
  EXPECT_EQ(needed({&jaccard, &dice}, {Images::kept}), 2 * decisions + image + std::max(image, solving));
  EXPECT_GT(needed({&jaccard}, {Images::none, true}), decisions);
}

TEST(RunMemory, LevelsTakeMoreThanAMaskAndLabelsAreCountedTogether) {
  const Case masks = count_masks(masks_of(1), {}), labels = count_maps("all");
  EXPECT_GT(image_bytes(masks, find_method("tanimoto"), {}), image_bytes(masks, find_method("jaccard"), {}));
  EXPECT_EQ(decision_bytes(labels),
            decision_bytes(labels.reduction(0)) + decision_bytes(labels.reduction(1)));
}

TEST(RunMemory, ASolverTakesMoreWithEachRaterAndWithLevels) {
  const Case counted = count_masks(masks_of(1), {});
  EXPECT_LT(solving_bytes(counted, find_method("jaccard")), solving_bytes(counted, find_method("soergel")));
  EXPECT_EQ(solving_bytes(counted, find_method("majority")), 0);
  std::int64_t least = 0;
  for (const Crowns& crowns : counted.reduction(0).crowns)
    least = std::max(least, std::ssize(crowns.tally.rows) * std::popcount(raters_present(crowns.tally)));
  EXPECT_GE(solving_bytes(counted, find_method("jaccard")), least * std::int64_t{sizeof(double)});
}

TEST(RunMemory, ARefusalNamesTheStageAndWhatToDo) {
  Case counted = count_masks(masks_of(1), {});
  counted.options.memory = std::make_shared<MemoryAccount>(0);
  try {
    check_certify_memory(counted);
    FAIL() << "nothing was refused";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("certifying the consensus"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("crop the images"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace crema::raters
