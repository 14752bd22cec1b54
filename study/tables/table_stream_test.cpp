// SPDX-License-Identifier: Apache-2.0
#include "study/tables/table_stream.h"

#include <fstream>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::study {
namespace {

std::filesystem::path written(const std::string& text) {
  const auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string("table_stream_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(TableStream, RowsComeByCaseAndEmptyFieldsAreNoNumbers) {
  TableStream table(written("x,case\r\n1.5,a\r\n,a\r\n2,\"b,\"\"c\"\r\n"));
  const std::size_t x = table.column("x");
  ASSERT_TRUE(table.next_of("a"));
  EXPECT_EQ(table.value(x), 1.5);
  ASSERT_TRUE(table.next_of("a"));
  EXPECT_FALSE(table.number(x));
  EXPECT_THROW((void)table.value(x), InputError);
  EXPECT_FALSE(table.next_of("a"));
  EXPECT_THROW(table.check_end(), InputError);
  ASSERT_TRUE(table.next_of("b,\"c"));
  EXPECT_FALSE(table.next());
  table.check_end();
}

TEST(TableStream, TablesLongerThanABlockAreReadWhole) {
  std::string text = "case,x\n";
  constexpr int kRows = 300'000;
  for (int i = 0; i < kRows; ++i) text += "\"a\nb\"," + std::to_string(i) + "\n";
  TableStream table(written(text));
  int rows = 0;
  for (; table.next(); ++rows) ASSERT_EQ(table.value(1), rows);
  EXPECT_EQ(rows, kRows);
}

TEST(TableStream, WhatIsNoTableIsRefused) {
  EXPECT_THROW(TableStream(written("")), InputError);
  EXPECT_THROW(TableStream(written("a,b\n1,2\n")), InputError);
  EXPECT_THROW(TableStream(written("case,b\n1,2,3\n")), InputError);
  EXPECT_THROW(TableStream(written("case,b\n\"1,2\n")), InputError);
  EXPECT_THROW(TableStream("/nowhere/table.csv"), InputError);
  TableStream table(written("case,b\na,zwei\n"));
  ASSERT_TRUE(table.next());
  EXPECT_THROW((void)table.number(1), InputError);
  EXPECT_THROW((void)table.column("c"), InputError);
}

}  // namespace
}  // namespace crema::study
