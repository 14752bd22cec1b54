// SPDX-License-Identifier: Apache-2.0
#include "files/files.h"

#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/nifti/nifti.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

/// Geometry fields of a NIfTI file, in the order of its bytes but in one byte order.
Bytes geometry_bytes(const fs::path& path) {
  const Header header = read_header(path);
  const NiftiHeader& nifti = static_cast<const NiftiNative*>(header.native.get())->header;
  const NiftiLayout& at = nifti_layout(nifti.version);
  Bytes all(at.size);
  for (const NiftiField& field :
       {at.dim, at.pixdim, at.units, at.qform_code, at.sform_code, at.quatern, at.qoffset, at.srow}) {
    copy_field(all, nifti.raw, field, nifti.big_endian);
  }
  return all;
}

RC_GTEST_PROP(Files, WhatIsWrittenReadsBackWithTheSameVoxelsAndGeometry, (unsigned seed)) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-100, 100);
  const Folder folder;
  Nifti file = sound_nifti(1 + seed % 2, (seed >> 1) % 2 == 1);
  std::array<double, 12> rows{};
  for (double& entry : rows) entry = real(random);
  file.srow(rows, static_cast<int>(random() % 5));
  for (std::size_t i = 0; i < 3; ++i) file.set(file.at().quatern, real(random) / 200, i);
  for (std::size_t i = 1; i < 4; ++i) file.set(file.at().pixdim, 0.1 + std::abs(real(random)), i);
  file.set_integer(file.at().qform_code, static_cast<int>(random() % 5));
  const auto reference = folder.put("reference.nii", file.bytes());
  const Header header = read_header(reference);
  HardImage image(24);
  for (auto& voxel : image) voxel = random() % 2;
  for (const std::string name : {"out.nii", "out.nii.gz", "pair.hdr"}) {
    write_image(folder / name, image, header);
    RC_ASSERT(voxels_of(folder / name) == image);
    RC_ASSERT(geometry_bytes(folder / name) == geometry_bytes(reference));
    RC_ASSERT(read_header(folder / name).grid == header.grid);
    RC_ASSERT(read_header(folder / name).type == "uint8");
  }
}

RC_GTEST_PROP(Files, AGridWithoutAFileIsWrittenAsSform, (unsigned seed)) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-10, 10);
  const Folder folder;
  Header header;
  header.grid.size = {static_cast<int>(1 + random() % 9), static_cast<int>(1 + random() % 9),
                      static_cast<int>(1 + random() % 9)};
  header.positioned = true;
  for (double& entry : header.grid.spacing) entry = 20 + real(random);
  for (double& entry : header.grid.origin) entry = real(random);
  HardImage image(static_cast<std::size_t>(header.grid.voxels()), 1);
  write_image(folder / "a.nii.gz", image, header);
  const Header back = read_header(folder / "a.nii.gz");
  RC_ASSERT(back.positioned);
  RC_ASSERT(back.grid.size == header.grid.size);
  RC_ASSERT(place(header, back).warnings.empty());
}

TEST(Files, VoxelsWhoseSizeIsLostAreTreatedAsThoseWithoutOne) {
  const Folder folder;
  for (const std::string length : {"1e-200", "1e-120", "1e200", "1e120"}) {
    const std::string all = length + " " + length + " " + length;
    const std::string mha = "ObjectType = Image\nNDims = 3\nDimSize = 2 1 1\nElementSpacing = " + all +
                            "\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n\x01";
    const std::string nrrd =
        "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 1 1\nspacings: " + all + "\nencoding: raw\n\n\x01";
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"a.mha", mha}, {"a.nrrd", nrrd}}) {
      Bytes bytes(text.begin(), text.end());
      bytes.push_back(0);
      const auto path = folder.put(name, bytes);
      for (const Header& header : {read_header(path), read_headers(path).front()}) {
        EXPECT_EQ(header.grid.spacing, (std::array<double, 3>{1, 1, 1})) << name << " " << length;
        EXPECT_FALSE(header.measured) << name << " " << length;
        EXPECT_TRUE(any_has(header.warnings, "spacing")) << name << " " << length;
      }
    }
  }
}

TEST(Files, SoftImagesKeepTheirLevels) {
  const Folder folder;
  const Header header = read_header(folder.put("reference.nii", sound_nifti(1, true).bytes()));
  SoftImage image(24, 0.25f);
  image[7] = 0.75f;
  write_image(folder / "soft.nii.gz", image, header);
  EXPECT_EQ(read_header(folder / "soft.nii.gz").type, "float32");
  Bytes expected(24);
  expected[7] = 1;
  EXPECT_EQ(voxels_of(folder / "soft.nii.gz", {.threshold = 0.5, .label = {}, .max_memory = 0}), expected);
  EXPECT_TRUE(has(refusal(folder / "soft.nii.gz"), "probability map") ||
              has(refusal(folder / "soft.nii.gz"), "0.25"));
}

TEST(Files, WritingDropsScalingAndExtensions) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.set(file.at().slope, 0.5).set(file.at().vox_offset, 400).header.resize(400, 9);
  std::transform(file.voxels.begin(), file.voxels.end(), file.voxels.begin(), [](auto v) { return v * 2; });
  const Header header = read_header(folder.put("reference.nii", file.bytes()));
  write_image(folder / "a.nii", HardImage(sound_mask()), header);
  EXPECT_EQ(fs::file_size(folder / "a.nii"), 352u + 24u);
  EXPECT_EQ(voxels_of(folder / "a.nii"), sound_mask());
  EXPECT_TRUE(warnings_of(folder / "a.nii").empty());
}

TEST(Files, LargeGridsAreWrittenAsVersionTwo) {
  const Folder folder;
  Header header;
  header.grid.size = {40000, 1, 1};
  write_image(folder / "a.nii", HardImage(40000, 1), header);
  EXPECT_EQ(slurp(folder / "a.nii")[0], 540 % 256);
  EXPECT_EQ(voxels_of(folder / "a.nii").size(), 40000u);
}

TEST(Files, TheSameImageGivesTheSameBytes) {
  const Folder folder;
  const Header header = read_header(folder.put("reference.nii", sound_nifti().bytes()));
  write_image(folder / "a.nii.gz", HardImage(sound_mask()), header);
  write_image(folder / "b.nii.gz", HardImage(sound_mask()), header);
  EXPECT_EQ(slurp(folder / "a.nii.gz"), slurp(folder / "b.nii.gz"));
}

TEST(Files, AFailedWriteLeavesNothing) {
  const Folder folder;
  const Header header = read_header(folder.put("reference.nii", sound_nifti().bytes()));
  write_image(folder / "a.nii.gz", HardImage(24), header);
  EXPECT_THROW(write_image(folder / "a.nii.gz", HardImage(sound_mask()), header), UsageError);
  EXPECT_EQ(voxels_of(folder / "a.nii.gz"), HardImage(24));
  write_image(folder / "a.nii.gz", HardImage(sound_mask()), header, kForce);
  EXPECT_EQ(voxels_of(folder / "a.nii.gz"), sound_mask());
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(Files, EndingsFollowTheReference) {
  const auto ending = [](const std::string& name) {
    Header header;
    header.path = name;
    return ending_of(header);
  };
  EXPECT_EQ(ending("a.nii"), ".nii");
  EXPECT_EQ(ending("a.nii.gz"), ".nii.gz");
  EXPECT_EQ(ending("a.img"), ".hdr");
  EXPECT_EQ(ending("a"), ".nii.gz");
  EXPECT_EQ(ending("a.png"), ".nii.gz") << "a NIfTI file whatever its name";
}

RC_GTEST_PROP(Files, DamageToAZippedFileIsNeverSilent, (unsigned seed)) {
  std::mt19937 random(seed);
  const Folder folder;
  Nifti file = sound_nifti();
  file.set_integer(file.at().dim, 40, 1).set_integer(file.at().dim, 30, 2).voxels.assign(40 * 30 * 2, 0);
  for (std::size_t i = 500; i < 1900; ++i) file.voxels[i] = random() % 9 != 0;
  const Bytes sound = zipped(file.bytes());
  for (int trial = 0; trial < 20; ++trial) {
    Bytes damaged = sound;
    if (random() % 4 == 0) damaged.resize(2 + random() % (damaged.size() - 2));
    const std::size_t bit = random() % (8 * damaged.size());
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1u << (bit % 8)));
    const auto path = folder.put("a.nii.gz", damaged);
    try {
      RC_ASSERT(voxels_of(path) == file.voxels);
      RC_ASSERT(damaged.size() == sound.size());
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace crema::files::testing
