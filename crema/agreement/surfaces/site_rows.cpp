// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/site_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "crema/counts/processor.h"

namespace crema {
namespace {

/// So many steps are tried; sites farther than them are found faster otherwise.
constexpr std::size_t kSteps = 200;
/// They are at most so many voxels long along each axis.
constexpr std::int32_t kReach = 8;

constexpr std::int32_t kWord = 64;
constexpr std::int64_t kSets = kSurfacesAtOnce;

double square(double mm) { return mm * mm; }

std::array<std::int32_t, 3> reach_in(const std::array<std::int32_t, 3>& size) {
  const auto within = [](std::int32_t voxels) { return std::clamp(voxels - 1, 0, kReach); };
  return {within(size[0]), within(size[1]), within(size[2])};
}

/// A word of each set, as the compiler's vector of them.
using Words = std::uint64_t __attribute__((vector_size(8 * kSurfacesAtOnce)));
using WordArray = std::array<std::uint64_t, kSurfacesAtOnce>;

[[gnu::always_inline]] inline void add_words(const std::uint64_t* from, Words& to) {
  Words words;
  std::memcpy(&words, from, sizeof words);
  to |= words;
}

/// The sites of all rows that a step leads to.
[[gnu::always_inline]] inline void add_sites(const std::uint64_t* own, const SiteRows::Step& step,
                                             Words& sites) {
  for (const std::int64_t row : step.rows) add_words(own + row, sites);
}

/// Where any of these rows has a site so many voxels to the left or to the right.
template <bool Wide>
[[gnu::always_inline]] inline void find_reached(const std::uint64_t* own, const SiteRows::Step& step,
                                                Words& reached) {
  Words here{};
  add_sites(own, step, here);
  reached = here << step.x | here >> step.x;
  if constexpr (Wide) {
    Words left{}, right{};
    add_sites(own - kSurfacesAtOnce, step, left);
    add_sites(own + kSurfacesAtOnce, step, right);
    reached |= left >> 1 >> (kWord - 1 - step.x) | right << 1 << (kWord - 1 - step.x);
  }
}

inline void put(std::uint64_t voxels, double mm, std::array<double, 64>& found) {
  for (; voxels != 0; voxels &= voxels - 1) found[static_cast<std::size_t>(std::countr_zero(voxels))] = mm;
}

template <bool Wide>
[[gnu::always_inline]] inline void take_steps(const std::uint64_t* own,
                                              const std::vector<SiteRows::Step>& steps, WordArray& requested,
                                              SiteRows::Found& found) {
  Words left{}, hit;
  add_words(requested.data(), left);
  for (const SiteRows::Step& step : steps) {
    find_reached<Wide>(own, step, hit);
    hit &= left;
    std::uint64_t any = 0;
    for (std::size_t s = 0; s < kSurfacesAtOnce; ++s) any |= hit[s];
    if (any == 0) continue;
    left ^= hit;
    for (std::size_t s = 0; s < kSurfacesAtOnce; ++s) put(hit[s], step.mm, found[s]);
    any = 0;
    for (std::size_t s = 0; s < kSurfacesAtOnce; ++s) any |= left[s];
    if (any == 0) break;
  }
  std::memcpy(requested.data(), &left, sizeof left);
}

CREMA_FOR_EACH_PROCESSOR
void take_steps_in_word(const std::uint64_t* own, const std::vector<SiteRows::Step>& steps,
                        WordArray& requested, SiteRows::Found& found) {
  take_steps<false>(own, steps, requested, found);
}

CREMA_FOR_EACH_PROCESSOR
void take_steps_in_row(const std::uint64_t* own, const std::vector<SiteRows::Step>& steps,
                       WordArray& requested, SiteRows::Found& found) {
  take_steps<true>(own, steps, requested, found);
}

}  // namespace

template <std::size_t Sets>
BitRows<Sets>::BitRows(const std::array<std::int32_t, 3>& size, const std::array<std::int32_t, 3>& reach)
    : stride(size[0] <= kWord ? 1 : (size[0] + kWord - 1) / kWord + 1),
      slice(stride * (size[1] + 2 * reach[1])),
      first(1 + reach[2] * slice + reach[1] * stride),
      words(static_cast<std::size_t>(slice * (size[2] + 2 * reach[2]) + 2) * Sets, 0) {}

template <std::size_t Sets>
void BitRows<Sets>::clear() {
  std::fill(words.begin(), words.end(), 0);
}

template <std::size_t Sets>
void BitRows<Sets>::add(std::size_t set, std::size_t word, std::int32_t bit, std::int32_t length) {
  for (; length > 0; bit = 0, ++word) {
    const std::int32_t here = std::min(length, kWord - bit);
    words[word * Sets + set] |= ~std::uint64_t{0} >> (kWord - here) << bit;
    length -= here;
  }
}

template struct BitRows<1>;
template struct BitRows<kSurfacesAtOnce>;

SiteRows::SiteRows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing)
    : size_(size), reach_(reach_in(size)), sites_(size, reach_) {
  // Where one axis is cut off, what is farther along another is not the next.
  double limit = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 3; ++a)
    if (reach_[a] < size[a] - 1) limit = std::min(limit, square(spacing[a] * (reach_[a] + 1)));
  for (std::int32_t z = 0; z <= reach_[2]; ++z)
    for (std::int32_t y = 0; y <= reach_[1]; ++y)
      for (std::int32_t x = 0; x <= reach_[0]; ++x) {
        // Summed up in the order in which spreading does, so that both give the same numbers.
        const double squared = square(spacing[0] * x) + square(spacing[1] * y) + square(spacing[2] * z);
        const std::int64_t row = y * sites_.stride * kSets, slice = z * sites_.slice * kSets;
        if (squared <= limit)
          steps_.push_back({squared, {slice + row, slice - row, row - slice, -row - slice}, x});
      }
  std::stable_sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.mm < b.mm; });
  if (steps_.size() > kSteps) steps_.resize(kSteps);
  for (Step& step : steps_) step.mm = std::sqrt(step.mm);
}

void SiteRows::look_from(const Rows& requested, std::size_t word, Found& found) const {
  WordArray left{};
  std::copy_n(requested.at(word), kSurfacesAtOnce, left.begin());
  if (size_[0] <= kWord)
    take_steps_in_word(sites_.at(word), steps_, left, found);
  else
    take_steps_in_row(sites_.at(word), steps_, left, found);
  for (std::size_t s = 0; s < kSurfacesAtOnce; ++s) put(left[s], -1, found[s]);
}

}  // namespace crema
