// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace crema::cli {

inline constexpr int kOk = 0;
inline constexpr int kBug = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInput = 3;
inline constexpr int kFile = 4;
inline constexpr int kResource = 6;
inline constexpr int kHungUp = 129;
inline constexpr int kInterrupted = 130;
inline constexpr int kOutputClosed = 141;
inline constexpr int kTerminated = 143;

struct ExitMeaning {
  int code;
  std::string_view meaning;
};

/// All exit codes with their meaning, for help and manual.
std::span<const ExitMeaning> exit_meanings();

/// What to say about an exception, and the code to leave with.
struct Failure {
  int code;
  std::string sentence;
};

Failure explain(const std::exception_ptr& error);

}  // namespace crema::cli
