// SPDX-License-Identifier: Apache-2.0
#include "plot/child.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "crema/base/error.h"

namespace crema::plot {
namespace {

namespace fs = std::filesystem;

TEST(Child, GivesBackWhatItMade) {
  EXPECT_EQ(in_child([] { return std::string("made"); }), "made");
  EXPECT_EQ(in_child([] { return std::string(); }), "");
  EXPECT_EQ(in_child([] { return std::string(3'000'000, 'x'); }), std::string(3'000'000, 'x'));
}

TEST(Child, RefusalsComeBackAsTheyAre) {
  try {
    in_child([]() -> std::string { throw InputError("too large."); });
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.sentence.text(), "too large.");
  }
  EXPECT_THROW(in_child([]() -> std::string { throw UsageError("no."); }), UsageError);
}

TEST(Child, ALibraryThatEndsItsProcessIsALackOfMemory) {
  EXPECT_THROW(in_child([]() -> std::string { throw std::bad_alloc(); }), ResourceError);
  EXPECT_THROW(in_child([]() -> std::string { ::_Exit(3); }), ResourceError);
  EXPECT_THROW(in_child([]() -> std::string {
                 std::raise(SIGKILL);
                 return "";
               }),
               ResourceError);
}

TEST(Child, OneThatIsStuckIsReplaced) {
  const fs::path folder = fs::path(testing::TempDir()) / "crema_stuck";
  fs::remove_all(folder);
  const auto work = [&] {
    while (fs::create_directory(folder)) ::pause();
    return std::string("second");
  };
  EXPECT_EQ(in_child(work, std::chrono::seconds(1)), "second");
  fs::remove_all(folder);
}

TEST(Child, OneThatIsAlwaysStuckIsGivenUp) {
  const auto stuck = []() -> std::string {
    while (true) ::pause();
  };
  EXPECT_THROW(in_child(stuck, std::chrono::seconds(1)), ResourceError);
}

}  // namespace
}  // namespace crema::plot
