// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace crema::cli {

enum class Show { never, on_terminal };

/// One line on a terminal that shows how far the work has come, once it has lasted `patience`; erased at the
/// end. Safe to update from several threads.
class Progress {
 public:
  explicit Progress(Show show, std::chrono::milliseconds patience = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `share` of the stage is done, from 0 to 1.
  void update(const std::string& stage, double share);

  /// Takes the line off the screen; the next update draws it again.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool drawn_ = false;
  Clock::time_point next_;
  std::mutex mutex_;
};

}  // namespace crema::cli
