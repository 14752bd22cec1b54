// SPDX-License-Identifier: Apache-2.0
#include "crema/base/json_parse.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

TEST(JsonParse, WhatIsWrittenReadsBack) {
  const Json result{
      {"a", 1}, {"b", {1.5, -2, nullptr, true}}, {"c", {{"d", "x\"\\\n\u00e9\x01"}}}, {"e", Json::array()}};
  EXPECT_EQ(parse_json(result.text()).text(), result.text());
  EXPECT_EQ(parse_json(line_of(result)).text(), result.text());
  EXPECT_EQ(line_of(result).find('\n'), std::string::npos);
}

TEST(JsonParse, WholeNumbersAndOthersStayApart) {
  EXPECT_EQ(line_of(parse_json("[5, 5.0, 1e3, 9007199254740993]")), "[5, 5.0, 1000.0, 9007199254740993]");
}

TEST(JsonParse, EscapesAreRead) {
  EXPECT_EQ(text_in(parse_json(R"("\u00e9\ud83d\ude00\/")")), "\u00e9\U0001F600/");
}

TEST(JsonParse, MembersThatAreNotThereAreNull) {
  const Json json = parse_json(R"({"a": {"b": [1, 2]}})");
  EXPECT_EQ(list_in(member(member(json, "a"), "b")).size(), 2U);
  EXPECT_EQ(text_in(member(member(json, "x"), "y")), "");
  EXPECT_EQ(whole_in(list_in(member(member(json, "a"), "b"))[1]), 2);
}

TEST(JsonParse, EveryTextThatIsCutShortIsRefused) {
  const std::string text = R"({"a": [1, -2.5e3, "x\u00e9\n"], "b": {"c": true, "d": null}})";
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_THROW(parse_json(text.substr(0, size)), InputError) << size;
}

TEST(JsonParse, WhatIsNotJsonIsRefused) {
  for (const char* text :
       {"{\"a\" 1}", "[1,]", "[1 2]", "tru", "\"\\x\"", "\"\\ud800\"", "1 2", "nan", "--1", "\"\n\""})
    EXPECT_THROW(parse_json(text), InputError) << text;
  EXPECT_THROW(parse_json(std::string(100000, '[')), InputError);
}

}  // namespace
}  // namespace crema
