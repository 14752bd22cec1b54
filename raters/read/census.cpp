// SPDX-License-Identifier: Apache-2.0
#include "raters/read/census.h"

#include <bit>
#include <utility>

#include "files/values/values.h"

namespace crema::raters {
namespace {

using Values = std::array<std::uint64_t, 4>;

bool has(const Values& values, std::size_t value) { return (values[value / 64] >> (value % 64) & 1) != 0; }

/// Zeros and ones are recognised by what all bytes have in common; the loop is one the compiler can widen.
Values values_in(Mask block) {
  std::uint8_t any = 0, all = 0xFF;
  for (const std::uint8_t byte : block) {
    any = static_cast<std::uint8_t>(any | byte);
    all = static_cast<std::uint8_t>(all & byte);
  }
  if (any <= 1) return {(any != 0 ? 2U : 0U) | (all == 0 ? 1U : 0U)};
  Values values{};
  for (const std::uint8_t byte : block) values[byte / 64] |= std::uint64_t{1} << (byte % 64);
  return values;
}

/// The readers' own certificate, with its sentence.
Warnings check_closely(Mask mask, const std::string& name, const Grid& grid) {
  const files::MaskSink nowhere = [](std::int64_t, Mask) {};
  files::MaskBuilder builder({}, {}, nowhere);
  builder.take(mask);
  return builder.finish(name, grid).warnings;
}

}  // namespace

ByteCensus::ByteCensus(std::size_t raters, std::int64_t voxels)
    : seen_(raters), blocks_((voxels + Votes::kBlock - 1) / Votes::kBlock) {}

void ByteCensus::look_at(std::size_t rater, Mask block, std::uint8_t bits) {
  Seen& seen = seen_[rater];
  seen.blocks.fetch_add(1, std::memory_order_relaxed);
  constexpr std::uint64_t zero_and_one = 3;
  if (bits == 1 && (seen.values[0].load(std::memory_order_relaxed) & zero_and_one) == zero_and_one) return;
  const Values values = values_in(block);
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((values[i] & ~seen.values[i].load(std::memory_order_relaxed)) != 0)
      seen.values[i].fetch_or(values[i], std::memory_order_relaxed);
}

Warnings ByteCensus::check(std::size_t rater, Mask mask, const std::string& name, const Grid& grid) const {
  const Seen& seen = seen_[rater];
  Values values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = seen.values[i];
  files::Census census;
  census.outside = has(values, 0) || seen.blocks < blocks_;
  values[0] &= ~std::uint64_t{1};
  for (std::size_t value = 1; value < 256; ++value) {
    if (!has(values, value)) continue;
    if (census.inside) return check_closely(mask, name, grid);
    census.inside = true;
    census.inside_value = census.inside_target = static_cast<double>(value);
  }
  return files::check_values(census, {}, {}, name, grid);
}

}  // namespace crema::raters
