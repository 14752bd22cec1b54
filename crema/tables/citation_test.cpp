// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/citation.h"

#include <gtest/gtest.h>

namespace crema {
namespace {

std::vector<const Method*> all_methods() {
  std::vector<const Method*> all;
  for (const Method& method : methods()) all.push_back(&method);
  return all;
}

TEST(Citation, EveryMethodHasAnEntryAndIsNamed) {
  for (const Method* method : all_methods()) {
    const std::vector<const Method*> one{method};
    const std::string text = methods_sentence(one), entries = bibtex(one);
    EXPECT_NE(text.find(method->paper_name), std::string::npos) << text;
    const std::size_t key = entries.find('{', entries.find('@', 1)) + 1;
    EXPECT_NE(text.find("[" + entries.substr(key, entries.find(',', key) - key) + "]"), std::string::npos)
        << entries;
  }
}

TEST(Citation, AWorkIsListedOnceAndBracesMatch) {
  const std::string entries = bibtex(all_methods());
  EXPECT_EQ(entries.find("@article{hamzaoui2023macchiato"), entries.rfind("@article{hamzaoui2023macchiato"));
  EXPECT_EQ(std::count(entries.begin(), entries.end(), '{'), std::count(entries.begin(), entries.end(), '}'));
}

}  // namespace
}  // namespace crema
