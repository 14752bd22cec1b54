// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace crema::raters {

struct Readers {
  int threads = 1;
  std::function<void(double)> progress = {};
};

/// Reads raters side by side: `read` is called once for each, on any thread. What is wrong with the first
/// faulty rater is thrown, whoever was read first.
void for_each_rater(std::size_t raters, const Readers& readers, const std::function<void(std::size_t)>& read);

}  // namespace crema::raters
