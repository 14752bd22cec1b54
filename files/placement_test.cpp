// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/affine.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

Header header_of(const std::string& name, std::array<std::int32_t, 3> size, const Affine& affine) {
  Header header;
  header.path = name;
  header.grid.size = size;
  header.positioned = true;
  set_affine(header.grid, affine);
  return header;
}

const Affine kOblique{{1.9, 0.3, 0.1, -0.4, 2.8, 0.2, 0.1, -0.5, 3.6}, {-90, 120, 7}};
constexpr std::array<std::int32_t, 3> kSize{6, 5, 4};

Affine shifted(double voxels) { return compose(kOblique, {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, voxels, 0}}); }

std::string refused_place(const Header& reference, const Header& other) {
  try {
    place(reference, other);
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), "other"));
    EXPECT_TRUE(has(error.what(), "first"));
    return error.what();
  }
  return "";
}

TEST(Place, TheSameGridIsSilent) {
  const Header first = header_of("first", kSize, kOblique);
  for (const double shift : {0.0, 1e-6, -9e-4}) {
    const Placement placement = place(first, header_of("other", kSize, shifted(shift)));
    EXPECT_TRUE(placement.identity);
    EXPECT_TRUE(placement.warnings.empty());
  }
}

TEST(Place, ASmallShiftIsNotedWithItsSize) {
  const Placement placement =
      place(header_of("first", kSize, kOblique), header_of("other", kSize, shifted(0.05)));
  EXPECT_TRUE(placement.identity);
  ASSERT_EQ(placement.warnings.size(), 1u);
  EXPECT_TRUE(has(placement.warnings[0], "0.05 voxels")) << placement.warnings[0].text();
}

TEST(Place, ALargerShiftIsRefusedWithItsSize) {
  const Header first = header_of("first", kSize, kOblique);
  EXPECT_TRUE(has(refused_place(first, header_of("other", kSize, shifted(0.3))), "(0, 0.3, 0) voxels away"));
  EXPECT_TRUE(has(refused_place(first, header_of("other", kSize, shifted(30))), "(0, 30, 0) voxels away"));
  EXPECT_TRUE(has(refused_place(first, header_of("other", kSize, shifted(1))), "resample"));
}

TEST(Place, ARotationIsMeasuredAtTheCorners) {
  const double angle = 0.01;
  Affine turned = kOblique;
  const Affine turn{{std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1}, {}};
  turned = compose(turned, turn);
  EXPECT_TRUE(has(
      place(header_of("first", kSize, kOblique), header_of("other", kSize, turned)).warnings.at(0), "0.0"));
  EXPECT_NE(
      refused_place(header_of("first", {200, 200, 4}, kOblique), header_of("other", {200, 200, 4}, turned)),
      "");
}

TEST(Place, DifferentSizesWithoutAPositionAreRefusedWithBoth) {
  const Header first = header_of("first", {256, 256, 22}, kOblique);
  Header other = header_of("other", {256, 256, 20}, kOblique);
  other.positioned = false;
  EXPECT_EQ(refused_place(first, other),
            "other: size 256×256×20, but first is 256×256×22; resample it or leave it out.");
}

TEST(Place, FilesWithoutPositionAreComparedBySize) {
  Header first = header_of("first", kSize, kOblique), other = header_of("other", kSize, shifted(40));
  other.positioned = false;
  EXPECT_TRUE(place(first, other).identity);
  EXPECT_TRUE(any_has(place(first, other).warnings, "is assumed"));
  first.positioned = false;
  EXPECT_TRUE(place(first, other).warnings.empty());
  other.grid.spacing[0] *= 1.5;
  EXPECT_TRUE(any_has(place(first, other).warnings, "spacing"));
  other.grid.size[0] = 7;
  EXPECT_NE(refused_place(first, other), "");
}

TEST(Place, OneSliceMayHaveAnyThickness) {
  Affine thick = kOblique;
  for (const std::size_t i : {2u, 5u, 8u}) thick.matrix[i] *= -3;
  const Placement placement =
      place(header_of("first", {6, 5, 1}, kOblique), header_of("other", {6, 5, 1}, thick));
  EXPECT_TRUE(placement.identity);
  EXPECT_TRUE(any_has(placement.warnings, "mm thick"));
}

TEST(Place, VoxelsOfAnotherSizeAreRefusedInWords) {
  const Affine thin{{1, 0, 0, 0, 1, 0, 0, 0, 3}, {}}, thick{{1, 0, 0, 0, 1, 0, 0, 0, 9}, {}};
  const Affine fine{{0.5, 0, 0, 0, 0.5, 0, 0, 0, 3}, {}}, turned{{0, 1, 0, 9, 0, 0, 0, 0, 3}, {}};
  const Header first = header_of("first", {12, 10, 6}, thin);
  EXPECT_EQ(refused_place(first, header_of("other", {12, 10, 2}, thick)),
            "other: 12×10×2 voxels of 1×1×9 mm, but first is 12×10×6 voxels of 1×1×3 mm: its slices across z "
            "lie 9 mm apart, not 3; resample it to that grid or leave it out.");
  EXPECT_FALSE(has(refused_place(first, header_of("other", {24, 20, 6}, fine)), "slices"));
  EXPECT_TRUE(has(refused_place(first, header_of("other", {2, 12, 6}, turned)),
                  "slices across x lie 9 mm apart, not 1"));
}

/// Where the other's voxel lies in the reference, by millimetres; nothing but rounding is assumed.
std::array<std::int64_t, 3> by_millimetres(const Grid& reference, const Grid& other,
                                           std::array<double, 3> voxel) {
  const Vec p = (*inverse(affine_of(reference)))(affine_of(other)(voxel));
  return {std::llround(p[0]), std::llround(p[1]), std::llround(p[2])};
}

RC_GTEST_PROP(Place, ReorientedAndCroppedVoxelsKeepTheirMillimetres, (unsigned seed)) {
  std::array<std::size_t, 3> axes{0, 1, 2};
  for (unsigned i = seed % 6; i > 0; --i) std::next_permutation(axes.begin(), axes.end());
  const Header first = header_of("first", {7, 6, 5}, kOblique);
  const bool crop = (seed >> 8) % 2 == 1;
  Affine map{{}, {}};
  std::array<std::int32_t, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t r = axes[a];
    const bool back = ((seed >> (10 + a)) & 1u) != 0;
    const int low = crop ? 1 + static_cast<int>((seed >> (14 + a)) & 1u) : 0;
    size[a] = first.grid.size[r] - (crop ? 3 : 0);
    map.matrix[3 * r + a] = back ? -1 : 1;
    map.shift[r] = back ? low + size[a] - 1 : low;
  }
  const Header other = header_of("other", size, compose(kOblique, map));
  const Placement placement = place(first, other);
  Bytes voxels(static_cast<std::size_t>(other.grid.voxels()));
  for (std::size_t i = 0; i < voxels.size(); ++i) voxels[i] = static_cast<std::uint8_t>(1 + i % 200);
  const Bytes moved = apply(placement, first.grid, other.grid, voxels);
  Bytes expected(static_cast<std::size_t>(first.grid.voxels()));
  std::size_t i = 0;
  for (int z = 0; z < size[2]; ++z) {
    for (int y = 0; y < size[1]; ++y) {
      for (int x = 0; x < size[0]; ++x) {
        const auto p = by_millimetres(first.grid, other.grid, {double(x), double(y), double(z)});
        expected.at(static_cast<std::size_t>(p[0] + 7 * (p[1] + 6 * p[2]))) = voxels[i++];
      }
    }
  }
  RC_ASSERT(moved == expected);
  RC_ASSERT(placement.identity == (map.matrix == Affine{}.matrix && !crop));
  const bool turned = map.matrix != Affine{}.matrix;
  RC_ASSERT(placement.warnings.size() == (turned ? 1u : 0u) + (crop ? 1u : 0u));
}

TEST(Place, SaysWhatItDoes) {
  const Header first = header_of("first", {7, 6, 5}, kOblique);
  const Affine mirror{{-1, 0, 0, 0, 1, 0, 0, 0, 1}, {6, 0, 0}};
  EXPECT_TRUE(
      any_has(place(first, header_of("other", {7, 6, 5}, compose(kOblique, mirror))).warnings, "reoriented"));
  const Affine part{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 2, 0}};
  EXPECT_TRUE(
      any_has(place(first, header_of("other", {3, 3, 5}, compose(kOblique, part))).warnings, "(1, 2, 0)"));
}

TEST(Place, APartThatSticksOutIsRefused) {
  const Header first = header_of("first", {7, 6, 5}, kOblique);
  const Affine part{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {5, 2, 0}};
  EXPECT_NE(refused_place(first, header_of("other", {3, 3, 5}, compose(kOblique, part))), "");
}

TEST(Affine, InverseUndoesTheMap) {
  const Affine both = compose(*inverse(kOblique), kOblique);
  EXPECT_LT(corner_displacement({}, both, {1000, 1000, 1000}), 1e-9);
  EXPECT_FALSE(inverse({{1, 2, 3, 2, 4, 6, 0, 0, 1}, {}}));
  EXPECT_FALSE(inverse({{1, 0, 0, 0, NAN, 0, 0, 0, 1}, {}}));
}

}  // namespace
}  // namespace crema::files::testing
