// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/blob.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "crema/phantom/hash.h"

namespace crema::phantom {
namespace {

Vector direction_from(std::uint64_t key) {
  Vector d{};
  for (std::size_t a = 0; a < 3; ++a) d[a] = spread(bits(key, Draw::axis, a));
  const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  for (double& v : d) v /= length;
  return d;
}

Blob blob_from(std::uint64_t seed, double depth) {
  const auto number = [&](int n) { return unit(bits(seed, Draw::shape, n)); };
  const Vector centre{20 * number(0), 20 * number(1), depth == 0 ? 3 : 7 * number(2)};
  return turned_blob(centre, {1 + 8 * number(3), 1 + 8 * number(4), depth * (1 + 4 * number(5))}, seed);
}

TEST(Blob, PowersAgreeWithTheMathsLibrary) {
  for (const double base : {0.01, 0.7, 1.0, 3.5, 1000.0})
    for (const double exponent : {0.0, 0.125, 1.0 / 3, 0.5, 0.999})
      EXPECT_NEAR(power(base, exponent), std::pow(base, exponent), 1e-9 * std::pow(base, exponent));
}

TEST(Blob, RoughnessIsBoundedAndSmooth) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Rough rough(seed, 1 + static_cast<int>(seed % 4));
    const Vector from = direction_from(2 * seed);
    const Vector to = direction_from(2 * seed + 1);
    double before = rough.at(from);
    for (int step = 0; step <= 1000; ++step) {
      const double f = step / 1000.0;
      const double now = rough.at({from[0] + f * (to[0] - from[0]), from[1] + f * (to[1] - from[1]),
                                   from[2] + f * (to[2] - from[2])});
      EXPECT_GE(now, rough.lowest());
      EXPECT_LE(now, rough.highest());
      EXPECT_LT(std::abs(now - before), 0.03) << "seed " << seed;
      before = now;
    }
  }
}

TEST(Blob, TurningKeepsTheVolume) {
  const Grid grid{.size = {60, 60, 60}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<std::uint8_t> mask(60 * 60 * 60);
    const Blob blob = turned_blob({30, 30, 30}, {12, 9, 7}, seed);
    draw(grid, mask, blob, 0.9, 1.1, [](const Vector&, double radius) { return radius < 1; });
    double voxels = 0;
    for (const std::uint8_t v : mask) voxels += v;
    EXPECT_NEAR(voxels, 4.0 / 3 * 3.14159265 * 12 * 9 * 7, 60) << "seed " << seed;
  }
}

TEST(Blob, DrawsTheVoxelsThatATestOfEveryVoxelFinds) {
  const Grid grid{.size = {20, 20, 7}};
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Blob blob = blob_from(seed, seed % 3 == 0 ? 0 : 1);
    const Rough rough(seed, 2);
    const auto within = [&](const Vector& u, double radius) { return radius < 1 + 0.3 * rough.at(u); };
    std::vector<std::uint8_t> drawn(20 * 20 * 7);
    std::vector<std::uint8_t> expected(drawn.size());
    draw(grid, drawn, blob, 0.7, 1.3, within);
    draw_centre(grid, expected, blob);
    for (std::int32_t n = 0; n < 20 * 20 * 7; ++n) {
      const Vector p{n % 20 - blob.centre[0], n / 20 % 20 - blob.centre[1], n / 400 - blob.centre[2]};
      if (blob.reach[2] == 0 && p[2] != 0) continue;
      const Vector q = blob.unit_of(p);
      const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
      if (length == 0 || within({q[0] / length, q[1] / length, q[2] / length}, length))
        expected[static_cast<std::size_t>(n)] = 1;
    }
    EXPECT_EQ(drawn, expected) << "seed " << seed;
  }
}

TEST(Blob, ItsSurfaceLiesAtUnitRadius) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Blob blob = blob_from(seed, 1);
    const Vector d = direction_from(seed);
    const double distance = surface_along(blob, d);
    const Vector q = blob.unit_of({distance * d[0], distance * d[1], distance * d[2]});
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2], 1, 1e-12);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_LE(distance * std::abs(d[a]), blob.reach[a] * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace crema::phantom
