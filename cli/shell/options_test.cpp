// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/options.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/error.h"

namespace crema::cli {
namespace {

/// The sentence of a refusal, or "accepted".
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Options, MemoryIsReadWithBinaryUnits) {
  EXPECT_EQ(parse_memory("800000000"), 800000000);
  EXPECT_EQ(parse_memory("1K"), 1024);
  EXPECT_EQ(parse_memory("512M"), std::int64_t{512} << 20);
  EXPECT_EQ(parse_memory("1.5g"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_memory("2T"), std::int64_t{2} << 40);
}

TEST(Options, MemoryThatMakesNoSenseIsRefused) {
  for (const char* text : {"", "G", "-1G", "0", "4GB", "4 G", "nan", "inf", "1e30", "0x10", "1,5G"})
    EXPECT_NE(refusal([&] { parse_memory(text); }), "accepted") << text;
}

TEST(Options, NumbersAreReadWhole) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number("-1e3"), -1000);
  for (const char* text : {"", "0,5", "1x", " 1", "nan", "inf", "--"})
    EXPECT_NE(refusal([&] { parse_number(text); }), "accepted") << text;
}

TEST(Options, WholeNumbersKeepToTheirRange) {
  EXPECT_EQ(parse_whole("64", {1, 64}), 64);
  EXPECT_EQ(refusal([] { parse_whole("65", {1, 64}); }), "65 is not a whole number from 1 to 64.");
  EXPECT_NE(refusal([] { parse_whole("0", {1, 64}); }), "accepted");
  EXPECT_NE(refusal([] { parse_whole("2.0", {1, 64}); }), "accepted");
  EXPECT_NE(refusal([] { parse_whole("99999999999999999999", {1, 64}); }), "accepted");
}

RC_GTEST_PROP(Options, AWholeNumberComesBackAsItWasWritten, (std::int64_t number)) {
  RC_ASSERT(parse_whole(std::to_string(number), {INT64_MIN, INT64_MAX}) == number);
}

TEST(Options, AChoiceIsRefusedWithTheNearest) {
  CLI::App app;
  take_choice(app, {"--tie", "background|foreground", "text"}, [](const std::string&) {});
  std::vector<std::string> words = {"foregrond", "--tie"};
  EXPECT_EQ(refusal([&] { app.parse(words); }),
            "--tie: foregrond is not one of background, foreground. Did you mean foreground?");
}

TEST(Options, AnOptionGivenTwiceIsRefused) {
  CLI::App app;
  int threads = 0;
  take_whole(app, {"--threads", "N", "text"}, threads, {1, 8});
  std::vector<std::string> words = {"3", "--threads", "2", "--threads"};
  EXPECT_EQ(refusal([&] { app.parse(words); }), "--threads is given more than once.");
}

TEST(Options, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace crema::cli
