// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace crema::cli {
namespace {

using namespace std::chrono_literals;

/// Standard error as a terminal, for as long as it lives; what was written there can be read.
class FakeTerminal {
 public:
  FakeTerminal() : saved_(dup(STDERR_FILENO)), master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(master_), 0);
    EXPECT_EQ(unlockpt(master_), 0);
    const int terminal = open(ptsname(master_), O_RDWR | O_NOCTTY);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~FakeTerminal() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    close(master_);
  }
  FakeTerminal(const FakeTerminal&) = delete;
  FakeTerminal& operator=(const FakeTerminal&) = delete;

  [[nodiscard]] std::string written() const {
    char buffer[4096];
    const ssize_t count = read(master_, buffer, sizeof(buffer));
    return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
  }

 private:
  int saved_, master_;
};

/// A container may have none.
bool has_terminals() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0) return false;
  const bool usable = grantpt(master) == 0 && unlockpt(master) == 0;
  close(master);
  return usable;
}

class ProgressOnTerminal : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here; /dev/pts is not mounted";
  }
};

TEST_F(ProgressOnTerminal, SaysNothingWhenTheWorkIsShort) {
  const FakeTerminal terminal;
  { Progress(Show::on_terminal, 1h).update("reading", 0.5); }
  EXPECT_EQ(terminal.written(), "");
}

TEST_F(ProgressOnTerminal, DrawsOneLineAndErasesItAtTheEnd) {
  const FakeTerminal terminal;
  {
    Progress progress(Show::on_terminal, 0ms);
    progress.update("reading", 0.5);
    const std::string drawn = terminal.written();
    EXPECT_NE(drawn.find("reading"), std::string::npos) << drawn;
    EXPECT_NE(drawn.find(" 50 %"), std::string::npos) << drawn;
    EXPECT_EQ(drawn.find('\n'), std::string::npos) << drawn;
  }
  EXPECT_EQ(terminal.written(), "\r\033[K");
}

TEST_F(ProgressOnTerminal, DoesNotRedrawAllTheTime) {
  const FakeTerminal terminal;
  Progress progress(Show::on_terminal, 0ms);
  for (int i = 0; i < 1000; ++i) progress.update("counting", i / 1000.0);
  EXPECT_LT(terminal.written().size(), 500U);
}

TEST_F(ProgressOnTerminal, SaysNothingWhenAskedNotToOrWhenNobodyLooks) {
  {
    const FakeTerminal terminal;
    Progress(Show::never, 0ms).update("reading", 0.5);
    EXPECT_EQ(terminal.written(), "");
  }
  testing::internal::CaptureStderr();
  Progress(Show::on_terminal, 0ms).update("reading", 0.5);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace crema::cli
