// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/warning.h"
#include "files/files.h"

namespace crema::files {

enum class Number : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

std::string_view name_of(Number number);
std::size_t bytes_of(Number number);

/// How stored bytes become values: value = slope · stored + intercept.
struct ValueType {
  Number number = Number::uint8;
  bool swapped = false;  ///< in the other byte order than this machine's
  double slope = 1;
  double intercept = 0;
  double natural = 1;  ///< {0, natural} is this format's way to write a mask and needs no warning
};

/// Stored bytes, a whole number of values, as scaled values; `values` has one place for each.
void read_values(std::span<const std::uint8_t> stored, const ValueType& type, std::span<double> values);

/// From here on two whole numbers may be the same double.
inline constexpr double kFirstInexact = 9007199254740992;  // 2^53

/// Values this close are the same value.
inline constexpr double kValueTolerance = 1e-3;

/// What the values seen so far have in common.
struct Census {
  std::int64_t not_finite = 0;
  std::int64_t first_not_finite = -1;
  bool outside = false;         ///< a value taken as outside was seen
  bool inside = false;          ///< a value taken as inside was seen
  bool rounded = false;         ///< a value was near, but not at, the value it was taken for
  double inside_value = 1;      ///< the first value taken as inside
  double inside_target = 1;     ///< the whole number it stands for; itself when there is none
  double least = 0, most = 0;   ///< of the finite values
  std::vector<double> foreign;  ///< the first values that fit neither 0 nor the value taken as inside
  bool huge = false;            ///< a whole number was taken as inside that a double may not hold …
  std::uint64_t huge_bits = 0;  ///< … and how it is stored
  std::string collapsed;        ///< two different ones of these, for people
};

/// Says how many there are and where the first one is.
[[noreturn]] void refuse_not_finite(const Census& census, const std::filesystem::path& path, const Grid& grid,
                                    std::string_view advice = {});

/// A value that is no label: below 0, above 65535, or between two whole numbers.
[[noreturn]] void refuse_label(double value, const std::filesystem::path& path);

/// Whether one half lies between the values: a mask cut there is neither empty nor full.
enum class Half : std::uint8_t { cuts, cuts_nothing };

/// What to do with a map of levels where a mask is wanted.
std::string probability_advice(const ReadOptions& options, Half half = Half::cuts);

/// Throws InputError when such values make no mask; otherwise says what is worth a warning.
Warnings check_values(const Census& census, const ValueType& type, const ReadOptions& options,
                      const std::filesystem::path& path, const Grid& grid);

/// What there is to say about values that make a mask.
struct Checked {
  Warnings warnings;
};

/// Turns values, handed over piece by piece, into 0/1 bytes, and hands those on. The sink must outlive it.
class MaskBuilder {
 public:
  static constexpr std::size_t kBlock = 2048;  ///< values looked at together

  /// Throws UsageError when threshold and label are both set, or are not finite.
  MaskBuilder(const ValueType& type, const ReadOptions& options, const MaskSink& sink);

  /// Takes stored bytes, a whole number of values.
  void take(std::span<const std::uint8_t> stored);

  /// Warnings, or InputError when the values are no mask by the rules of docs/formats.md.
  [[nodiscard]] Checked finish(const std::filesystem::path& path, const Grid& grid) const;

 private:
  template <class T>
  void take_as(std::span<const std::uint8_t> stored);
  template <class Bits>
  bool take_bits(std::span<const std::uint8_t> stored);
  template <class Bits>
  void learn_bits(std::span<const std::uint8_t> stored, std::span<const double> values);
  void take_values(std::span<const double> values);
  void note_spread(std::span<const double> values);
  template <class T>
  void compare_huge(std::span<const std::uint8_t> stored);
  void look_closely(std::span<const double> values);
  void hand_on(std::size_t count);
  template <class T>
  bool take_labels_as(std::span<const std::uint8_t> stored);
  bool take_whole_labels(std::span<const std::uint8_t> stored);
  void take_labels(std::span<const double> values);

  ValueType type_;
  ReadOptions options_;
  Census census_;
  bool strict_;                    ///< neither threshold nor label
  std::uint64_t inside_bits_ = 0;  ///< how the value taken as inside is stored, once known
  const MaskSink& sink_;
  std::int64_t taken_ = 0;                        ///< voxels so far
  std::vector<std::uint16_t> block_labels_ = {};  ///< where labels are taken
  double no_label_ = 0;                           ///< the first value that is no label
  bool any_no_label_ = false;
  std::vector<double> block_values_ = std::vector<double>(kBlock);
  std::vector<std::uint8_t> block_mask_ = std::vector<std::uint8_t>(kBlock);
};

}  // namespace crema::files
