// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/method.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

TEST(Methods, AreFoundByNameAndByTheNameThePaperGivesThem) {
  for (const Method& method : methods()) {
    EXPECT_EQ(&find_method(method.name), &method);
    EXPECT_EQ(&find_method(method.paper_name), &method);
  }
  EXPECT_EQ(find_method("macchiato-j").name, "jaccard");
  EXPECT_EQ(find_method("MAJORITY").name, "majority");
}

TEST(Methods, HaveDistinctNamesAndCompleteRows) {
  std::set<std::string_view> names;
  for (const Method& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_TRUE(takes_masks(method) || accepts(method, Accept::levels));
    EXPECT_EQ(accepts(method, Accept::levels), method.levels.index() != 0);
    EXPECT_FALSE(method.summary.empty());
    EXPECT_FALSE(method.reference.empty());
  }
}

TEST(Methods, AMistypedNameGetsTheNearestOne) {
  try {
    find_method("jacard");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean jaccard?"), std::string::npos) << error.what();
  }
}

TEST(Methods, ANameUnlikeAllIsNotTakenForTheNearest) {
  try {
    find_method("nope");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find("Did you mean"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace crema
