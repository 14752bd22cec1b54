// SPDX-License-Identifier: Apache-2.0
#include "crema/base/json.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

namespace crema {
namespace {

nlohmann::ordered_json read_back(const Json& json) { return nlohmann::ordered_json::parse(json.text()); }

TEST(Json, BracesMakeObjectsOfNamedPairsAndElseLists) {
  const Json json{{"box", {{"low", std::array{1, 2, 3}}, {"high", std::vector{4U, 5U}}}},
                  {"empty", Json::array()},
                  {"kept", true},
                  {"date", nullptr}};
  EXPECT_EQ(read_back(json).dump(),
            R"({"box":{"low":[1,2,3],"high":[4,5]},"empty":[],"kept":true,"date":null})");
  EXPECT_EQ(read_back(Json{1, "two", 3.5}).dump(), R"([1,"two",3.5])");
}

TEST(Json, MembersKeepTheirOrderAndAreMadeWhenNamed) {
  Json json;
  json["z"] = 1;
  json["a"] = "first";
  json["z"] = Json();
  json["list"].push_back({{"k", 1}});
  EXPECT_EQ(json.text(),
            "{\n  \"z\": null,\n  \"a\": \"first\",\n  \"list\": [\n    {\n      \"k\": 1\n    }\n  ]\n}");
}

TEST(Json, WhatIsNotFiniteIsNull) {
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).text(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).text(), "null");
  EXPECT_EQ(Json(2.0).text(), "2.0");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
}

RC_GTEST_PROP(Json, NumbersReadBackAsTheSameNumbers, ()) {
  const double number = *rc::gen::arbitrary<double>();
  RC_ASSERT(read_back(number).get<double>() == number);
  RC_ASSERT(read_back(number).is_number_float());
}

bool is_unicode(const std::string& bytes) {
  try {
    return !nlohmann::json(bytes).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

RC_GTEST_PROP(Json, AnyBytesBecomeTextThatAStrictReaderTakes, ()) {
  const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  const auto read = read_back(bytes).get<std::string>();
  RC_ASSERT(is_unicode(read));
  RC_ASSERT((read == bytes) == is_unicode(bytes));
}

TEST(Json, TextOfAllKindsSurvives) {
  const std::string text = "grün \"€\" \\ 😀 \x01\x1f\x7f\b\f\n\r\t/";
  EXPECT_EQ(read_back(text).get<std::string>(), text);
  EXPECT_EQ(Json("a\xff\xed\xa0\x80z").text(), "\"a\uFFFD\uFFFD\uFFFD\uFFFDz\"");
}

}  // namespace
}  // namespace crema
