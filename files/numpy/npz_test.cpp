// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npz.h"

#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/numpy/npy_testing.h"

namespace crema::files::testing {
namespace {

const Bytes kMaskArray{0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1};

ZipMade member(const std::string& name = "mask.npy") {
  return {.name = name, .content = npy("|u1", "(3, 2, 4)", kMaskArray)};
}

std::string refused_npz(const Bytes& bytes, const ReadOptions& options = {}) {
  const Folder folder;
  return refusal(folder.put("a.npz", bytes), options);
}

std::string refused_npz(const ZipMade& result) { return refused_npz(Zip{.members = {result}}.bytes()); }

void expect_mask(const Zip& zip) {
  const Folder folder;
  const auto path = folder.put("a.npz", zip.bytes());
  EXPECT_EQ(voxels_of(path), kMaskArray);
  EXPECT_EQ(read_header(path).format, Format::npz);
}

ReadOptions cut_at(double threshold, std::optional<double> label = {}) {
  return {.threshold = threshold, .label = label, .max_memory = 0};
}

/// Classes of 2×2 voxels: class c has probability (c + 1) / 10 in its voxel c, 0.05 elsewhere.
Bytes probabilities(int classes, const std::string& name = "probabilities.npy") {
  std::vector<float> values;
  for (int c = 0; c < classes; ++c)
    for (int i = 0; i < 4; ++i) values.push_back(i == c ? static_cast<float>(c + 1) / 10 : 0.05F);
  const std::string shape = "(" + std::to_string(classes) + ", 1, 2, 2)";
  return Zip{.members = {{.name = name, .content = npy("<f4", shape, stored(values))}}}.bytes();
}

TEST(Npz, ReadsStoredAndDeflatedMembers) {
  ZipMade result = member();
  expect_mask({.members = {result}});
  result.method = 0;
  expect_mask({.members = {result}});
  expect_mask({.members = {result}, .comment = "as it was"});
  expect_mask({.members = {result}, .wide = true});
  result.wide = true;
  expect_mask({.members = {result}});
  result.wide = false;
  result.flags = 8;
  expect_mask({.members = {result}});
  expect_mask({.members = {result, {.name = "readme.txt", .content = {'a'}}}});
}

TEST(Npz, TakesTheOneArrayOrNamesThemAll) {
  const std::string text = refused_npz(Zip{.members = {member("a.npy"), member("b\n.npy")}}.bytes());
  EXPECT_TRUE(has(text, "holds 2 arrays (a, b\\n)")) << text;
  const Folder folder;
  EXPECT_TRUE(
      has(refusal(folder.put("none.npz", Zip{.members = {{.name = "a.txt", .content = {1}}}}.bytes())),
          "ZIP archive"));
  EXPECT_TRUE(has(refused_npz(Zip{}.bytes()), "without NumPy arrays"));
}

TEST(Npz, TakesTheProbabilitiesOfOneClass) {
  const Folder folder;
  const auto two = folder.put("a.npz", probabilities(2));
  EXPECT_EQ(voxels_of(two, cut_at(0.1)), (Bytes{0, 1, 0, 0}));
  EXPECT_EQ(voxels_of(two, cut_at(0.07, 0)), (Bytes{1, 0, 0, 0}));
  EXPECT_TRUE(any_has(warnings_of(two, cut_at(0.1)), "class 1 of its 2"));
  EXPECT_TRUE(has(refusal(two), "use threshold=0.5"));
  EXPECT_TRUE(has(refusal(two, cut_at(0.5, 2)), "no class 2"));
  EXPECT_TRUE(has(refusal(two, cut_at(0.5, 0.5)), "no class 0.5"));
  EXPECT_TRUE(has(refusal(two, cut_at(0.5, -1)), "no class -1"));
  EXPECT_EQ(read_map(read_header(two)).levels, (std::vector<float>{0.05F, 0.2F, 0.05F, 0.05F}));
  const auto four = folder.put("b.npz", probabilities(4, "softmax.npy"));
  EXPECT_TRUE(has(refusal(four, cut_at(0.5)), "4 classes; choose one with label"));
  EXPECT_EQ(voxels_of(four, cut_at(0.25, 2)), (Bytes{0, 0, 1, 0}));
  const auto one = folder.put("c.npz", probabilities(1));
  EXPECT_EQ(voxels_of(one, cut_at(0.07)), (Bytes{1, 0, 0, 0}));
}

TEST(Npz, PicksAClassAlsoFromFortranOrder) {
  std::vector<float> values(2 * 3 * 4);  // [class][y][x], the class running fastest
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 4; ++x) values[1 + 2 * (y + 3 * x)] = kMaskArray[x + 4 * y];
  const Folder folder;
  const Bytes array = npy("<f4", "(2, 1, 3, 4)", stored(values), "True");
  const auto path =
      folder.put("a.npz", Zip{.members = {{.name = "probabilities.npy", .content = array}}}.bytes());
  EXPECT_EQ(voxels_of(path, cut_at(0.5)), cut(kMaskArray, 12));
}

TEST(Npz, RefusesEveryTruncationAndEveryBitFlipThatMatters) {
  const Folder folder;
  for (const unsigned method : {0u, 8u}) {
    ZipMade result = member();
    result.method = method;
    const Bytes sound = Zip{.members = {result}}.bytes();
    for (std::size_t size = 4; size < sound.size(); ++size)
      EXPECT_NE(refusal(folder.put("a.npz", cut(sound, size))), "") << size;
    for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
      Bytes flipped = sound;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
      const auto path = folder.put("a.npz", flipped);
      if (!refusal(path).empty()) continue;
      EXPECT_EQ(voxels_of(path), kMaskArray) << "bit " << bit << " of method " << method;
    }
  }
}

TEST(Npz, RefusesWhatContradictsItself) {
  ZipMade result = member();
  result.crc_error = 1;
  EXPECT_TRUE(has(refused_npz(result), "checksum"));
  result = member();
  result.flags = 1;
  EXPECT_TRUE(has(refused_npz(result), "mask.npy is encrypted"));
  result = member();
  result.method = 12;
  EXPECT_TRUE(has(refused_npz(result), "method 12"));
  result = member();
  result.local_size = 5;
  EXPECT_TRUE(has(refused_npz(result), "contradicts the directory"));
  result = member();
  result.flags = 8;
  result.lying_descriptor = true;
  EXPECT_TRUE(has(refused_npz(result), "contradicts the directory"));
  result = member();
  result.listed_offset = 1;
  EXPECT_TRUE(has(refused_npz(result), "not where the directory says"));
  EXPECT_TRUE(
      has(refused_npz(Zip{.members = {member()}, .count_error = -1}.bytes()), "more members than it counts"));
  EXPECT_NE(refused_npz(Zip{.members = {member()}, .count_error = 1}.bytes()), "");
  EXPECT_TRUE(has(refused_npz(joined({Bytes(1), Zip{.members = {member()}}.bytes()})), "directory"));
}

TEST(Npz, RefusesMembersThatOverlapOrShareAName) {
  ZipMade again = member();
  again.listed_offset = 0;
  EXPECT_TRUE(has(refused_npz(Zip{.members = {member(), again}}.bytes()), "overlap"));
  EXPECT_TRUE(has(refused_npz(Zip{.members = {member(), member()}}.bytes()), "one name"));
}

TEST(Npz, RefusesSizesThatLie) {
  ZipMade result = member();
  result.listed_size = result.local_size = 1 << 30;
  EXPECT_TRUE(has(refused_npz(result), "cannot come from"));
  result = member();
  result.listed_size = result.local_size = static_cast<std::int64_t>(result.content.size()) - 1;
  EXPECT_NE(refused_npz(result), "");
  result = member();
  result.packed = joined({deflated(result.content), {7}});
  EXPECT_NE(refused_npz(result), "");
  result.packed = deflated(joined({result.content, {0}}));
  EXPECT_NE(refused_npz(result), "");
  const Folder folder;
  const Bytes big = npy("|u1", "(4000, 1000)", Bytes(4'000'000));
  const auto path = folder.put("a.npz", Zip{.members = {{.name = "a.npy", .content = big}}}.bytes());
  EXPECT_THROW(read_header(path, {.threshold = {}, .label = {}, .max_memory = 1'000'000}), ResourceError);
  EXPECT_EQ(voxels_of(path).size(), 4'000'000u);
}

RC_GTEST_PROP(Npz, DamageIsNeverSilent, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  ZipMade result = member();
  result.method = seed % 2 == 0 ? 0 : 8;
  result.flags = seed % 3 == 0 ? 8 : 0;
  Bytes bytes = Zip{.members = {result}, .wide = seed % 5 == 0}.bytes();
  for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
  const Folder folder;
  const auto path = folder.put("a.npz", bytes);
  if (refusal(path).empty()) RC_ASSERT(voxels_of(path) == kMaskArray);
}

}  // namespace
}  // namespace crema::files::testing
