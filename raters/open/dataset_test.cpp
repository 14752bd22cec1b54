// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "files/testing.h"
#include "raters/open/classes.h"

namespace crema::raters {
namespace {

/// What a dataset.json with this text says of a file beside it.
std::optional<DatasetLabels> dataset(const std::string& text) {
  const files::testing::Folder folder;
  folder.put("dataset.json", text);
  return read_dataset(folder / "case.npz");
}

std::string refusal_of(const std::string& text) {
  try {
    dataset(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Dataset, NamesClassesInTheOrderOfTheirLabels) {
  const auto found = dataset(R"({"labels": {"tumour": 2, "background": 0, "liver": 1}})");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->regions);
  ASSERT_EQ(found->classes.size(), 2U);
  EXPECT_EQ(found->classes[0].name, "liver");
  EXPECT_EQ(found->classes[1].name, "tumour");
}

TEST(Dataset, RegionsKeepTheOrderOfTheirChannels) {
  const auto found = dataset(
      R"({"labels": {"background": 0, "whole": [1, 2], "core": [2]}, "regions_class_order": [5, 9]})");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->regions);
  ASSERT_EQ(found->classes.size(), 2U);
  EXPECT_EQ(found->classes[0].labels, (std::vector<Label>{1, 2}));
  EXPECT_EQ(found->values, (std::vector<Label>{5, 9}));
}

TEST(Dataset, WhatIsToBeIgnoredHasNoChannel) {
  const auto found = dataset(
      R"({"labels": {"background": 0, "whole": [1, 2, 3], "core": [2, 3], "enh": [3], "ignore": 4},
          "regions_class_order": [1, 2, 3]})");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->regions);
  ASSERT_EQ(found->classes.size(), 3U);
  EXPECT_EQ(found->classes[2].name, "enh");
  const auto labels = dataset(R"({"labels": {"background": 0, "liver": 1, "ignore": 2}})");
  ASSERT_TRUE(labels);
  ASSERT_EQ(labels->classes.size(), 1U);
  EXPECT_EQ(labels->classes[0].name, "liver");
}

TEST(Dataset, ListsOfOneLabelEachAreNoRegions) {
  const auto found = dataset(R"({"labels": {"background": [0], "tumour": [2], "liver": [1]}})");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->regions);
  ASSERT_EQ(found->classes.size(), 2U);
  EXPECT_EQ(found->classes[0].name, "liver");
}

TEST(Dataset, WhatNamesNoLabelsIsIgnored) {
  const files::testing::Folder empty;
  EXPECT_FALSE(read_dataset(empty / "case.npz"));
  EXPECT_FALSE(dataset("{}"));
  EXPECT_FALSE(dataset(R"({"labels": {"0": "background", "1": "liver"}})"))
      << "as the first nnU-Net wrote it";
  EXPECT_FALSE(dataset(R"({"labels": {"liver": 70000}})"));
}

TEST(Dataset, OneThatContradictsItselfIsRefusedByName) {
  for (const char* text :
       {R"({"labels": {"liver": 1, "tumour": 1}})",
        R"({"labels": {"whole": [1, 2], "core": [2]}, "regions_class_order": [1]})",
        R"({"labels": {"whole": [1, 2], "core": [2]}, "regions_class_order": [1, 1]})",
        R"({"labels": {"a": [1, 2], "b": [2, 3]}, "regions_class_order": [1, 2]})", "{", ""})
    EXPECT_NE(refusal_of(text).find("dataset.json"), std::string::npos) << text << ": " << refusal_of(text);
}

}  // namespace
}  // namespace crema::raters
