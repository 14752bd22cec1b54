// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/site_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace crema {
namespace {

/// So many steps are tried; sites farther than them are found faster otherwise.
constexpr std::size_t kSteps = 400;
/// They are at most so many voxels long along each axis.
constexpr std::int32_t kReach = 8;

constexpr std::int32_t kWord = 64;

double square(double mm) { return mm * mm; }

std::array<std::int32_t, 3> reach_in(const std::array<std::int32_t, 3>& size) {
  const auto within = [](std::int32_t voxels) { return std::clamp(voxels - 1, 0, kReach); };
  return {within(size[0]), within(size[1]), within(size[2])};
}

}  // namespace

BitRows::BitRows(const std::array<std::int32_t, 3>& size, const std::array<std::int32_t, 3>& reach)
    : ny(std::max(size[1], 1)),
      stride((size[0] + kWord - 1) / kWord + 1),
      slice(stride * (size[1] + 2 * reach[1])),
      first(1 + reach[2] * slice + reach[1] * stride),
      words(static_cast<std::size_t>(slice * (size[2] + 2 * reach[2]) + 2), 0) {}

void BitRows::add(std::int32_t x, std::int64_t row, std::int32_t length) {
  std::uint64_t* word = words.data() + word_of(x, row);
  for (std::int32_t bit = x % kWord; length > 0; bit = 0, ++word) {
    const std::int32_t here = std::min(length, kWord - bit);
    *word |= ~std::uint64_t{0} >> (kWord - here) << bit;
    length -= here;
  }
}

SiteRows::SiteRows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing)
    : size_(size), reach_(reach_in(size)), sites_(size, reach_) {
  // Where one axis is cut off, what is farther along another is not the next.
  double limit = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 3; ++a)
    if (reach_[a] < size[a] - 1) limit = std::min(limit, square(spacing[a] * (reach_[a] + 1)));
  for (std::int32_t z = -reach_[2]; z <= reach_[2]; ++z)
    for (std::int32_t y = -reach_[1]; y <= reach_[1]; ++y)
      for (std::int32_t x = 0; x <= reach_[0]; ++x) {
        // Summed up in the order in which spreading does, so that both give the same numbers.
        const double squared = square(spacing[0] * x) + square(spacing[1] * y) + square(spacing[2] * z);
        if (squared <= limit)
          steps_.push_back({squared, std::sqrt(squared), y * sites_.stride + z * sites_.slice, x});
      }
  std::stable_sort(steps_.begin(), steps_.end(),
                   [](const Step& a, const Step& b) { return a.squared < b.squared; });
  if (steps_.size() > kSteps) steps_.resize(kSteps);
}

void SiteRows::clear() { std::fill(sites_.words.begin(), sites_.words.end(), 0); }

template <class Reached>
void SiteRows::take_steps(std::uint64_t requested, std::array<double, 64>& found, Reached reached) const {
  for (const Step& step : steps_) {
    std::uint64_t hit = reached(step) & requested;
    if (hit == 0) continue;
    requested ^= hit;
    for (; hit != 0; hit &= hit - 1) found[static_cast<std::size_t>(std::countr_zero(hit))] = step.mm;
    if (requested == 0) return;
  }
  for (; requested != 0; requested &= requested - 1)
    found[static_cast<std::size_t>(std::countr_zero(requested))] = -1;
}

void SiteRows::look_from(const BitRows& requested, std::size_t word, double* distances) const {
  const std::uint64_t* const own = sites_.words.data() + word;
  std::array<double, 64> found;  // NOLINT: take_steps() fills those that are looked for
  if (size_[0] <= kWord)
    take_steps(requested.words[word], found,
               [own](const Step& step) { return own[step.words] << step.x | own[step.words] >> step.x; });
  else
    take_steps(requested.words[word], found, [own](const Step& step) {
      const std::uint64_t* const there = own + step.words;
      return there[0] << step.x | there[0] >> step.x | there[-1] >> 1 >> (kWord - 1 - step.x) |
             there[1] << 1 << (kWord - 1 - step.x);
    });
  for (std::uint64_t left = requested.words[word]; left != 0; left &= left - 1)
    *distances++ = found[static_cast<std::size_t>(std::countr_zero(left))];
}

}  // namespace crema
