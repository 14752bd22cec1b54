// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/options.h"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

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

TEST(Options, SettingsBecomeFlagsFromTheirTable) {
  CLI::App app;
  Settings settings;
  take_group(app, settings, "Estimate");
  take_group(app, settings, "Criterion");
  std::vector<std::string> words = {"--no-empty-test", "2", "--drop-below"};
  app.parse(words);
  EXPECT_EQ(settings.options.estimate.drop_below, 2);
  EXPECT_EQ(settings.options.empty_test, EmptyTest::skip);
  EXPECT_TRUE(was_given(settings, "drop_below") && was_given(settings, "empty_test"));
}

}  // namespace
}  // namespace crema::cli
