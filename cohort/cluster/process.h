// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crema::cohort {

/// How a program ended.
struct Ended {
  int code = 0;
  std::string output;  ///< what it printed

  static constexpr int kNotFound = 127;
};

/// What becomes of a program's complaints.
enum class Complaints : std::uint8_t { shown, dropped };

/// Runs a program and takes what it prints; no shell reads the words. Throws FileError where the system has
/// no process for it.
Ended run_process(const std::vector<std::string>& words, Complaints complaints);

}  // namespace crema::cohort
