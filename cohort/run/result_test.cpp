// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/result.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "crema/base/json_parse.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

class Sealed : public testing::Test {
 protected:
  Sealed() { fs::create_directories(folder_); }
  ~Sealed() override { fs::remove_all(folder_); }

  [[nodiscard]] std::optional<Json> read(const std::string& text) const {
    std::ofstream(folder_ / "result.json", std::ios::binary) << text;
    return read_sealed(folder_ / "result.json");
  }

  fs::path folder_ = fs::temp_directory_path() / ("crema-sealed-" + std::to_string(::getpid()));
};

const std::string kText = "{\n  \"case\": \"a\",\n  \"lmsd\": 0.5\n}\n";

TEST_F(Sealed, AResultIsReadAsItWasWritten) {
  const std::optional<Json> back = read(sealed(kText));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(text_in(member(*back, "case")), "a");
  EXPECT_EQ(seal_of(sealed(kText)).size(), 64);
}

TEST_F(Sealed, AnyChangedByteAndAnyCutAreNoticed) {
  const std::string whole = sealed(kText);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_FALSE(read(other).has_value()) << at;
    EXPECT_FALSE(read(whole.substr(0, at)).has_value()) << at;
  }
  EXPECT_FALSE(read(kText).has_value());
  EXPECT_FALSE(read(whole + " ").has_value());
}

TEST_F(Sealed, WhatIsNotThereIsNothing) { EXPECT_FALSE(read_sealed(folder_ / "none.json").has_value()); }

TEST(CaseFailure, IsTriedAgainWhereItMayGoAwayByItself) {
  for (const char* kind : {"away", "memory", "io", "disk"})
    EXPECT_TRUE((CaseFailure{kind, ""}.transient())) << kind;
  for (const char* kind : {"input", "settings", "bug"})
    EXPECT_FALSE((CaseFailure{kind, ""}.transient())) << kind;
}

}  // namespace
}  // namespace crema::cohort
