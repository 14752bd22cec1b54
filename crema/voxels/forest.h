// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace crema {

/// Disjoint sets of numbered things. The root of a set is its smallest member.
class Forest {
 public:
  explicit Forest(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

  [[nodiscard]] std::size_t trees() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < parent_.size(); ++i) count += parent_[i] == i ? 1U : 0U;
    return count;
  }

  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace crema
