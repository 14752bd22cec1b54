// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace crema::raters {

/// How the work and whoever waits for it talk to each other.
struct Hooks {
  /// Called with the finished share of a stage, from 0 to 1; on any thread. May throw Cancelled.
  std::function<void(std::string_view stage, double share)> progress = {};
  /// Once it says true the work ends with Cancelled.
  std::function<bool()> stop = {};
};

}  // namespace crema::raters
