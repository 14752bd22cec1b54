// SPDX-License-Identifier: Apache-2.0
#include "crema/base/csv.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows read(std::string_view text) {
  CsvReader reader(text, separator_of(text));
  Rows rows;
  std::vector<std::string> fields;
  while (reader.next(fields)) rows.push_back(fields);
  return rows;
}

TEST(Csv, FieldsMayHoldSeparatorsQuotesAndEndsOfLines) {
  EXPECT_EQ(read("a,\"b,c\",\"d\"\"e\",\"f\ng\"\r\nh,,\n"),
            (Rows{{"a", "b,c", "d\"e", "f\ng"}, {"h", "", ""}}));
}

TEST(Csv, TabsAndSemicolonsAreSeenInTheFirstLine) {
  EXPECT_EQ(read("a\tb,c\n1\t2\n"), (Rows{{"a", "b,c"}, {"1", "2"}}));
  EXPECT_EQ(read("a;b\n1,5;2"), (Rows{{"a", "b"}, {"1,5", "2"}}));
}

TEST(Csv, AMarkOfUtf8AndEmptyLinesArePassedOver) {
  EXPECT_EQ(read("\xEF\xBB\xBF\na,b\n\n\r\n1,2"), (Rows{{"a", "b"}, {"1", "2"}}));
}

TEST(Csv, TheLineOfARowCountsLinesInsideQuotes) {
  const std::string text = "a,b\n\"x\ny\",1\nz,2\n";
  CsvReader reader(text, ',');
  std::vector<std::string> fields;
  for (const std::int64_t line : {1, 2, 4}) {
    ASSERT_TRUE(reader.next(fields));
    EXPECT_EQ(reader.line(), line);
  }
}

TEST(Csv, AnOpenQuoteAndWhatFollowsAClosedOneAreRefused) {
  EXPECT_THROW(read("a,\"b\n"), InputError);
  EXPECT_THROW(read("\"a\"b,c\n"), InputError);
}

}  // namespace
}  // namespace crema
