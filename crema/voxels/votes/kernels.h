// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crema {

/// What is done to every voxel, for one instruction set. All sets give the same bytes.
struct ByteKernels {
  /// The bits that are set in any of the bytes.
  std::uint8_t (*any)(const std::uint8_t* bytes, std::size_t count);
};

/// Adds a rater to the sets of the voxels it marked.
template <class Set>
struct SetKernels {
  void (*fold)(Set* sets, const std::uint8_t* mask, std::size_t count, Set rater);
};

/// Rows of numbers of steps. Places just before and after `other` may be read; `count` is a multiple of
/// kRowBlock.
template <class Number>
struct RowKernels {
  /// to = the least of four.
  void (*least)(const Number* a, const Number* b, const Number* c, const Number* d, Number* to,
                std::size_t count);
  /// own = the lesser of own and one step from `other`.
  void (*step_from_one)(const Number* other, Number* own, std::size_t count);
  /// own = the lesser of own and one step from the least of `other` and its two neighbours.
  void (*step_from_three)(const Number* other, Number* own, std::size_t count);
};

inline constexpr std::size_t kRowBlock = 32;

/// The kernels of one instruction set.
struct Kernels {
  std::string_view name;
  ByteKernels bytes;
  SetKernels<std::uint8_t> sets8;
  SetKernels<std::uint16_t> sets16;
  SetKernels<std::uint32_t> sets32;
  SetKernels<std::uint64_t> sets64;
  RowKernels<std::uint8_t> rows8;
  RowKernels<std::uint16_t> rows16;
  RowKernels<std::uint32_t> rows32;

  template <class Set>
  [[nodiscard]] const SetKernels<Set>& sets() const {
    if constexpr (sizeof(Set) == 1) return sets8;
    if constexpr (sizeof(Set) == 2) return sets16;
    if constexpr (sizeof(Set) == 4) return sets32;
    if constexpr (sizeof(Set) == 8) return sets64;
  }
  template <class Number>
  [[nodiscard]] const RowKernels<Number>& rows() const {
    if constexpr (sizeof(Number) == 1) return rows8;
    if constexpr (sizeof(Number) == 2) return rows16;
    if constexpr (sizeof(Number) == 4) return rows32;
  }
};

/// Those this processor can run, the plainest first.
std::vector<const Kernels*> runnable_kernels();

/// The best of them. The environment variable CREMA_KERNELS can name a plainer one.
const Kernels& kernels();

}  // namespace crema
