// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/nifti.h"

#include <limits>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

struct Stored {
  int code;
  int bits;
  void (*fill)(Nifti&, const std::vector<double>&);
};

template <class T>
void fill(Nifti& file, const std::vector<double>& values) {
  file.values<T>(values);
}

const std::vector<Stored> kStored{{256, 8, fill<std::int8_t>},    {2, 8, fill<std::uint8_t>},
                                  {4, 16, fill<std::int16_t>},    {512, 16, fill<std::uint16_t>},
                                  {8, 32, fill<std::int32_t>},    {768, 32, fill<std::uint32_t>},
                                  {1024, 64, fill<std::int64_t>}, {1280, 64, fill<std::uint64_t>},
                                  {16, 32, fill<float>},          {64, 64, fill<double>}};

TEST(Nifti, ReadsEveryTypeInBothByteOrdersAndVersionsPlainAndZipped) {
  const Folder folder;
  const Bytes expected = sound_mask();
  const std::vector<double> values(expected.begin(), expected.end());
  for (const Stored& stored : kStored) {
    for (const int version : {1, 2}) {
      for (const bool big : {false, true}) {
        Nifti file = sound_nifti(version, big);
        file.type(stored.code, stored.bits);
        stored.fill(file, values);
        const auto plain = folder.put("a.nii", file.bytes());
        const auto packed = folder.put("a.nii.gz", zipped(file.bytes()));
        for (const auto& path : {plain, packed}) {
          EXPECT_EQ(voxels_of(path), expected)
              << stored.code << " v" << version << " big " << big << " " << path;
          EXPECT_TRUE(warnings_of(path).empty()) << warnings_of(path).front().text();
        }
      }
    }
  }
}

TEST(Nifti, NamesTheStoredType) {
  const Folder folder;
  EXPECT_EQ(read_header(folder.put("a.nii", sound_nifti().bytes())).type, "uint8");
  EXPECT_EQ(read_header(folder.put("b.nii", sound_nifti(2, true).bytes())).type, "uint8 big-endian");
}

TEST(Nifti, RefusesAHeaderThatIsCutShort) {
  const Folder folder;
  for (const std::size_t size : {4u, 100u, 343u, 347u}) {
    EXPECT_TRUE(has(refusal(folder.put("a.nii", cut(sound_nifti().bytes(), size))), "cut short")) << size;
    EXPECT_TRUE(has(refusal(folder.put("b.nii.gz", zipped(cut(sound_nifti().bytes(), size)))), "cut short"))
        << size;
  }
  EXPECT_TRUE(has(refusal(folder.put("c.nii", cut(sound_nifti(2).bytes(), 500))), "cut short"));
  EXPECT_NE(refusal(folder.put("d.nii", Bytes{1, 2, 3})), "");
}

TEST(Nifti, RefusesNothingInsideGzipAsEmpty) {
  const Folder folder;
  EXPECT_TRUE(has(refusal(folder.put("a.nii.gz", zipped({}))), "empty"));
}

TEST(Nifti, RefusesVoxelsThatAreCutShort) {
  const Folder folder;
  const Bytes whole = sound_nifti().bytes();
  for (std::size_t size = 348; size < whole.size(); ++size) {
    EXPECT_TRUE(has(refusal(folder.put("a.nii", cut(whole, size))), "cut short")) << size;
    EXPECT_TRUE(has(refusal(folder.put("b.nii.gz", zipped(cut(whole, size)))), "cut short")) << size;
  }
}

TEST(Nifti, RefusesMoreDataThanDeclaredButNotesPaddingOfZeros) {
  const Folder folder;
  const Bytes whole = sound_nifti().bytes();
  EXPECT_TRUE(has(refusal(folder.put("a.nii", joined({whole, {0, 0, 7}}))), "more data"));
  EXPECT_TRUE(has(refusal(folder.put("b.nii.gz", zipped(joined({whole, {0}})))), "more data"));
  const auto padded = folder.put("c.nii", joined({whole, Bytes(512)}));
  EXPECT_TRUE(any_has(warnings_of(padded), "512 zero bytes"));
  EXPECT_EQ(voxels_of(padded), sound_mask());
}

TEST(Nifti, RefusesImpossibleDimensions) {
  const Folder folder;
  for (const int version : {1, 2}) {
    for (const int count : {0, 8, 9, 200, -1}) {
      Nifti file = sound_nifti(version);
      file.set_integer(file.at().dim, count);
      EXPECT_TRUE(has(refusal(folder.put("a.nii", file.bytes())), "dimensions")) << count;
    }
    for (const int size : {0, -1, -32768}) {
      for (const std::size_t axis : {1u, 2u, 3u}) {
        Nifti file = sound_nifti(version);
        file.set_integer(file.at().dim, size, axis);
        EXPECT_TRUE(has(refusal(folder.put("a.nii", file.bytes())), "along dimension")) << size;
      }
    }
  }
}

TEST(Nifti, RefusesSizesTheFileCannotHold) {
  const Folder folder;
  Nifti cube = sound_nifti();
  for (std::size_t i = 1; i <= 3; ++i) cube.set_integer(cube.at().dim, 32767, i);
  EXPECT_TRUE(has(refusal(folder.put("a.nii", cube.bytes())), "cut short or damaged"));
  EXPECT_TRUE(has(refusal(folder.put("b.nii.gz", zipped(cube.bytes()))), "cut short or damaged"));
  for (const std::int64_t size :
       {std::int64_t{1} << 62, std::int64_t{1} << 31, (std::int64_t{1} << 31) - 1}) {
    Nifti huge = sound_nifti(2);
    for (std::size_t i = 1; i <= 3; ++i) huge.set_integer(huge.at().dim, size, i);
    EXPECT_NE(refusal(folder.put("c.nii", huge.bytes())), "") << size;
    EXPECT_NE(refusal(folder.put("d.nii.gz", zipped(huge.bytes()))), "") << size;
  }
}

TEST(Nifti, RefusesTypesThatAreNoMaskByName) {
  const Folder folder;
  const std::vector<std::pair<int, std::string>> bad{
      {0, "datatype 0"}, {9999, "datatype 9999"}, {32, "complex64"},    {128, "RGB"},
      {2304, "RGBA"},    {1536, "float128"},      {1792, "complex128"}, {1, "1-bit"}};
  for (const auto& [code, name] : bad) {
    Nifti file = sound_nifti();
    file.type(code, 8);
    EXPECT_TRUE(has(refusal(folder.put("a.nii", file.bytes())), name)) << name;
  }
  Nifti file = sound_nifti();
  file.type(2, 16);
  EXPECT_TRUE(has(refusal(folder.put("a.nii", file.bytes())), "16 bits per voxel, but uint8 has 8"));
}

TEST(Nifti, RefusesOffsetsThatAreNot) {
  const Folder folder;
  for (const double offset : {348.0, 1e9, -352.0, kNaN, 352.5, 1e30}) {
    Nifti file = sound_nifti();
    file.set(file.at().vox_offset, offset);
    EXPECT_NE(refusal(folder.put("a.nii", file.bytes())), "") << offset;
    EXPECT_NE(refusal(folder.put("b.nii.gz", zipped(file.bytes()))), "") << offset;
  }
  Nifti two = sound_nifti(2);
  EXPECT_NE(refusal(folder.put("a.nii", two.set(two.at().vox_offset, 540).bytes())), "");
}

TEST(Nifti, TakesOffsetZeroAsUnset) {
  const Folder folder;
  for (const int version : {1, 2}) {
    Nifti file = sound_nifti(version);
    const auto path = folder.put("a.nii", file.set(file.at().vox_offset, 0).bytes());
    EXPECT_EQ(voxels_of(path), sound_mask());
    EXPECT_TRUE(any_has(warnings_of(path), "vox_offset is 0"));
  }
}

TEST(Nifti, SkipsHeaderExtensions) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.set(file.at().vox_offset, 352 + 100032);
  file.header.resize(352 + 100032, 0xAB);
  EXPECT_EQ(voxels_of(folder.put("a.nii", file.bytes())), sound_mask());
  EXPECT_EQ(voxels_of(folder.put("b.nii.gz", zipped(file.bytes()))), sound_mask());
}

TEST(Nifti, RefusesWrongSizeAndMagic) {
  const Folder folder;
  Nifti file = sound_nifti();
  EXPECT_TRUE(has(refusal(folder.put("a.nii", file.set_integer({0, 4, 1, false}, 347).bytes())), "347"));
  EXPECT_TRUE(has(refusal(folder.put("b.nii", sound_nifti().magic("n+3").bytes())), "n+3"));
  EXPECT_TRUE(
      has(refusal(folder.put("c.nii", sound_nifti().magic(std::string(4, '\0')).bytes())), "Analyze 7.5"));
  EXPECT_NE(refusal(folder.put("d.nii", sound_nifti(2).magic(std::string("n+2\0\n\n\032\n", 8)).bytes())),
            "");
}

TEST(Nifti, ReadsPairsGivenEitherName) {
  const Folder folder;
  for (const int version : {1, 2}) {
    Nifti file = sound_nifti(version);
    file.header[file.at().magic.offset + 1] = 'i';
    file.set(file.at().vox_offset, 0);
    const auto hdr = folder.put("a.hdr", file.header);
    const auto img = folder.put("a.img", file.voxels);
    EXPECT_EQ(voxels_of(hdr), sound_mask());
    EXPECT_EQ(voxels_of(img), sound_mask());
    EXPECT_TRUE(warnings_of(img).empty());
    EXPECT_EQ(voxels_of(folder.put("z.hdr.gz", zipped(file.header)).parent_path() / "a.hdr"), sound_mask());
    folder.put("z.img.gz", zipped(file.voxels));
    EXPECT_EQ(voxels_of(folder / "z.hdr.gz"), sound_mask());
    EXPECT_EQ(voxels_of(folder / "z.img.gz"), sound_mask());
  }
}

TEST(Nifti, NamesTheMissingHalfOfAPair) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.magic("ni1").set(file.at().vox_offset, 0);
  EXPECT_TRUE(has(refusal(folder.put("a.hdr", file.header)), "a.img"));
  EXPECT_TRUE(has(refusal(folder.put("b.img", file.voxels)), "b.hdr"));
  EXPECT_TRUE(has(refusal(folder.put("c.nii", file.bytes())), "not named .hdr"));
  folder.put("d.img", cut(file.voxels, 10));
  EXPECT_TRUE(has(refusal(folder.put("d.hdr", file.header)), "cut short"));
}

TEST(Nifti, NotesANameThatHidesOrFeignsCompression) {
  const Folder folder;
  const auto hidden = folder.put("a.nii", zipped(sound_nifti().bytes()));
  const auto feigned = folder.put("b.nii.gz", sound_nifti().bytes());
  EXPECT_TRUE(any_has(warnings_of(hidden), "is gzip although"));
  EXPECT_TRUE(any_has(warnings_of(feigned), "is not gzip although"));
  EXPECT_EQ(voxels_of(hidden), sound_mask());
  EXPECT_EQ(voxels_of(feigned), sound_mask());
}

TEST(Nifti, SqueezesSingletonDimensionsAndRefusesSeveralVolumes) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.set_integer(file.at().dim, 7);
  EXPECT_EQ(voxels_of(folder.put("a.nii", file.bytes())), sound_mask());
  file.set_integer(file.at().dim, 3, 4);
  EXPECT_TRUE(has(refusal(folder.put("b.nii", file.bytes())), "3 volumes"));
}

TEST(Nifti, TakesFewerDimensionsAsFlat) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.set_integer(file.at().dim, 2).voxels.resize(12);
  EXPECT_EQ(read_header(folder.put("a.nii", file.bytes())).grid.size, (std::array{4, 3, 1}));
  file.set_integer(file.at().dim, 1).voxels.resize(4);
  EXPECT_EQ(read_header(folder.put("b.nii", file.bytes())).grid.size, (std::array{4, 1, 1}));
}

TEST(Nifti, RefusesWhatTakesMoreMemoryThanAllowed) {
  const Folder folder;
  Nifti file = sound_nifti();
  for (std::size_t i = 1; i <= 3; ++i) file.set_integer(file.at().dim, 128, i);
  file.voxels = Bytes(128 * 128 * 128);
  const auto path = folder.put("a.nii.gz", zipped(file.bytes()));
  EXPECT_THROW(read_header(path, {.threshold = {}, .label = {}, .max_memory = 1 << 20}), ResourceError);
  const Header header = read_header(path);
  EXPECT_THROW(read_mask(header, {.threshold = {}, .label = {}, .max_memory = 1 << 20}), ResourceError);
}

TEST(Nifti, RefusesAFileThatChangedBetweenHeaderAndVoxels) {
  const Folder folder;
  const auto path = folder.put("a.nii", sound_nifti().bytes());
  const Header header = read_header(path);
  Nifti other = sound_nifti();
  other.set_integer(other.at().dim, 5, 1);
  other.voxels.resize(30);
  folder.put("a.nii", other.bytes());
  EXPECT_THROW(read_mask(header), InputError);
}

}  // namespace
}  // namespace crema::files::testing
