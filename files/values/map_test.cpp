// SPDX-License-Identifier: Apache-2.0
#include "files/values/map.h"

#include <cmath>
#include <limits>

#include "files/png/codec.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

/// 24 values: 0 but for the first ones.
std::vector<double> padded(std::vector<double> values) {
  values.resize(24, 0);
  return values;
}

Nifti of_floats(const std::vector<double>& values) {
  Nifti file = sound_nifti();
  return file.type(16, 32).values<float>(padded(values));
}

std::vector<float> first_levels(const std::filesystem::path& path, std::size_t count) {
  std::vector<float> levels = read_map(read_header(path)).levels, parts(levels.size());
  stream_levels(read_header(path), {}, [&](std::int64_t first, std::span<const float> part) {
    std::copy(part.begin(), part.end(), parts.begin() + first);
  });
  EXPECT_EQ(parts, levels) << "as parts";
  levels.resize(count);
  return levels;
}

std::string map_refusal(const Bytes& bytes, const std::string& name) {
  const Folder folder;
  const auto path = folder.put(name, bytes);
  EXPECT_THROW(stream_levels(read_header(path), {}, [](std::int64_t, std::span<const float>) {}), InputError);
  try {
    read_map(read_header(path));
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), name)) << error.what();
    return error.what();
  }
  return "";
}

TEST(Map, HoldsTheLevelsOfEveryTypePlainAndZipped) {
  const Folder folder;
  const std::vector<float> expected{0, 0.25F, 1};
  EXPECT_EQ(first_levels(folder.put("a.nii", of_floats({0, 0.25, 1}).bytes()), 3), expected);
  EXPECT_EQ(first_levels(folder.put("a.nii.gz", zipped(of_floats({0, 0.25, 1}).bytes())), 3), expected);
  Nifti big = sound_nifti(2, true);
  big.type(64, 64).values<double>(padded({0, 0.25, 1}));
  EXPECT_EQ(first_levels(folder.put("b.nii", big.bytes()), 3), expected);
  Nifti mask = sound_nifti();
  mask.values<std::uint8_t>(padded({0, 1, 1}));
  EXPECT_EQ(first_levels(folder.put("c.nii", mask.bytes()), 3), (std::vector<float>{0, 1, 1}));
}

TEST(Map, HoldsAnyValuesWhereTheyAreAskedFor) {
  const Folder folder;
  const ReadOptions any{.map = MapValues::any};
  const auto of = [&](const std::filesystem::path& path) {
    std::vector<float> values = read_map(read_header(path), any).levels;
    values.resize(3);
    return values;
  };
  EXPECT_EQ(of(folder.put("a.nii", of_floats({-1000, 0.25, 3000}).bytes())),
            (std::vector<float>{-1000, 0.25F, 3000}));
  const auto odd = of(folder.put("b.nii", of_floats({kNaN, kInfinity, 2}).bytes()));
  EXPECT_TRUE(std::isnan(odd[0]) && std::isinf(odd[1]) && odd[2] == 2);
}

TEST(Map, HasAsManyLevelsAsTheGridHasVoxels) {
  const Folder folder;
  const auto map = read_map(read_header(folder.put("a.nii", of_floats({0.5}).bytes())));
  EXPECT_EQ(map.levels.size(), 24u);
  EXPECT_TRUE(map.warnings.empty());
}

TEST(Map, IsLongerThanOnePieceOfTheReader) {
  std::vector<double> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 101) / 128;
  Nifti store;
  store.values<float>(values);
  ValueType type;
  type.number = Number::float32;
  MapBuilder builder(type, 5000, {});
  builder.take(store.voxels);
  Grid grid;
  grid.size = {5000, 1, 1};
  const MapFile map = std::move(builder).finish("m", grid);
  EXPECT_EQ(map.levels, std::vector<float>(values.begin(), values.end()));
}

TEST(Map, AppliesSlopeAndIntercept) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.values<std::uint8_t>(padded({0, 100, 200}));
  file.set(file.at().slope, 0.004).set(file.at().intercept, 0.1);
  const auto levels = first_levels(folder.put("a.nii", file.bytes()), 3);
  EXPECT_NEAR(levels[0], 0.1, 1e-6);
  EXPECT_NEAR(levels[1], 0.5, 1e-6);
  EXPECT_NEAR(levels[2], 0.9, 1e-6);
}

TEST(Map, RefusesValuesThatAreNotFiniteWithTheirPlace) {
  EXPECT_TRUE(has(map_refusal(of_floats({0, 0, kNaN}).bytes(), "a.nii"), "first at (2, 0, 0)"));
  EXPECT_TRUE(has(map_refusal(of_floats({kInfinity, 0, -kInfinity}).bytes(), "a.nii"),
                  "2 voxels are NaN or infinite"));
}

TEST(Map, RefusesValuesOutsideZeroToOneWithTheirRange) {
  const std::string high = map_refusal(of_floats({0, 255}).bytes(), "a.nii");
  EXPECT_TRUE(has(high, "from 0 to 255") && has(high, "rescale")) << high;
  EXPECT_TRUE(has(map_refusal(of_floats({-0.5, 1}).bytes(), "a.nii"), "from -0.5 to 1"));
  EXPECT_NE(map_refusal(of_floats({1.00001}).bytes(), "a.nii"), "");
}

TEST(Map, ClampsWhatIsOffByRoundingWithANote) {
  const Folder folder;
  const auto path = folder.put("a.nii", of_floats({1 + 5e-7, -5e-7, 0.5}).bytes());
  EXPECT_EQ(first_levels(path, 3), (std::vector<float>{1, 0, 0.5F}));
  EXPECT_TRUE(any_has(read_map(read_header(path)).warnings, "clamped"));
}

TEST(Map, IsReadAsStrictlyAsAMask) {
  const Bytes bytes = of_floats({0.5}).bytes();
  EXPECT_NE(map_refusal(cut(bytes, bytes.size() - 1), "a.nii"), "");
  Bytes packed = zipped(bytes);
  packed[packed.size() - 5] ^= 0x10;
  EXPECT_NE(map_refusal(packed, "a.nii.gz"), "");
}

TEST(Map, NeedsFourBytesPerVoxel) {
  const Folder folder;
  const Header header = read_header(folder.put("a.nii", of_floats({0.5}).bytes()));
  ReadOptions options;
  options.max_memory = 24 * 4;
  EXPECT_NO_THROW(read_map(header, options));
  options.max_memory = 24 * 4 - 1;
  EXPECT_THROW(read_map(header, options), ResourceError);
}

TEST(Map, DividesTheSamplesOfAPngByTheLargest) {
  const Folder folder;
  const Bytes eight{0, 51, 255, 102};
  EXPECT_EQ(first_levels(folder.put("a.png", encode_png(eight, 2, 2, 8)), 4),
            (std::vector<float>{0, 0.2F, 1, 0.4F}));
  const std::vector<std::uint16_t> samples{0, 13107, 65535, 1};
  Bytes sixteen(8);
  std::memcpy(sixteen.data(), samples.data(), sixteen.size());
  EXPECT_EQ(first_levels(folder.put("b.png", encode_png(sixteen, 2, 2, 16)), 4),
            (std::vector<float>{0, 0.2F, 1, static_cast<float>(1.0 / 65535)}));
}

TEST(Map, WhatIsWrittenIsReadBack) {
  const Folder folder;
  const Header reference = read_header(folder.put("a.nii", sound_nifti().bytes()));
  SoftImage levels(24);
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<float>(i) / 23;
  write_image(folder / "soft.nii.gz", levels, reference);
  EXPECT_EQ(read_map(read_header(folder / "soft.nii.gz")).levels, levels);
}

TEST(Map, IsPlacedLikeAMask) {
  Placement placement;
  placement.identity = false;
  placement.sign = {-1, 1, 1};
  placement.offset = {2, 1, 0};
  Grid reference, other;
  reference.size = {3, 2, 1};
  other.size = {3, 1, 1};
  EXPECT_EQ(apply(placement, reference, other, std::vector<float>{0.1F, 0.2F, 0.3F}),
            (std::vector<float>{0, 0, 0, 0.3F, 0.2F, 0.1F}));
}

}  // namespace
}  // namespace crema::files::testing
