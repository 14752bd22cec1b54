// SPDX-License-Identifier: Apache-2.0
// Whole numbers of 64 bits: no two of them are ever taken for each other.
#include <cstring>
#include <limits>

#include "files/io/text_testing.h"

namespace crema::files::testing {
namespace {

constexpr std::int64_t kFirst = std::int64_t{1} << 53;  ///< whose neighbour is the same double

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// 24 voxels of 64 bits as NIfTI, of which two can be chosen.
template <class T>
std::filesystem::path wide(const Folder& folder, T one, T other, bool big_endian = false) {
  std::vector<T> values(24);
  values[5] = one;
  values[23] = other;
  Nifti file = sound_nifti(1, big_endian);
  file.type(std::is_signed_v<T> ? 1024 : 1280, 64).voxels = bytes_of(values);
  for (std::size_t at = 0; big_endian && at < file.voxels.size(); at += 8)
    std::reverse(file.voxels.begin() + static_cast<std::ptrdiff_t>(at),
                 file.voxels.begin() + static_cast<std::ptrdiff_t>(at + 8));
  return folder.put("a.nii", file.bytes());
}

const ReadOptions kLabel{.threshold = {}, .label = static_cast<double>(kFirst), .max_memory = 0};
const ReadOptions kThreshold{.threshold = static_cast<double>(kFirst), .label = {}, .max_memory = 0};

TEST(WideValues, NeighboursThatAreOneDoubleAreTwoLabels) {
  const Folder folder;
  for (const bool big_endian : {false, true}) {
    EXPECT_TRUE(has(refusal(wide<std::int64_t>(folder, kFirst, kFirst + 1, big_endian)),
                    "holds 9007199254740992 and 9007199254740993, labels beyond 2^53"));
    EXPECT_TRUE(has(refusal(wide<std::int64_t>(folder, -kFirst - 1, -kFirst, big_endian)),
                    "holds -9007199254740993 and -9007199254740992"));
    EXPECT_TRUE(has(refusal(wide<std::uint64_t>(folder, UINT64_MAX - 1, UINT64_MAX, big_endian)),
                    "holds 18446744073709551614 and 18446744073709551615"));
  }
}

TEST(WideValues, OneOfThemIsAMask) {
  const Folder folder;
  for (const bool big_endian : {false, true}) {
    EXPECT_EQ(voxels_of(wide<std::int64_t>(folder, kFirst + 1, kFirst + 1, big_endian)), sound_mask());
    EXPECT_EQ(voxels_of(wide<std::uint64_t>(folder, UINT64_MAX, UINT64_MAX, big_endian)), sound_mask());
    EXPECT_EQ(voxels_of(wide<std::int64_t>(folder, INT64_MIN, INT64_MIN, big_endian)), sound_mask());
  }
  EXPECT_EQ(voxels_of(wide<std::int64_t>(folder, kFirst - 1, kFirst - 1)), sound_mask());
}

TEST(WideValues, ArePlainLabelsBelow) {
  const Folder folder;
  const auto path = wide<std::int64_t>(folder, kFirst - 1, kFirst - 2);
  const ReadOptions options{.threshold = {}, .label = static_cast<double>(kFirst - 2), .max_memory = 0};
  EXPECT_EQ(voxels_of(path, options)[23], 1);
  EXPECT_EQ(voxels_of(path, options)[5], 0);
  EXPECT_TRUE(has(refusal(wide<std::int64_t>(folder, 1'000'001, 1'000'002)), "labels 0, 1000001, 1000002"));
}

TEST(WideValues, AreNotComparedWithWhatADoubleCannotHold) {
  const Folder folder;
  for (const ReadOptions& options : {kLabel, kThreshold})
    EXPECT_TRUE(has(refusal(wide<std::int64_t>(folder, kFirst + 1, 3), options), "cannot be compared"));
  const ReadOptions one{.threshold = 1, .label = {}, .max_memory = 0};
  EXPECT_EQ(voxels_of(wide<std::int64_t>(folder, kFirst + 1, kFirst + 2), one), sound_mask());
}

TEST(WideValues, AreToldApartFarFromEachOther) {
  const Folder folder;
  std::vector<std::int64_t> values(20'000);
  values[3] = kFirst;
  values[19'999] = kFirst + 1;
  Nifti file = sound_nifti();
  file.type(1024, 64).set_integer(file.at().dim, 20'000, 1);
  for (const std::size_t axis : {2u, 3u}) file.set_integer(file.at().dim, 1, axis);
  file.voxels = bytes_of(values);
  EXPECT_TRUE(has(refusal(folder.put("a.nii", file.bytes())), "labels beyond 2^53"));
}

TEST(WideValues, AreExactAsTextToo) {
  const Folder folder;
  const auto text = [&](const std::string& type, const std::string& one, const std::string& other) {
    Lines file = sound_nrrd();
    std::string words = "0 " + one + " " + other;
    for (int i = 0; i < 21; ++i) words += " 0";
    file.set("type", type).set("encoding", "ascii").voxels = Bytes(words.begin(), words.end());
    return folder.put("a.nrrd", file.bytes());
  };
  EXPECT_TRUE(has(refusal(text("int64", "9007199254740992", "9007199254740993")), "beyond 2^53"));
  EXPECT_TRUE(has(refusal(text("uint64", "18446744073709551614", "18446744073709551615")), "beyond 2^53"));
  EXPECT_EQ(voxels_of(text("uint64", "18446744073709551615", "18446744073709551615"))[1], 1);
  EXPECT_EQ(voxels_of(text("int64", "1.0", "1e0"))[2], 1);
  EXPECT_EQ(refusal(text("int64", "-1", "-1")), "");
  EXPECT_TRUE(has(refusal(text("uint64", "-1", "-1")), "not a number of type uint64"));
  EXPECT_TRUE(has(refusal(text("int64", "1e30", "1e30")), "not a number of type int64"));
  EXPECT_TRUE(has(refusal(text("uchar", "256", "256")), "not a number of type uint8"));
  EXPECT_TRUE(has(refusal(text("int8", "-129", "-129")), "not a number of type int8"));
}

}  // namespace
}  // namespace crema::files::testing
