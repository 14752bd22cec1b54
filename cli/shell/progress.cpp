// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/progress.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/shell/output.h"

namespace crema::cli {
namespace {

constexpr auto kPause = std::chrono::milliseconds(100);
constexpr int kWidth = 30;

}  // namespace

Progress::Progress(Show show, std::chrono::milliseconds patience)
    : shown_(show == Show::on_terminal && talking_to_a_terminal()), next_(Clock::now() + patience) {}

Progress::~Progress() { erase(); }

void Progress::update(const std::string& stage, double share) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kPause;
  drawn_ = true;
  const double done = std::clamp(share, 0.0, 1.0);
  const std::string bar(static_cast<std::size_t>(done * kWidth), '#');
  say(fmt::format("\r\033[K{:<10} [{:<{}}] {:3.0f} %", stage, bar, kWidth, done * 100));
}

void Progress::erase() {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  if (drawn_) say("\r\033[K");
  drawn_ = false;
}

}  // namespace crema::cli
