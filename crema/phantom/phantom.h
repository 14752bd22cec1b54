// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "crema/image/image.h"

namespace crema {

/// Multi-rater phantoms with the geometry of the paper's datasets, and its toy: blocks side by side.
/// cord is the grey matter of a spinal cord, spine the whole cord.
enum class PhantomKind : std::uint8_t { organ, lesions, cord, toy, spine };

struct PhantomOptions {
  PhantomKind kind = PhantomKind::lesions;
  std::array<std::int32_t, 3> size{};  ///< zeros: phantom_size(kind, small)
  int raters = 0;  ///< 0: as many as the paper's dataset has (organ 5, lesions 7, cord and spine 4, toy 3)
  std::uint64_t seed = 1;
  int lesions = 0;  ///< how many; 0: as many as suit the size. Only for PhantomKind::lesions
  /// Raters of one panel are the same persons in all cases: each has a bias, and errors that are smooth and
  /// partly shared. Sizes vary from case to case then. A spine always has a panel: its seed, unless one is
  /// given.
  std::optional<std::uint64_t> panel = {};
  double shared_errors = 0.3;  ///< correlation of two raters' errors at the same place, 0 to 1; of a panel
};

/// Case `number`, from 1, of a cohort that one panel has drawn. The seed is the cohort's, and its panel's.
PhantomOptions case_of_cohort(const PhantomOptions& cohort, int number);

enum class PhantomSize : std::uint8_t { small, full };

PhantomKind parse_phantom_kind(std::string_view name);  ///< throws UsageError
std::array<std::int32_t, 3> phantom_size(PhantomKind kind, PhantomSize size);
int phantom_raters(PhantomKind kind);

struct Phantom {
  Grid grid;
  std::vector<HardImage> masks;  ///< one per rater
};

/// The same options give the same bytes on every machine and for any number of threads.
/// Throws InputError on sizes below 8 on one of the first two axes, on raters outside 1…64, on
/// shared errors outside 0…1.
Phantom make_phantom(const PhantomOptions& options);

}  // namespace crema
