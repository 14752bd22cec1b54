// SPDX-License-Identifier: Apache-2.0
#include "cli/help/parameters.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "cli/commands/commands.h"

namespace crema::cli {
namespace {

Holds held(const std::string& id) {
  for (const Parameter& one : parameters_of(describe(fuse_command())))
    if (one.id == id) return one.holds;
  ADD_FAILURE() << id << " is not there";
  return Holds::text;
}

TEST(Parameters, HoldWhatTheTableOfSettingsSays) {
  EXPECT_EQ(held("raters"), Holds::masks);
  EXPECT_EQ(held("margin"), Holds::whole);
  EXPECT_EQ(held("alpha"), Holds::real);
  EXPECT_EQ(held("tie"), Holds::word);
  EXPECT_EQ(held("slice_wise"), Holds::word);
  EXPECT_EQ(held("roi"), Holds::text);  // a word or a file
  EXPECT_EQ(held("certify"), Holds::nothing);
  EXPECT_EQ(held("like"), Holds::file);
  EXPECT_EQ(held("output"), Holds::image_out);
  EXPECT_EQ(held("json"), Holds::file_out);
}

TEST(Parameters, AreAllOptionsButThoseThatDescribeTheCommand) {
  const CommandText command = describe(fuse_command());
  std::set<std::string> ids;
  for (const Parameter& one : parameters_of(command)) EXPECT_TRUE(ids.insert(one.id).second) << one.id;
  EXPECT_EQ(ids.size(), command.options.size() - 2);
  EXPECT_FALSE(ids.contains("help") || ids.contains("xml"));
}

}  // namespace
}  // namespace crema::cli
