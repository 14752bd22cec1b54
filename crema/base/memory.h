// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "crema/base/sentence.h"

namespace crema {

/// "11.2 MB", in the units of --max-memory.
std::string megabytes(std::int64_t bytes);

/// What a run may have in memory, and what it holds. Each stage reports what it is about to take before it
/// takes it. May be used on several threads.
class MemoryAccount {
 public:
  explicit MemoryAccount(std::int64_t limit) : limit_(limit) {}

  [[nodiscard]] std::int64_t limit() const { return limit_; }
  [[nodiscard]] std::int64_t held() const { return held_; }
  /// Whether so many bytes fit beside what is held.
  [[nodiscard]] bool allows(std::int64_t bytes) const { return bytes <= limit_ - held_; }

  /// Throws ResourceError unless a stage, such as "finding the components", may have so many bytes for a
  /// while. `instead` is what could be done about it besides allowing more: "crop the images".
  void require(std::string_view stage, std::int64_t bytes, const Sentence& instead) const;

  /// So many bytes are held from now on; a negative number gives back.
  void hold(std::int64_t bytes) { held_ += bytes; }

 private:
  std::int64_t limit_;
  std::atomic<std::int64_t> held_{0};
};

/// What a stage holds of an account, given back at its end.
class HeldMemory {
 public:
  /// None: as much may be taken as there is.
  explicit HeldMemory(MemoryAccount* account) : account_(account) {}
  ~HeldMemory() {
    if (account_ != nullptr) account_->hold(-bytes_);
  }
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  /// Requires as MemoryAccount::require() does, then holds. May be called on several threads.
  void take(std::string_view stage, std::int64_t bytes, const Sentence& instead) {
    if (account_ == nullptr) return;
    account_->require(stage, bytes, instead);
    account_->hold(bytes);
    bytes_ += bytes;
  }

 private:
  MemoryAccount* account_;
  std::atomic<std::int64_t> bytes_{0};
};

/// What a block of so many bytes takes on the heap.
constexpr std::int64_t heap_block(std::int64_t bytes) {
  constexpr std::int64_t kHeader = 8, kUnit = 16, kMin = 32;
  const std::int64_t whole = (bytes + kHeader + kUnit - 1) / kUnit * kUnit;
  return whole < kMin ? kMin : whole;
}

}  // namespace crema
