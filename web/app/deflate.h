// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema::report {

/// Bare deflate data in one block of fixed codes: runs of equal bytes are packed, nothing else is. That is
/// what masks are made of.
class Deflater {
 public:
  Deflater();

  /// Bytes that follow those before; a run may go on from one call to the next.
  void add(std::span<const std::uint8_t> bytes);

  /// What was packed.
  std::vector<std::uint8_t> finish();

 private:
  void put(std::uint32_t bits, int count);
  void put_code(std::uint32_t code, int count);
  void put_literal(std::uint8_t byte);
  void put_run();
  void put_match(int length);

  std::vector<std::uint8_t> out_;
  std::uint64_t hold_ = 0;
  int held_ = 0;
  int last_ = -1;         ///< the byte before; none at the beginning
  std::int64_t run_ = 0;  ///< how often it came again, not yet written
};

}  // namespace crema::report
