// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crema/image/image.h"

namespace crema {

/// Multi-rater phantoms with the geometry of the paper's datasets.
enum class PhantomKind : std::uint8_t { organ, lesions, cord };

struct PhantomOptions {
  PhantomKind kind = PhantomKind::lesions;
  std::array<std::int32_t, 3> size{};  ///< zeros: phantom_size(kind, small)
  int raters = 0;                      ///< 0: as many as the paper's dataset has (organ 5, lesions 7, cord 4)
  std::uint64_t seed = 1;
  int lesions = 0;  ///< how many; 0: as many as suit the size. Only for PhantomKind::lesions
};

enum class PhantomSize : std::uint8_t { small, full };

PhantomKind parse_phantom_kind(std::string_view name);  ///< throws UsageError
std::array<std::int32_t, 3> phantom_size(PhantomKind kind, PhantomSize size);
int phantom_raters(PhantomKind kind);

struct Phantom {
  Grid grid;
  std::vector<HardImage> masks;  ///< one per rater
};

/// The same options give the same bytes on every machine and for any number of threads.
/// Throws InputError on sizes below 8 on one of the first two axes, on raters outside 1…64.
Phantom make_phantom(const PhantomOptions& options);

}  // namespace crema
