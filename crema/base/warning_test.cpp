// SPDX-License-Identifier: Apache-2.0
#include "crema/base/warning.h"

#include <set>

#include <gtest/gtest.h>

namespace crema {
namespace {

TEST(Warning, EachKindHasANameOfItsOwnThatLeadsBackToIt) {
  std::set<std::string_view> names;
  for (int k = 0; k <= static_cast<int>(WarningKind::figure); ++k) {
    const auto kind = static_cast<WarningKind>(k);
    EXPECT_TRUE(names.insert(to_string(kind)).second) << to_string(kind);
    EXPECT_EQ(kind_named(to_string(kind)), kind);
  }
  EXPECT_EQ(kind_named("of another version"), WarningKind::other);
}

TEST(Warning, APlainTextIsACautionOfNoSpecialKind) {
  const Warning plain = "look at it.";
  EXPECT_EQ(plain.kind, WarningKind::other);
  EXPECT_EQ(severity_of(plain.kind), Severity::caution);
}

TEST(Warning, DefectsComeFirstAndNotesLastInTheOrderInWhichTheyCame) {
  const Warnings found{{"routine", WarningKind::against_majority},
                       {"b", WarningKind::padded},
                       {"empty", WarningKind::empty_mask},
                       {"a", WarningKind::geometry},
                       {"twice", WarningKind::copy}};
  EXPECT_EQ(texts(found, Spelling::program),
            (std::vector<std::string>{"empty", "twice", "b", "a", "routine"}));
  EXPECT_EQ(count_defects(found), 2);
  EXPECT_EQ(spelled(found, Spelling::program).front().kind, WarningKind::empty_mask);
}

TEST(Warning, SettingsAreSpelledForWhoeverReads) {
  const Warnings found{{"raise " + Sentence::setting("max_memory") + ".", WarningKind::setting}};
  EXPECT_EQ(texts(found, Spelling::program).front(), "raise --max-memory.");
  EXPECT_EQ(spelled(found, Spelling::python).front().marked(), "raise max_memory=.");
}

}  // namespace
}  // namespace crema
