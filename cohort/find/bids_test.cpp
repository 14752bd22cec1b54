// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/bids.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace crema::cohort {
namespace {

TEST(Bids, NamesAreReadIntoTheirEntities) {
  const auto name = parse_bids("sub-01/anat/sub-01_ses-2_desc-anna_label-lesion_mask.nii.gz");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->suffix, "mask");
  EXPECT_EQ(name->entities.at("desc"), "anna");
  EXPECT_EQ(bids_case(*name), "sub-01_ses-2_label-lesion");
}

TEST(Bids, WhatIsNotSuchANameIsNotRead) {
  for (const char* file : {"mask.nii.gz", "sub-01_mask_x.nii.gz", "sub-_mask.nii.gz", "ses-1_mask.nii.gz",
                           "sub-01_sub-02_mask.nii.gz", "sub-0 1_mask.nii.gz"})
    EXPECT_FALSE(parse_bids(file)) << file;
}

TEST(Bids, MasksWithoutARaterAreCounted) {
  std::size_t left_out = 0;
  const std::vector<Entry> found = bids_entries(
      {"sub-1_desc-ann_mask.nii", "sub-1_mask.nii", "sub-1_T1w.nii", "sub-2_desc-bob_dseg.nii"}, left_out);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name + " " + found[0].rater, "sub-1 ann");
  EXPECT_EQ(found[1].name + " " + found[1].rater, "sub-2 bob");
  EXPECT_EQ(left_out, 1U);
}

TEST(Bids, ResultsAreNamedByMethodAndKindInTheFolderOfTheirSubject) {
  EXPECT_EQ(bids_result("sub-1", "", BidsKind::mask), "sub-1_desc-crema_mask");
  EXPECT_EQ(bids_result("sub-1", "ml-staple", BidsKind::labels), "sub-1_desc-cremamlstaple_dseg");
  EXPECT_EQ(bids_result("sub-1", "tanimoto", BidsKind::levels), "sub-1_desc-crematanimoto_probseg");
  EXPECT_EQ(bids_folder("derivatives/ann/sub-1/ses-2/anat/x.nii"), "sub-1/ses-2/anat");
}

}  // namespace
}  // namespace crema::cohort
