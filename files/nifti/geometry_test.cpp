// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/geometry.h"

#include <cmath>
#include <limits>

#include "files/affine.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

Header header_of(const Nifti& file) {
  const Folder folder;
  return read_header(folder.put("a.nii", file.bytes()));
}

Nifti quaternion(Nifti file, std::array<double, 3> bcd, std::array<double, 3> offset,
                 std::array<double, 4> pixdim) {
  const NiftiLayout& at = file.at();
  for (std::size_t i = 0; i < 3; ++i) file.set(at.quatern, bcd[i], i).set(at.qoffset, offset[i], i);
  for (std::size_t i = 0; i < 4; ++i) file.set(at.pixdim, pixdim[i], i);
  return file.set_integer(at.qform_code, 1);
}

Nifti without_sform(Nifti file = sound_nifti()) { return file.set_integer(file.at().sform_code, 0); }

void expect_affine(const Grid& grid, const std::array<double, 12>& rows) {
  const Affine affine = affine_of(grid);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(affine.matrix[3 * r + c], rows[4 * r + c], 1e-6) << r << c;
    EXPECT_NEAR(affine.shift[r], rows[4 * r + 3], 1e-6) << r;
  }
}

TEST(NiftiGeometry, TakesTheSformWithShear) {
  const std::array<double, 12> rows{2, 0.04, 0, -10, 0, 3, 0, 20, 0, 0, -4, 30};
  Nifti file = sound_nifti().srow(rows);
  for (const std::size_t i : {1u, 2u, 3u}) file.set(file.at().pixdim, static_cast<double>(i + 1), i);
  const Header header = header_of(file);
  expect_affine(header.grid, rows);
  EXPECT_TRUE(header.positioned);
  EXPECT_TRUE(header.warnings.empty());
  EXPECT_NEAR(header.grid.spacing[2], 4, 1e-12);
}

TEST(NiftiGeometry, TakesTheQformWhereThereIsNoSform) {
  const Header plain = header_of(quaternion(without_sform(), {0, 0, 0}, {5, 6, 7}, {1, 2, 3, 4}));
  expect_affine(plain.grid, {2, 0, 0, 5, 0, 3, 0, 6, 0, 0, 4, 7});
  EXPECT_TRUE(plain.positioned);
  const Header flipped = header_of(quaternion(without_sform(), {0, 0, 0}, {5, 6, 7}, {-1, 2, 3, 4}));
  expect_affine(flipped.grid, {2, 0, 0, 5, 0, 3, 0, 6, 0, 0, -4, 7});
  const Header about_z = header_of(quaternion(without_sform(), {0, 0, 1}, {5, 6, 7}, {1, 2, 3, 4}));
  expect_affine(about_z.grid, {-2, 0, 0, 5, 0, -3, 0, 6, 0, 0, 4, 7});
  const double s = std::sqrt(0.5);
  const Header quarter = header_of(quaternion(without_sform(), {0, 0, s}, {0, 0, 0}, {0, 1, 1, 1}));
  expect_affine(quarter.grid, {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0});
}

TEST(NiftiGeometry, NotesThatQformAndSformDisagree) {
  Nifti file = quaternion(sound_nifti(), {0, 0, 0}, {5, 6, 7.05}, {1, 1, 1, 1});
  EXPECT_TRUE(header_of(file).warnings.empty());
  file.set(file.at().qoffset, 7.2, 2);
  const Header header = header_of(file);
  EXPECT_TRUE(any_has(header.warnings, "disagree by up to 0.2 voxels"));
  EXPECT_NEAR(header.grid.origin[2], 7, 1e-6);
}

TEST(NiftiGeometry, PassesOverAnSformThatIsNone) {
  for (const double bad : {kNaN, kInfinity, 0.0}) {
    Nifti file = sound_nifti();
    file.set(file.at().srow, bad, 5);
    const Header alone = header_of(file);
    EXPECT_TRUE(any_has(alone.warnings, "sform is not finite or singular; the spacing is used"));
    EXPECT_FALSE(alone.positioned);
    const Header both = header_of(quaternion(file, {0, 0, 0}, {1, 2, 3}, {1, 1, 1, 1}));
    EXPECT_TRUE(any_has(both.warnings, "the qform is used"));
    EXPECT_TRUE(both.positioned);
    EXPECT_NEAR(both.grid.origin[1], 2, 1e-12);
  }
}

TEST(NiftiGeometry, PassesOverAQformThatIsNone) {
  for (const double bad : {kNaN, kInfinity, 2.0}) {
    const Header header = header_of(quaternion(without_sform(), {0, bad, 0}, {1, 2, 3}, {1, 1, 1, 1}));
    EXPECT_TRUE(any_has(header.warnings, "qform is not valid; the spacing is used")) << bad;
    EXPECT_FALSE(header.positioned);
  }
}

TEST(NiftiGeometry, UsesSpacingAloneWithANote) {
  Nifti file = without_sform();
  file.set(file.at().pixdim, 0.5, 1);
  const Header header = header_of(file);
  expect_affine(header.grid, {0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
  EXPECT_FALSE(header.positioned);
  EXPECT_TRUE(any_has(header.warnings, "states no position"));
}

TEST(NiftiGeometry, MakesBadSpacingUsableWithANote) {
  const std::vector<std::pair<double, double>> cases{{-2, 2},        {0, 1},     {kNaN, 1},
                                                     {kInfinity, 1}, {1e-40, 1}, {1e30, 1}};
  for (const auto& [bad, used] : cases) {
    Nifti file = without_sform();
    file.set(file.at().pixdim, bad, 2);
    const Header header = header_of(file);
    EXPECT_EQ(header.grid.spacing[1], used) << bad;
    EXPECT_TRUE(any_has(header.warnings, "spacing is")) << bad;
  }
}

TEST(NiftiGeometry, ConvertsUnitsToMillimetres) {
  const std::vector<std::pair<int, double>> cases{{0, 1}, {1, 1000}, {2, 1}, {3, 0.001}, {2 | 8, 1}};
  for (const auto& [code, factor] : cases) {
    Nifti file = sound_nifti();
    file.set_integer(file.at().units, code);
    const Header header = header_of(file);
    EXPECT_NEAR(header.grid.spacing[0], factor, 1e-12) << code;
    EXPECT_NEAR(header.grid.origin[2], 7 * factor, 1e-9) << code;
  }
}

TEST(NiftiGeometry, IsTheSameInEveryVersionAndByteOrder) {
  const std::array<double, 12> rows{2, 0.5, 0, -10, 0.25, 3, 0, 20, 0, 0, -4, 30};
  const Grid first = header_of(sound_nifti().srow(rows)).grid;
  for (const int version : {1, 2}) {
    for (const bool big : {false, true})
      EXPECT_EQ(header_of(sound_nifti(version, big).srow(rows)).grid, first);
  }
}

TEST(NiftiGeometry, WarnsWhenTheSpacingContradictsTheSform) {
  Nifti file = sound_nifti();
  EXPECT_TRUE(header_of(file).warnings.empty());
  file.set(file.at().pixdim, 3, 3);
  const Header header = header_of(file);
  EXPECT_TRUE(any_has(header.warnings, "its spacing is 1 × 1 × 3, but its sform says 1 × 1 × 1; the sform"));
  EXPECT_EQ(header.grid.spacing, (Vec{1, 1, 1}));
}

TEST(NiftiGeometry, IsMeasuredUnlessTheHeaderWasNeverSet) {
  Nifti file = sound_nifti();
  EXPECT_TRUE(header_of(file).measured);
  file.set_integer(file.at().units, 0);
  EXPECT_TRUE(header_of(file).measured);
  EXPECT_FALSE(header_of(without_sform(file)).measured);
  EXPECT_TRUE(header_of(without_sform()).measured);
  EXPECT_TRUE(header_of(without_sform(file).set(file.at().pixdim, 2, 1)).measured);
  EXPECT_FALSE(header_of(without_sform().set(file.at().pixdim, 0, 1)).measured);
}

}  // namespace
}  // namespace crema::files::testing
