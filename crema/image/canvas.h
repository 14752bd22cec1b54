// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace crema {

/// Memory full of zeros: empty pages of the operating system when it is large. Throws std::bad_alloc.
void* take_zeros(std::size_t bytes);

/// Gives back what take_zeros() gave for as many bytes.
void give_back(void* memory, std::size_t bytes) noexcept;

/// One number per voxel, zero until it is painted. The memory is the operating system's empty pages: those
/// that nobody paints are never touched, so background costs nothing. The size is fixed.
template <class Value>
class Canvas {
  static_assert(std::is_arithmetic_v<Value>);

 public:
  using value_type = Value;
  using iterator = Value*;
  using const_iterator = const Value*;

  Canvas() = default;
  explicit Canvas(std::size_t size) : size_(size), values_(allocate(size)) {}
  Canvas(std::size_t size, Value value) : Canvas(size) {
    if (value != 0) std::fill(begin(), end(), value);
  }
  Canvas(std::initializer_list<Value> values) : Canvas(std::span<const Value>(values)) {}
  explicit Canvas(std::span<const Value> values) : Canvas(values.size()) {
    std::copy(values.begin(), values.end(), begin());
  }
  Canvas(const Canvas& other) : Canvas(std::span<const Value>(other)) {}
  Canvas(Canvas&& other) noexcept { swap(other); }
  Canvas& operator=(Canvas other) noexcept {
    swap(other);
    return *this;
  }
  ~Canvas() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Value* data() { return values_.get(); }
  [[nodiscard]] const Value* data() const { return values_.get(); }
  [[nodiscard]] Value* begin() { return data(); }
  [[nodiscard]] Value* end() { return data() + size_; }
  [[nodiscard]] const Value* begin() const { return data(); }
  [[nodiscard]] const Value* end() const { return data() + size_; }
  Value& operator[](std::size_t voxel) { return values_[voxel]; }
  const Value& operator[](std::size_t voxel) const { return values_[voxel]; }

  friend bool operator==(const Canvas& a, const Canvas& b) { return a == std::span<const Value>(b); }
  friend bool operator==(const Canvas& a, std::span<const Value> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct GiveBack {
    std::size_t bytes = 0;
    void operator()(void* memory) const noexcept { give_back(memory, bytes); }
  };
  using Values = std::unique_ptr<Value[], GiveBack>;

  static Values allocate(std::size_t size) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(Value)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(Value);
    return Values(static_cast<Value*>(take_zeros(bytes)), GiveBack{bytes});
  }

  void swap(Canvas& other) noexcept {
    std::swap(size_, other.size_);
    values_.swap(other.values_);
  }

  std::size_t size_ = 0;
  Values values_;
};

}  // namespace crema
