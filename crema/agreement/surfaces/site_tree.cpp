// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/site_tree.h"

#include <algorithm>
#include <limits>

namespace crema {
namespace {

constexpr std::size_t kLeaf = 8;

std::size_t after(std::size_t axis) { return axis == 2 ? 0 : axis + 1; }

}  // namespace

struct SiteTree::Search {
  Place place{};
  std::int64_t looks = 0;
  double best = 0;
  std::array<double, 3> outside{};  ///< mm² along each axis to the stretch that is searched
};

SiteTree::SiteTree(std::vector<Place> sites, const std::array<double, 3>& spacing)
    : sites_(std::move(sites)), spacing_(spacing) {
  build(0, sites_.size(), 0);
}

void SiteTree::build(std::size_t begin, std::size_t end, std::size_t axis) {
  if (end - begin <= kLeaf) return;
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t i) { return sites_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end),
                   [axis](const Place& a, const Place& b) { return a[axis] < b[axis]; });
  build(begin, middle, after(axis));
  build(middle + 1, end, after(axis));
}

double SiteTree::nearest(const Place& place) const {
  std::int64_t looks = std::numeric_limits<std::int64_t>::max();
  return nearest(place, std::numeric_limits<double>::infinity(), looks);
}

double SiteTree::nearest(const Place& place, double bound, std::int64_t& looks) const {
  Search found{place, looks, bound};
  search(found, 0, sites_.size(), 0, 0);
  looks = found.looks;
  return found.best;
}

// Sums are formed in the order in which spreading forms them: x, y, then z. `outside` is the sum of what lies
// between the place and the stretch along each axis, but for rounding.
void SiteTree::search(Search& found, std::size_t begin, std::size_t end, std::size_t axis,
                      double outside) const {
  constexpr double kRounded = 1 - 1e-9;
  const auto look = [&](const Place& site) {
    const double mm2 = square(0, found.place[0] - site[0]) + square(1, found.place[1] - site[1]) +
                       square(2, found.place[2] - site[2]);
    found.best = std::min(found.best, mm2);
    --found.looks;
  };
  if (found.looks < 0) return;
  if (end - begin <= kLeaf) {
    for (std::size_t i = begin; i < end; ++i) look(sites_[i]);
    return;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  look(sites_[middle]);
  const std::int32_t apart = found.place[axis] - sites_[middle][axis];
  const bool low_first = apart < 0;
  low_first ? search(found, begin, middle, after(axis), outside)
            : search(found, middle + 1, end, after(axis), outside);
  const double own = found.outside[axis], across = square(axis, apart);
  const double beyond = outside - own + across;
  if (beyond * kRounded >= found.best) return;
  found.outside[axis] = across;
  low_first ? search(found, middle + 1, end, after(axis), beyond)
            : search(found, begin, middle, after(axis), beyond);
  found.outside[axis] = own;
}

}  // namespace crema
