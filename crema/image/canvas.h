// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace crema {

/// Memory full of zeros: empty pages of the operating system when it is large. Throws std::bad_alloc.
void* take_zeros(std::size_t bytes);

/// Memory full of a pattern of four bytes, the lowest first: pages that all come from a few when it is large.
/// Throws std::bad_alloc.
void* take_pattern(std::size_t bytes, std::uint32_t pattern);

/// Gives back what either gave for as many bytes.
void give_back(void* memory, std::size_t bytes) noexcept;

/// Which blocks of a memory somebody may have written to. Several threads may write at once.
class PaintedBlocks {
 public:
  static constexpr std::size_t kBytes = 16 * 1024;  ///< of a block; the last one may be shorter

  PaintedBlocks() = default;
  explicit PaintedBlocks(std::size_t bytes)
      : all_(bytes / kBytes + 1), marks_(std::make_unique<std::atomic<std::uint8_t>[]>(all_ + 1)) {}

  [[nodiscard]] bool is_painted(std::size_t block) const { return is_marked(all_) || is_marked(block); }

  /// All blocks with a byte in [first, last].
  void paint(std::size_t first, std::size_t last) {
    for (std::size_t block = first / kBytes; block <= last / kBytes; ++block) mark(block);
  }
  void paint_all() {
    if (marks_) mark(all_);
  }

 private:
  [[nodiscard]] bool is_marked(std::size_t mark) const {
    return marks_[mark].load(std::memory_order_relaxed) != 0;
  }
  /// A mark that is there is only read: threads that paint side by side would wait for each other.
  void mark(std::size_t mark) {
    if (!is_marked(mark)) marks_[mark].store(1, std::memory_order_relaxed);
  }

  std::size_t all_ = 0;  ///< the place of the mark for all blocks, behind theirs
  std::unique_ptr<std::atomic<std::uint8_t>[]> marks_;
};

/// One number per voxel, all the same until they are painted: zero unless another is given. Pages that nobody
/// paints are never touched, so background costs nothing. The size is fixed.
template <class Value>
class Canvas {
  static_assert(std::is_arithmetic_v<Value>);
  static_assert(std::endian::native == std::endian::little);

 public:
  using value_type = Value;
  using iterator = Value*;
  using const_iterator = const Value*;

  Canvas() = default;
  explicit Canvas(std::size_t size)
      : size_(size), values_(allocate(size, 0)), painted_(size * sizeof(Value)) {}
  Canvas(std::size_t size, Value background) requires(sizeof(Value) <= sizeof(std::uint32_t))
      : size_(size),
        pattern_(pattern_of(background)),
        values_(allocate(size, pattern_)),
        painted_(size * sizeof(Value)) {}
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
  /// Whoever may write anywhere counts as having painted everything; paint() and [] say where.
  [[nodiscard]] Value* data() {
    painted_.paint_all();
    return values_.get();
  }
  [[nodiscard]] const Value* data() const { return values_.get(); }
  [[nodiscard]] Value* begin() { return data(); }
  [[nodiscard]] Value* end() { return data() + size_; }
  [[nodiscard]] const Value* begin() const { return data(); }
  [[nodiscard]] const Value* end() const { return data() + size_; }
  /// The background as it lies in memory, over and over: four bytes, the lowest first.
  [[nodiscard]] std::uint32_t pattern() const { return pattern_; }
  /// Where it was not painted, it has its background.
  [[nodiscard]] const PaintedBlocks& painted() const { return painted_; }
  /// Voxels to be written.
  [[nodiscard]] std::span<Value> paint(std::size_t first, std::size_t count) {
    if (count > 0) painted_.paint(first * sizeof(Value), (first + count) * sizeof(Value) - 1);
    return {values_.get() + first, count};
  }
  Value& operator[](std::size_t voxel) {
    painted_.paint(voxel * sizeof(Value), voxel * sizeof(Value));
    return values_[voxel];
  }
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

  static std::uint32_t pattern_of(Value value) {
    std::uint32_t pattern = 0;
    for (std::size_t at = 0; at < sizeof(pattern); at += sizeof(Value))
      std::memcpy(reinterpret_cast<unsigned char*>(&pattern) + at, &value, sizeof(Value));
    return pattern;
  }

  static Values allocate(std::size_t size, std::uint32_t pattern) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(Value)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(Value);
    return Values(static_cast<Value*>(take_pattern(bytes, pattern)), GiveBack{bytes});
  }

  void swap(Canvas& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(pattern_, other.pattern_);
    values_.swap(other.values_);
    std::swap(painted_, other.painted_);
  }

  std::size_t size_ = 0;
  std::uint32_t pattern_ = 0;
  Values values_;
  PaintedBlocks painted_;
};

/// Calls f(voxel, value) for all voxels that are not 0, in raster order; blocks that nobody painted are
/// skipped. Its background is zero.
template <class Value, class F>
void for_each_nonzero(const Canvas<Value>& map, F f) {
  constexpr std::size_t kVoxels = PaintedBlocks::kBytes / sizeof(Value);
  for (std::size_t first = 0; first < map.size(); first += kVoxels) {
    if (!map.painted().is_painted(first / kVoxels)) continue;
    const std::size_t end = std::min(first + kVoxels, map.size());
    for (std::size_t v = first; v < end; ++v)
      if (map[v] != 0) f(v, map[v]);
  }
}

}  // namespace crema
