// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/lesions.h"

#include <algorithm>
#include <unordered_map>

#include "crema/phantom/hash.h"
#include "crema/phantom/phantom.h"

namespace crema::phantom {
namespace {

constexpr double kSmallest = 4.5, kLargest = 3600;  ///< voxels a rater draws
constexpr double kPi = 3.14159265358979323846;
constexpr double kWidest = 1.5;  ///< outlines stay within this radius
constexpr int kTries = 50;       ///< places to try before a lesion may touch another

double volume_of(const std::array<std::int32_t, 3>& size) {
  const double plane = static_cast<double>(size[0]) * size[1];
  // A single slice is as full as a block of the same width.
  return size[2] == 1 ? plane * std::sqrt(plane) : plane * size[2];
}

double radius_of(double voxels) { return power(voxels * 0.75 / kPi, 1.0 / 3); }

/// Remembers where lesions lie, in cells wide enough that only neighbouring ones need to be looked at.
class Crowd {
 public:
  explicit Crowd(double cell) : cell_(cell) {}

  void add(const Vector& centre, double reach) { cells_[key(cell_of(centre))].push_back({centre, reach}); }

  [[nodiscard]] bool is_free(const Vector& centre, double reach) const {
    const auto at = cell_of(centre);
    for (int n = 0; n < 27; ++n) {
      const auto found = cells_.find(key({at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1}));
      if (found == cells_.end()) continue;
      for (const auto& other : found->second)
        if (too_close(centre, reach, other)) return false;
    }
    return true;
  }

 private:
  struct Ball {
    Vector centre;
    double reach;
  };
  using Cell = std::array<std::int64_t, 3>;

  static bool too_close(const Vector& centre, double reach, const Ball& other) {
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a)
      square += (centre[a] - other.centre[a]) * (centre[a] - other.centre[a]);
    const double apart = reach + other.reach + 2;
    return square < apart * apart;
  }

  [[nodiscard]] Cell cell_of(const Vector& p) const {
    Cell cell{};
    for (std::size_t a = 0; a < 3; ++a) cell[a] = static_cast<std::int64_t>(std::floor(p[a] / cell_)) + 1;
    return cell;
  }
  static std::int64_t key(const Cell& c) { return (c[2] * 0x100000 + c[1]) * 0x100000 + c[0]; }

  double cell_;
  std::unordered_map<std::int64_t, std::vector<Ball>> cells_;
};

/// A point of the ellipsoid that fills most of the grid; the first try that falls inside it.
Vector somewhere(const std::array<std::int32_t, 3>& size, std::uint64_t key) {
  Vector p{};
  for (std::uint64_t n = 0; n < 64; ++n) {
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double q = size[a] == 1 ? 0 : spread(bits(key, Draw::place, n, a));
      square += q * q;
      p[a] = 0.5 * (size[a] - 1) * (1 + 0.86 * q);
    }
    if (square < 1) break;
  }
  return p;
}

/// Against the host: one voxel between the two surfaces, on the line between the centres.
Vector beside(const Blob& host, const Blob& blob, std::uint64_t key) {
  Vector direction{1, 0, 0};
  for (std::uint64_t n = 0; n < 64; ++n) {
    Vector d{};
    for (std::size_t a = 0; a < 3; ++a) d[a] = host.reach[a] == 0 ? 0 : spread(bits(key, Draw::host, n, a));
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (square >= 1 || square < 0.01) continue;
    for (std::size_t a = 0; a < 3; ++a) direction[a] = d[a] / std::sqrt(square);
    break;
  }
  const double distance = surface_along(host, direction) + surface_along(blob, direction) + 1;
  Vector p = host.centre;
  for (std::size_t a = 0; a < 3; ++a) p[a] += distance * direction[a];
  return p;
}

bool within(const std::array<std::int32_t, 3>& size, const Vector& p) {
  for (std::size_t a = 0; a < 3; ++a)
    if (p[a] < 0 || p[a] > size[a] - 1) return false;
  return true;
}

Lesion make_lesion(const std::array<std::int32_t, 3>& size, double voxels, std::uint64_t key) {
  const bool flat = size[2] == 1;
  Lesion lesion{.blob = {}, .radius = radius_of(voxels), .key = key};
  const double a = 1 + 0.25 * spread(bits(key, Draw::shape, 0));
  const double b = flat ? 1 / a : 1 + 0.25 * spread(bits(key, Draw::shape, 1));
  const double c = flat ? 0 : 1 / (a * b);
  lesion.blob = turned_blob({}, {lesion.radius * a, lesion.radius * b, lesion.radius * c}, key);
  return lesion;
}

double reach_of(const Lesion& lesion) {
  return kWidest * *std::max_element(lesion.blob.reach.begin(), lesion.blob.reach.end());
}

/// Each lesion of a larger number has the larger ones of it before it, so the smaller stand in the gaps.
Vector find_place(const std::array<std::int32_t, 3>& size, const Crowd& crowd, const Lesion& lesion,
                  const std::vector<Lesion>& earlier) {
  const std::size_t number = earlier.size();
  if (number % 10 == 9) {
    const auto& host = earlier[bits(lesion.key, Draw::host) % (number / 2 + 1)];
    for (std::uint64_t n = 0; n < kTries; ++n) {
      const Vector p = beside(host.blob, lesion.blob, bits(lesion.key, Draw::host, n));
      if (within(size, p)) return p;
    }
  }
  Vector p{};
  for (std::uint64_t n = 0; n < kTries; ++n) {
    p = somewhere(size, bits(lesion.key, Draw::place, n));
    if (crowd.is_free(p, reach_of(lesion))) break;
  }
  return p;
}

}  // namespace

int lesion_count(const std::array<std::int32_t, 3>& size) {
  const double full = volume_of(phantom_size(PhantomKind::lesions, PhantomSize::full));
  const double count = 100 * std::sqrt(volume_of(size) / full);
  return static_cast<int>(std::max(3.0, std::floor(count + 0.5)));
}

std::vector<Lesion> place_lesions(const std::array<std::int32_t, 3>& size, int count, std::uint64_t seed) {
  const double room = std::min(size[0], size[1]) / 7.0;  // radius of the largest lesion that looks like one
  const double largest = std::clamp(4.0 / 3 * kPi * room * room * room, 2 * kSmallest, kLargest);
  Crowd crowd(2 * kWidest * 1.8 * radius_of(largest) + 2);
  std::vector<Lesion> lesions;
  lesions.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const std::uint64_t key = bits(seed, Draw::size, i);
    const double rank = (i + unit(key)) / (count + 0.01);
    Lesion lesion = make_lesion(size, kSmallest * power(largest / kSmallest, 1 - std::max(rank, 1e-9)), key);
    lesion.blob.centre = find_place(size, crowd, lesion, lesions);
    crowd.add(lesion.blob.centre, reach_of(lesion));
    lesions.push_back(lesion);
  }
  return lesions;
}

}  // namespace crema::phantom
