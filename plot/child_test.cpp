// SPDX-License-Identifier: Apache-2.0
#include "plot/child.h"

#include <csignal>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::plot {
namespace {

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

}  // namespace
}  // namespace crema::plot
