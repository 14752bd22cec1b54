// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/exit.h"

#include <new>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::cli {
namespace {

template <class Error>
int code_of(const Error& error) {
  return explain(std::make_exception_ptr(error)).code;
}

TEST(Exit, TellsWhoIsAtFault) {
  EXPECT_EQ(code_of(UsageError("x")), 2);
  EXPECT_EQ(code_of(InputError("x")), 3);
  EXPECT_EQ(code_of(FileError("x")), 4);
  EXPECT_EQ(code_of(ResourceError("x")), 6);
  EXPECT_EQ(code_of(std::bad_alloc()), 6);
  EXPECT_EQ(code_of(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again))), 6);
  EXPECT_EQ(code_of(std::runtime_error("pthread_create has failed: Resource temporarily unavailable")), 6);
  EXPECT_EQ(code_of(std::system_error(std::make_error_code(std::errc::invalid_argument))), 1);
  EXPECT_EQ(code_of(Cancelled("x")), 130);
  EXPECT_EQ(code_of(std::logic_error("x")), 1);
  EXPECT_EQ(code_of(42), 1);
}

TEST(Exit, KeepsTheSentenceOfARefusal) {
  EXPECT_EQ(explain(std::make_exception_ptr(InputError("a.nii: is empty."))).sentence, "a.nii: is empty.");
}

TEST(Exit, CallsABugABug) {
  const auto failure = explain(std::make_exception_ptr(std::logic_error("index 7 of 3")));
  EXPECT_NE(failure.sentence.find("index 7 of 3"), std::string::npos);
  EXPECT_NE(failure.sentence.find("bug"), std::string::npos);
}

}  // namespace
}  // namespace crema::cli
