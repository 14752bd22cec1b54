// SPDX-License-Identifier: Apache-2.0
#include "files/meta/meta.h"

#include <ctime>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/io/text_testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

std::string refused_meta(const std::string& name, const std::string& text) {
  const Folder folder;
  const std::clock_t begin = std::clock();
  const std::string why = refusal(folder.put("a.mha", sound_meta().set(name, text).bytes()));
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC) << name << text;
  return why;
}

std::string refused_without(const std::string& name) {
  const Folder folder;
  return refusal(folder.put("a.mha", sound_meta().drop(name).bytes()));
}

Lines packed_meta() {
  Lines file = sound_meta();
  file.set("CompressedData", "True").voxels = zlibbed(sound_mask());
  return file.set("CompressedDataSize", std::to_string(file.voxels.size()));
}

TEST(Meta, ReadsASoundFile) {
  const Folder folder;
  const auto path = folder.put("a.mha", sound_meta().bytes());
  const Header header = read_header(path);
  EXPECT_EQ(header.format, Format::meta);
  EXPECT_EQ(header.grid, sound_grid());
  EXPECT_TRUE(header.positioned);
  EXPECT_TRUE(warnings_of(path).empty());
  EXPECT_EQ(voxels_of(path), sound_mask());
}

TEST(Meta, IsKnownByItsContent) {
  const Folder folder;
  EXPECT_EQ(voxels_of(folder.put("a.nii", sound_meta().bytes())), sound_mask());
  EXPECT_EQ(voxels_of(folder.put("b.mha", sound_meta().drop("ObjectType").bytes())), sound_mask());
  EXPECT_EQ(voxels_of(folder.put("c.mha", sound_meta().bytes("\r\n"))), sound_mask());
  EXPECT_TRUE(has(refusal(folder.put("d.mha", zipped(sound_meta().bytes()))), "unpack"));
  EXPECT_TRUE(has(refusal(folder.put("e.mha", std::string("nothing"))), "line 1"));
}

template <class T>
void expect_type(const std::string& name) {
  const Folder folder;
  std::vector<double> values(24);
  values[5] = values[23] = 1;
  for (const bool big : {false, true}) {
    for (const std::string order : {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) {
      Lines file = sound_meta();
      file.drop("BinaryDataByteOrderMSB").set(order, big ? "True" : "False");
      file.set("ElementType", name).values<T>(values, big);
      EXPECT_EQ(voxels_of(folder.put("a.mha", file.bytes())), sound_mask()) << name;
      file.set("CompressedData", "True").voxels = zlibbed(file.voxels);
      EXPECT_EQ(voxels_of(folder.put("a.mha", file.bytes())), sound_mask()) << name;
    }
  }
}

TEST(Meta, ReadsEveryTypeInBothByteOrders) {
  expect_type<std::int8_t>("MET_CHAR");
  expect_type<std::uint8_t>("MET_UCHAR");
  expect_type<std::int16_t>("MET_SHORT");
  expect_type<std::uint16_t>("MET_USHORT");
  expect_type<std::int32_t>("MET_INT");
  expect_type<std::uint32_t>("MET_UINT");
  expect_type<std::int32_t>("MET_LONG");
  expect_type<std::uint32_t>("MET_ULONG");
  expect_type<std::int64_t>("MET_LONG_LONG");
  expect_type<std::uint64_t>("MET_ULONG_LONG");
  expect_type<float>("MET_FLOAT");
  expect_type<double>("MET_DOUBLE");
}

TEST(Meta, SaysWhichByteOrderItTakes) {
  const Folder folder;
  Lines file = sound_meta();
  file.set("ElementType", "MET_SHORT").drop("BinaryDataByteOrderMSB").voxels.resize(48);
  EXPECT_TRUE(any_has(warnings_of(folder.put("a.mha", file.bytes())), "little-endian is assumed"));
  file.set("BinaryDataByteOrderMSB", "True").set("ElementByteOrderMSB", "False");
  EXPECT_TRUE(has(refusal(folder.put("b.mha", file.bytes())), "two byte orders"));
  EXPECT_TRUE(has(refused_meta("BinaryDataByteOrderMSB", "maybe"), "maybe"));
}

TEST(Meta, RefusesHeadersThatCannotBe) {
  for (const std::string axes : {"-1", "0", "9", "x", "", "3.0", "99999999999999999999"})
    EXPECT_TRUE(has(refused_meta("NDims", axes), "NDims")) << axes;
  for (const std::string sizes : {"4 3", "4 3 2 1", "4 -3 2", "4 0 2", "4 3 x", "99999999999 1 1"})
    EXPECT_TRUE(has(refused_meta("DimSize", sizes), "DimSize = " + sizes)) << sizes;
  EXPECT_TRUE(has(refused_meta("DimSize", "2000000000 2000000000 2000000000"), "no file can hold"));
  EXPECT_TRUE(has(refused_meta("DimSize", "32767 32767 32767"), "cut short or damaged"));
  for (const std::string channels : {"-3", "0", "3"})
    EXPECT_TRUE(has(refused_meta("ElementNumberOfChannels", channels), channels + " channels")) << channels;
  for (const std::string type : {"MET_OTHER", "MET_UCHAR_ARRAY", "uchar", "MET_STRING"})
    EXPECT_TRUE(has(refused_meta("ElementType", type), "type " + type)) << type;
  EXPECT_TRUE(has(refused_meta("ObjectType", "Tube"), "tube"));
  EXPECT_TRUE(has(refused_meta("HeaderSize", "-2"), "HeaderSize = -2"));
  EXPECT_TRUE(has(refused_meta("HeaderSize", "3"), "HeaderSize = 3"));
  EXPECT_TRUE(has(refused_meta("HeaderSize", "999999"), "cut short"));
  for (const std::string name : {"NDims", "DimSize", "ElementType"})
    EXPECT_TRUE(has(refused_without(name), name)) << name;
  EXPECT_TRUE(has(refused_without("ElementDataFile"), "not text")) << "its voxels are taken for lines";
  const Folder folder;
  Lines bare = sound_meta();
  bare.drop("ElementDataFile").voxels = {};
  EXPECT_TRUE(has(refusal(folder.put("b.mha", bare.bytes())), "ElementDataFile"));
}

TEST(Meta, RefusesWhatIsCutShortOrTooLong) {
  const Folder folder;
  const Bytes whole = sound_meta().bytes();
  for (std::size_t lost = 1; lost < whole.size(); lost += 7)
    EXPECT_NE(refusal(folder.put("a.mha", cut(whole, whole.size() - lost))), "") << lost;
  EXPECT_TRUE(has(refusal(folder.put("a.mha", joined({whole, {7}}))), "more data"));
  Lines file = sound_meta();
  file.first = "Comment = " + std::string(1 << 20, 'x');
  EXPECT_TRUE(has(refusal(folder.put("b.mha", file.bytes())), "longer"));
  file.first = "DimSize = 4 3 2";
  EXPECT_TRUE(has(refusal(folder.put("c.mha", file.bytes())), "DimSize twice"));
  file.first = "nonsense";
  EXPECT_TRUE(has(refusal(folder.put("d.mha", file.bytes())), "'nonsense'"));
}

TEST(Meta, RefusesDamagedZlib) {
  const Folder folder;
  const Lines file = packed_meta();
  EXPECT_EQ(voxels_of(folder.put("a.mha", file.bytes())), sound_mask());
  const auto with = [&](Bytes voxels, const std::string& size) {
    Lines damaged = file;
    damaged.voxels = std::move(voxels);
    return refusal(folder.put("a.mha", size.empty() ? damaged.drop("CompressedDataSize").bytes()
                                                    : damaged.set("CompressedDataSize", size).bytes()));
  };
  EXPECT_EQ(with(file.voxels, ""), "");
  for (std::size_t size = 0; size < file.voxels.size(); ++size)
    EXPECT_NE(with(cut(file.voxels, size), size == 0 ? "1" : ""), "") << size;
  for (std::size_t bit = 0; bit < 8 * file.voxels.size(); ++bit) {
    Lines damaged = file;
    damaged.drop("CompressedDataSize").voxels[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    const auto path = folder.put("a.mha", damaged.bytes());
    // Bits that fill the last byte of the deflate stream carry nothing.
    EXPECT_TRUE(!refusal(path).empty() || voxels_of(path) == sound_mask()) << bit;
  }
  Bytes wrong = file.voxels;
  wrong.back() ^= 1;
  EXPECT_TRUE(has(with(wrong, ""), "checksum"));
  for (std::size_t more = 1; more < 20; ++more) {
    EXPECT_TRUE(has(with(joined({file.voxels, Bytes(more, 9)}), ""), "other bytes")) << more;
    Bytes late(more, 0);
    late.back() = 1;
    EXPECT_TRUE(has(with(joined({file.voxels, late}), ""), "other bytes")) << more;
    Lines padded = file;
    padded.drop("CompressedDataSize").voxels.insert(padded.voxels.end(), more, 0);
    EXPECT_TRUE(
        any_has(warnings_of(folder.put("b.mha", padded.bytes())), fmt::format("{} zero bytes", more)));
  }
  for (const std::string size : {"1", "9999999", "-4", "0"})
    EXPECT_TRUE(has(with(file.voxels, size), "declares " + size + " bytes")) << size;
}

TEST(Meta, ReadsNumbersWrittenOut) {
  const Folder folder;
  Lines file = sound_meta();
  std::string text;
  for (const int voxel : sound_mask()) text += std::to_string(voxel) + " ";
  file.set("BinaryData", "False").voxels = Bytes(text.begin(), text.end());
  EXPECT_EQ(voxels_of(folder.put("a.mha", file.bytes())), sound_mask());
  file.voxels.pop_back();
  file.voxels.back() = 'x';
  EXPECT_TRUE(has(refusal(folder.put("b.mha", file.bytes())), "not a number"));
}

TEST(Meta, ReadsVoxelsFromAFileOfTheirOwn) {
  const Folder folder;
  Lines file = sound_meta();
  file.set("ElementDataFile", "a.raw").voxels = {};
  folder.put("a.raw", sound_mask());
  const auto path = folder.put("a.mhd", file.bytes());
  EXPECT_EQ(voxels_of(path), sound_mask());
  EXPECT_EQ(meta_sources(path), (std::vector{path, folder / "a.raw"}));
  folder.put("b.raw", joined({Bytes(10, 9), sound_mask()}));
  file.set("ElementDataFile", "b.raw").set("HeaderSize", "10");
  EXPECT_EQ(voxels_of(folder.put("b.mhd", file.bytes())), sound_mask());
  EXPECT_EQ(voxels_of(folder.put("c.mhd", file.set("HeaderSize", "-1").bytes())), sound_mask());
}

TEST(Meta, NeverLeavesTheFolderOfTheHeaderNorWaits) {
  const Folder folder, elsewhere;
  const auto outside = elsewhere.put("a.raw", sound_mask());
  const auto with = [&](const std::string& name) {
    Lines file = sound_meta();
    file.set("ElementDataFile", name).voxels = {};
    return refusal(folder.put("a.mhd", file.bytes()));
  };
  EXPECT_TRUE(has(with(outside.string()), "outside its folder"));
  EXPECT_TRUE(has(with("sub/../../a.raw"), "outside its folder"));
  fs::create_symlink(outside, folder / "link.raw");
  EXPECT_TRUE(has(with("link.raw"), "out of the folder"));
  EXPECT_TRUE(has(with("gone.raw"), "missing"));
  EXPECT_TRUE(has(with("%s%n"), "pattern"));
  EXPECT_TRUE(has(with("slice%03d.raw 1 2 1"), "pattern"));
  EXPECT_TRUE(has(with("LIST"), "one file per slice"));
  EXPECT_TRUE(has(with("LIST 2"), "one file per slice"));
  ASSERT_EQ(::mkfifo((folder / "a.raw").c_str(), 0600), 0);
  ::alarm(600);  // ends the process where it waits
  EXPECT_TRUE(has(with("a.raw"), "is a pipe"));
  ::alarm(0);
}

}  // namespace
}  // namespace crema::files::testing
