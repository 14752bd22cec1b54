// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "files/affine.h"
#include "files/files.h"
#include "files/testing.h"

namespace crema::files {
namespace {

using Matrix = std::array<double, 9>;

Matrix turned(int axis, double angle) {
  Matrix r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto i = static_cast<std::size_t>((axis + 1) % 3), j = static_cast<std::size_t>((axis + 2) % 3);
  r[4 * i] = r[4 * j] = std::cos(angle);
  r[3 * i + j] = -std::sin(angle);
  r[3 * j + i] = std::sin(angle);
  return r;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return c;
}

/// Writes a grid, then reads it with the sform struck out, so that the qform decides.
Grid by_qform(const Grid& grid) {
  const testing::Folder folder;
  Header reference;
  reference.format = Format::png;  // no header of NIfTI's own to copy
  reference.grid = grid;
  reference.positioned = true;
  const auto path = folder / "mask.nii";
  write_image(path, HardImage(static_cast<std::size_t>(grid.voxels()), 1), reference);
  EXPECT_TRUE(read_header(path).warnings.empty()) << read_header(path).warnings.front().text();
  auto bytes = testing::slurp(path);
  bytes[254] = bytes[255] = 0;
  return read_header(folder.put("qform.nii", bytes)).grid;
}

void expect_same(const Grid& a, const Grid& b, double tolerance) {
  const Affine x = affine_of(a), y = affine_of(b);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(x.matrix[i], y.matrix[i], tolerance) << i;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x.shift[i], y.shift[i], 1e-5) << i;
}

TEST(NiftiWrite, TellsTheSamePlaceAsQformForEveryTurnOfTheAxes) {
  constexpr double kRight = std::numbers::pi / 2;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 4; ++z)
        for (const double third : {1.0, -1.0}) {
          Matrix r = product(turned(0, x * kRight), product(turned(1, y * kRight), turned(2, z * kRight)));
          for (const std::size_t i : {2U, 5U, 8U}) r[i] *= third;
          const Grid grid{.size = {3, 4, 5}, .spacing = {1, 2, 3}, .origin = {-10, 20.5, 7}, .direction = r};
          expect_same(by_qform(grid), grid, 2e-6);
        }
}

TEST(NiftiWrite, TellsTheSamePlaceAsQformForObliqueAxes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-4, 4);
  for (int round = 0; round < 60; ++round) {
    const Matrix r =
        product(turned(0, angle(random)), product(turned(1, angle(random)), turned(2, angle(random))));
    const Grid grid{.size = {3, 4, 5}, .spacing = {0.7, 0.7, 4}, .origin = {1, 2, 3}, .direction = r};
    // Near half a turn the number that float32 quaternions leave out is the root of a rounding error.
    expect_same(by_qform(grid), grid, 2e-3);
  }
}

TEST(NiftiWrite, HasNoQformForShearedAxes) {
  const Grid sheared{.size = {3, 4, 5},
                     .spacing = {1, 1, 1},
                     .origin = {1, 2, 3},
                     .direction = {1, 0.05, 0, 0, 1, 0, 0, 0, 1}};
  const Grid read = by_qform(sheared);
  EXPECT_EQ(read.direction, Grid{}.direction);  // nothing left but the spacing
}

/// What a file's geometry becomes when a result is written on it.
Header rewritten(const testing::Nifti& file) {
  const testing::Folder folder;
  const Header reference = read_header(folder.put("rater.nii", file.bytes()));
  write_image(folder / "out.nii", HardImage(static_cast<std::size_t>(reference.grid.voxels()), 1), reference);
  Header out = read_header(folder / "out.nii");
  EXPECT_EQ(out.grid.spacing, reference.grid.spacing);
  EXPECT_EQ(out.grid.origin, reference.grid.origin);
  return out;
}

TEST(NiftiWrite, DoesNotHandOnAnSformThatCannotBeUsed) {
  for (const int version : {1, 2}) {
    for (const double bad : {testing::kNaN, HUGE_VAL, 0.0}) {
      testing::Nifti file = testing::sound_nifti(version, version == 2);
      file.set(file.at().srow, bad);
      const Header out = rewritten(file);
      ASSERT_EQ(out.warnings.size(), 1u) << bad;
      EXPECT_TRUE(testing::has(out.warnings[0], "code 0")) << out.warnings[0].text();
    }
  }
}

TEST(NiftiWrite, DoesNotHandOnAQformThatCannotBeUsed) {
  for (const double bad : {testing::kNaN, 3.0}) {
    testing::Nifti file = testing::sound_nifti();
    file.set_integer(file.at().qform_code, 1).set(file.at().quatern, bad);
    EXPECT_TRUE(rewritten(file).warnings.empty()) << bad;
  }
}

TEST(NiftiWrite, WritesTheSpacingThatWasUsed) {
  for (const double bad : {testing::kNaN, 0.0, -2.0}) {
    testing::Nifti file = testing::sound_nifti();
    file.set(file.at().pixdim, bad, 1);
    EXPECT_TRUE(rewritten(file).warnings.empty()) << bad;
  }
}

TEST(NiftiWrite, TrailingDimensionsStayDropped) {
  const testing::Folder folder;
  testing::Nifti file = testing::sound_nifti();
  file.set_integer(file.at().dim, 5);
  const Header reference = read_header(folder.put("rater.nii", file.bytes()));
  write_image(folder / "out.nii", HardImage(24, 1), reference);
  EXPECT_EQ(testing::slurp(folder / "out.nii")[40], 3);
}

}  // namespace
}  // namespace crema::files
