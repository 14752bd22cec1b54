// SPDX-License-Identifier: Apache-2.0
#include "cli/options/options.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

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

TEST(Options, AChoiceIsRefusedWithTheNearest) {
  Parser app;
  add_choice_option(app, {"--tie", "background|foreground", "text"}, [](const std::string&) {});
  std::vector<std::string> words = {"--tie", "foregrond"};
  EXPECT_EQ(refusal([&] { app.parse(words); }),
            "--tie: foregrond is not one of background, foreground. Did you mean foreground?");
}

TEST(Options, AnOptionGivenTwiceIsRefused) {
  Parser app;
  int threads = 0;
  add_number_option(app, {"--threads", "N", "text"}, threads, {1, 8});
  std::vector<std::string> words = {"--threads", "2", "--threads", "3"};
  EXPECT_EQ(refusal([&] { app.parse(words); }), "--threads is given more than once.");
}

TEST(Options, SettingsBecomeFlagsFromTheirTable) {
  Parser app;
  Settings settings;
  add_setting_group(app, settings, "Estimate");
  add_setting_group(app, settings, "Criterion");
  std::vector<std::string> words = {"--drop-below", "2", "--no-empty-test"};
  app.parse(words);
  EXPECT_EQ(settings.options.estimate.drop_below, 2);
  EXPECT_EQ(settings.options.empty_test, EmptyTest::skip);
  EXPECT_TRUE(was_given(settings, "drop_below") && was_given(settings, "empty_test"));
}

}  // namespace
}  // namespace crema::cli
