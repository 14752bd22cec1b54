// SPDX-License-Identifier: Apache-2.0
#include "files/values/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "crema/base/error.h"

namespace crema::files {

namespace {

constexpr std::size_t kMaxForeign = 32;

template <std::size_t bytes>
using BitsOf =
    std::conditional_t<bytes == 1, std::uint8_t,
                       std::conditional_t<bytes == 2, std::uint16_t,
                                          std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
T swap_bytes(T value) {
  auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

template <class T>
void convert(const std::uint8_t* stored, std::span<double> values, const ValueType& type) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, stored + i * sizeof(T), sizeof(T));
    if (type.swapped) value = swap_bytes(value);
    values[i] = type.slope * static_cast<double>(value) + type.intercept;
  }
}

/// What the whole block holds, where nothing needs a closer look; false where something does.
template <class Inside, class Odd>
bool take_block(std::span<const double> values, std::uint8_t* mask, Census& census, Inside inside, Odd odd) {
  unsigned any_odd = 0, any_inside = 0, all_inside = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned in = inside(values[i]) ? 1 : 0;
    any_odd |= odd(values[i]) ? 1u : 0u;
    any_inside |= in;
    all_inside &= in;
    mask[i] = static_cast<std::uint8_t>(in);
  }
  if (any_odd != 0) return false;
  census.inside = census.inside || any_inside != 0;
  census.outside = census.outside || all_inside == 0;
  return true;
}

bool finite(double value) { return std::abs(value) <= std::numeric_limits<double>::max(); }

void check_options(const ReadOptions& options) {
  if (options.threshold && options.label) {
    throw UsageError(Sentence::setting("threshold") + " and " + Sentence::setting("label") +
                     " exclude each other; give one of them.");
  }
  if (!finite(options.threshold.value_or(0)) || !finite(options.label.value_or(0))) {
    throw UsageError(Sentence::setting("threshold") + " and " + Sentence::setting("label") +
                     " need a finite number.");
  }
}

void note_foreign(Census& census, double value) {
  census.least = std::min(census.least, value);
  census.most = std::max(census.most, value);
  auto& seen = census.foreign;
  if (seen.size() <= kMaxForeign && std::find(seen.begin(), seen.end(), value) == seen.end()) {
    seen.push_back(value);
  }
}

/// Takes a value as inside when it is the first or near the first; false when it is neither.
bool take_inside(Census& census, double value) {
  if (!census.inside) {
    const double whole = std::round(value);
    const bool is_whole = std::abs(value - whole) <= kValueTolerance;
    census.inside_value = value;
    census.inside_target = is_whole ? whole : value;
    census.inside = true;
  }
  census.rounded = census.rounded || value != census.inside_target;
  return std::abs(value - census.inside_target) <= kValueTolerance;
}

void take_strictly(Census& census, double value) {
  if (std::abs(value) > kValueTolerance) {
    if (!take_inside(census, value)) note_foreign(census, value);
    return;
  }
  census.outside = true;
  census.rounded = census.rounded || value != 0;
}

}  // namespace

std::string_view name_of(Number number) {
  constexpr std::array<std::string_view, 10> names{"int8",   "uint8", "int16",  "uint16",  "int32",
                                                   "uint32", "int64", "uint64", "float32", "float64"};
  return names.at(static_cast<std::size_t>(number));
}

std::size_t bytes_of(Number number) {
  constexpr std::array<std::size_t, 10> bytes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes.at(static_cast<std::size_t>(number));
}

void read_values(std::span<const std::uint8_t> stored, const ValueType& type, std::span<double> values) {
  constexpr std::array<void (*)(const std::uint8_t*, std::span<double>, const ValueType&), 10> converters{
      convert<std::int8_t>,  convert<std::uint8_t>,  convert<std::int16_t>, convert<std::uint16_t>,
      convert<std::int32_t>, convert<std::uint32_t>, convert<std::int64_t>, convert<std::uint64_t>,
      convert<float>,        convert<double>};
  converters.at(static_cast<std::size_t>(type.number))(stored.data(), values, type);
}

MaskBuilder::MaskBuilder(const ValueType& type, const ReadOptions& options, const MaskSink& sink)
    : type_(type), options_(options), strict_(!options.threshold && !options.label), sink_(sink) {
  check_options(options);
}

void MaskBuilder::take(std::span<const std::uint8_t> stored) {
  if (options_.labels != nullptr) {
    if (take_whole_labels(stored)) return;
    const std::size_t each = bytes_of(type_.number);
    for (auto rest = stored; !rest.empty();) {
      const std::size_t count = std::min(kBlock, rest.size() / each);
      const std::span<double> values = std::span(block_values_).first(count);
      read_values(rest.first(count * each), type_, values);
      take_labels(values);
      rest = rest.subspan(count * each);
    }
    return;
  }
  switch (type_.number) {
    case Number::int8:
      return take_as<std::int8_t>(stored);
    case Number::uint8:
      return take_as<std::uint8_t>(stored);
    case Number::int16:
      return take_as<std::int16_t>(stored);
    case Number::uint16:
      return take_as<std::uint16_t>(stored);
    case Number::int32:
      return take_as<std::int32_t>(stored);
    case Number::uint32:
      return take_as<std::uint32_t>(stored);
    case Number::int64:
      return take_as<std::int64_t>(stored);
    case Number::uint64:
      return take_as<std::uint64_t>(stored);
    case Number::float32:
      return take_as<float>(stored);
    case Number::float64:
      return take_as<double>(stored);
  }
}

/// Two stored patterns, 0 and the one known to be inside, need no arithmetic at all.
template <class Bits>
bool MaskBuilder::take_bits(std::span<const std::uint8_t> stored) {
  if (!strict_ || type_.intercept != 0) return false;
  const auto inside = static_cast<Bits>(inside_bits_);
  std::uint8_t* const mask = block_mask_.data();
  const std::size_t count = stored.size() / sizeof(Bits);
  std::uint8_t odd = 0, any = 0, all = 1;
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, stored.data() + i * sizeof(Bits), sizeof(Bits));
    const auto in = static_cast<std::uint8_t>(bits != 0);
    odd = static_cast<std::uint8_t>(odd | (in & static_cast<std::uint8_t>(bits != inside)));
    any = static_cast<std::uint8_t>(any | in);
    all = static_cast<std::uint8_t>(all & in);
    mask[i] = in;
  }
  if (odd != 0) return false;
  census_.inside = census_.inside || any != 0;
  census_.outside = census_.outside || all == 0;
  hand_on(count);
  return true;
}

template <class Bits>
void MaskBuilder::learn_bits(std::span<const std::uint8_t> stored, std::span<const double> values) {
  if (inside_bits_ != 0 || !census_.inside) return;
  const auto found = std::find(values.begin(), values.end(), census_.inside_value);
  if (found == values.end()) return;
  Bits bits;
  std::memcpy(&bits, stored.data() + static_cast<std::size_t>(found - values.begin()) * sizeof(Bits),
              sizeof(Bits));
  inside_bits_ = bits;
}

/// Doubles have distinguished the values of the last block; where they are too coarse, the bits do.
template <class T>
void MaskBuilder::compare_huge(std::span<const std::uint8_t> stored) {
  constexpr auto limit = static_cast<T>(kFirstInexact);
  for (std::size_t i = 0; i < stored.size() / sizeof(T); ++i) {
    T value;
    std::memcpy(&value, stored.data() + i * sizeof(T), sizeof(T));
    if (type_.swapped) value = swap_bytes(value);
    const bool far_below = std::is_signed_v<T> && value <= static_cast<T>(T{0} - limit);
    if ((value < limit && !far_below) || (!strict_ && block_mask_[i] == 0)) continue;
    const auto bits = static_cast<std::uint64_t>(value);
    if (census_.huge && census_.huge_bits != bits && census_.collapsed.empty())
      census_.collapsed = std::to_string(static_cast<T>(census_.huge_bits)) + " and " + std::to_string(value);
    if (!census_.huge) census_.huge_bits = bits;
    census_.huge = true;
  }
}

template <class T>
void MaskBuilder::take_as(std::span<const std::uint8_t> stored) {
  using Bits = BitsOf<sizeof(T)>;
  for (auto rest = stored; !rest.empty();) {
    const std::size_t count = std::min(kBlock, rest.size() / sizeof(T));
    const auto block = rest.first(count * sizeof(T));
    rest = rest.subspan(block.size());
    if (take_bits<Bits>(block)) continue;
    const std::span<double> values = std::span(block_values_).first(count);
    convert<T>(block.data(), values, type_);
    take_values(values);
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      if (!options_.threshold) compare_huge<T>(block);
    }
    learn_bits<Bits>(block, values);
  }
}

/// Whole numbers that are stored as such need no arithmetic, and stretches of background are passed over.
template <class T>
bool MaskBuilder::take_labels_as(std::span<const std::uint8_t> stored) {
  for (auto rest = stored; !rest.empty();) {
    const std::size_t count = std::min(kBlock, rest.size() / sizeof(T));
    block_labels_.resize(count);
    T any = 0, signs = 0;
    for (std::size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, rest.data() + i * sizeof(T), sizeof(T));
      any = static_cast<T>(any | value);
      block_labels_[i] = static_cast<std::uint16_t>(value);
      if constexpr (std::is_signed_v<T>) signs = std::min(signs, value);
    }
    if (signs < 0) {
      const std::span<double> values = std::span(block_values_).first(count);
      read_values(rest.first(count * sizeof(T)), type_, values);
      take_labels(values);
    } else {
      if (any != 0) (*options_.labels)(taken_, block_labels_);
      taken_ += static_cast<std::int64_t>(count);
    }
    rest = rest.subspan(count * sizeof(T));
  }
  return true;
}

bool MaskBuilder::take_whole_labels(std::span<const std::uint8_t> stored) {
  if (type_.slope != 1 || type_.intercept != 0) return false;
  if (type_.number == Number::uint8) return take_labels_as<std::uint8_t>(stored);
  if (type_.swapped) return false;
  if (type_.number == Number::uint16) return take_labels_as<std::uint16_t>(stored);
  return type_.number == Number::int16 && take_labels_as<std::int16_t>(stored);
}

/// Whole numbers from 0 to 65535 are handed on as they are; the first that is none is remembered.
void MaskBuilder::take_labels(std::span<const double> values) {
  constexpr double kMax = 65535;
  block_labels_.resize(values.size());
  bool odd = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double within = values[i] > 0 ? std::min(values[i], kMax) : 0.0;  // 0 for what is no number, too
    const double label = std::nearbyint(within);
    odd = odd || !(std::abs(values[i] - label) <= kValueTolerance);
    block_labels_[i] = static_cast<std::uint16_t>(label);
  }
  for (std::size_t i = 0; odd && i < values.size(); ++i) {
    const double value = values[i];
    if (!finite(value)) {
      if (census_.not_finite++ == 0) census_.first_not_finite = taken_ + static_cast<std::int64_t>(i);
      block_labels_[i] = 0;
    } else if (!any_no_label_ && std::abs(value - block_labels_[i]) > kValueTolerance) {
      no_label_ = value;
      any_no_label_ = true;
    }
  }
  (*options_.labels)(taken_, block_labels_);
  taken_ += static_cast<std::int64_t>(values.size());
}

void MaskBuilder::take_values(std::span<const double> values) {
  std::uint8_t* const mask = block_mask_.data();
  const auto not_finite = [](double x) { return !finite(x); };
  bool settled = false;
  if (options_.threshold) {
    note_spread(values);
    settled = take_block(
        values, mask, census_, [t = *options_.threshold](double x) { return x > t; }, not_finite);
  } else if (options_.label) {
    const auto is_label = [l = *options_.label](double x) { return std::abs(x - l) <= kValueTolerance; };
    settled = take_block(values, mask, census_, is_label, not_finite);
  } else {
    const double inside = census_.inside_value;
    settled = take_block(
        values, mask, census_, [](double x) { return std::abs(x) > kValueTolerance; },
        [inside](double x) { return (x != 0) & (x != inside); });
  }
  if (!settled) look_closely(values);
  hand_on(values.size());
}

void MaskBuilder::look_closely(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!finite(values[i])) {
      if (census_.not_finite++ == 0) {
        census_.first_not_finite = taken_ + static_cast<std::int64_t>(i);
      }
    } else if (strict_) {
      take_strictly(census_, values[i]);
    }
  }
}

void MaskBuilder::hand_on(std::size_t count) {
  sink_(taken_, Mask(block_mask_).first(count));
  taken_ += static_cast<std::int64_t>(count);
}

Checked MaskBuilder::finish(const std::filesystem::path& path, const Grid& grid) const {
  if (options_.labels == nullptr) return {check_values(census_, type_, options_, path, grid)};
  if (census_.not_finite > 0) refuse_not_finite(census_, path, grid);
  if (any_no_label_) refuse_label(no_label_, path);
  return {};
}

}  // namespace crema::files
