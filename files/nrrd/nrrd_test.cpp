// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/nrrd.h"

#include <ctime>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/io/text_testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

/// What reading the file with one line changed ends with.
std::string refused_nrrd(const std::string& name, const std::string& text) {
  const Folder folder;
  return refusal(folder.put("a.nrrd", sound_nrrd().set(name, text).bytes()));
}

std::string refused_without(const std::string& name) {
  const Folder folder;
  return refusal(folder.put("a.nrrd", sound_nrrd().drop(name).bytes()));
}

TEST(Nrrd, ReadsASoundFile) {
  const Folder folder;
  const auto path = folder.put("a.nrrd", sound_nrrd().bytes());
  const Header header = read_header(path);
  EXPECT_EQ(header.format, Format::nrrd);
  EXPECT_EQ(header.grid, sound_grid());
  EXPECT_TRUE(header.positioned);
  EXPECT_EQ(header.type, "uint8");
  EXPECT_TRUE(warnings_of(path).empty());
  EXPECT_EQ(voxels_of(path), sound_mask());
}

TEST(Nrrd, IsKnownByItsContent) {
  const Folder folder;
  EXPECT_EQ(voxels_of(folder.put("a.nii.gz", sound_nrrd().bytes())), sound_mask());
  EXPECT_TRUE(has(refusal(folder.put("b.nrrd", std::string("NRRD"))), "NRRD0001"));
  EXPECT_TRUE(has(refusal(folder.put("c.nrrd", zipped(sound_nrrd().bytes()))), "unpack"));
}

TEST(Nrrd, ReadsEveryVersionItKnows) {
  const Folder folder;
  for (const std::string version : {"1", "2", "3", "4", "5"}) {
    Lines file = sound_nrrd();
    file.first = "NRRD000" + version;
    EXPECT_EQ(voxels_of(folder.put("a.nrrd", file.bytes())), sound_mask()) << version;
  }
  Lines file = sound_nrrd();
  for (const std::string magic : {"NRRD0000", "NRRD0006", "NRRD0004x", "NRRD-001", "NRRDabcd"}) {
    file.first = magic;
    EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "NRRD0001 to NRRD0005")) << magic;
  }
}

TEST(Nrrd, LineEndsMayBeOfEitherKind) {
  const Folder folder;
  EXPECT_EQ(voxels_of(folder.put("a.nrrd", sound_nrrd().bytes("\r\n"))), sound_mask());
}

TEST(Nrrd, CommentsAndPairsAreNoFields) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.first += "\n# type: double\nkey:=sizes: 1 1\nother key:=a\\nb";
  EXPECT_TRUE(warnings_of(folder.put("a.nrrd", file.bytes())).empty());
  EXPECT_EQ(voxels_of(folder / "a.nrrd"), sound_mask());
  file.set("colour", "red");
  EXPECT_TRUE(any_has(warnings_of(folder.put("b.nrrd", file.bytes())), "'colour' is unknown"));
}

template <class T>
void expect_type(const std::vector<std::string>& names) {
  const Folder folder;
  std::vector<double> values(24);
  values[5] = values[23] = 1;
  for (const std::string& name : names) {
    for (const bool big : {false, true}) {
      Lines file = sound_nrrd();
      file.set("type", name).set("endian", big ? "big" : "little").values<T>(values, big);
      EXPECT_EQ(voxels_of(folder.put("a.nrrd", file.bytes())), sound_mask()) << name;
      file.set("encoding", big ? "gz" : "GZIP").voxels = zipped(file.voxels);
      EXPECT_EQ(voxels_of(folder.put("a.nrrd", file.bytes())), sound_mask()) << name;
    }
  }
}

TEST(Nrrd, ReadsEveryTypeUnderEveryNameInBothByteOrders) {
  expect_type<std::int8_t>({"signed char", "int8", "int8_t"});
  expect_type<std::uint8_t>({"uchar", "unsigned char", "uint8", "uint8_t", "unsigned  char"});
  expect_type<std::int16_t>({"short", "short int", "signed short", "signed short int", "int16", "int16_t"});
  expect_type<std::uint16_t>({"ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t"});
  expect_type<std::int32_t>({"int", "signed int", "int32", "int32_t"});
  expect_type<std::uint32_t>({"uint", "unsigned int", "uint32", "uint32_t"});
  expect_type<std::int64_t>({"longlong", "long long", "long long int", "signed long long",
                             "signed long long int", "int64", "int64_t"});
  expect_type<std::uint64_t>(
      {"ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t"});
  expect_type<float>({"float"});
  expect_type<double>({"double"});
}

TEST(Nrrd, RefusesOtherTypes) {
  EXPECT_TRUE(has(refused_nrrd("type", "block"), "type 'block'"));
  EXPECT_TRUE(has(refused_nrrd("type", "complex"), "type 'complex'"));
  EXPECT_TRUE(has(refused_without("type"), "does not state 'type'"));
  EXPECT_TRUE(has(refused_nrrd("type", "short"), "byte order"));
  EXPECT_TRUE(has(refused_nrrd("endian", "middle"), "endian 'middle'"));
}

TEST(Nrrd, ReadsNumbersWrittenOut) {
  const Folder folder;
  Lines file = sound_nrrd();
  std::string text;
  for (const int voxel : sound_mask()) text += std::to_string(voxel) + (voxel != 0 ? "\r\n" : " ");
  for (const std::string name : {"ascii", "text", "txt"}) {
    file.set("encoding", name).voxels = Bytes(text.begin(), text.end());
    EXPECT_EQ(voxels_of(folder.put("a.nrrd", file.bytes())), sound_mask()) << name;
  }
  EXPECT_EQ(read_header(folder / "a.nrrd").type, "uint8 as text");
  const auto with = [&](const std::string& voxels) {
    file.voxels = Bytes(voxels.begin(), voxels.end());
    return refusal(folder.put("b.nrrd", file.bytes()));
  };
  EXPECT_TRUE(has(with(text + " 1"), "more values than the 24"));
  EXPECT_TRUE(has(with(text.substr(4) + "   "), "ends before"));
  EXPECT_TRUE(has(with(text.substr(0, text.size() / 3)), "cut short"));
  EXPECT_TRUE(has(with("0x1 " + text.substr(2)), "'0x1'"));
  EXPECT_TRUE(has(with("0.5 " + text.substr(2)), "not a number of type uint8"));
  EXPECT_TRUE(has(with(std::string(5000, '1') + text), "not a number"));
}

TEST(Nrrd, RefusesOtherEncodingsByName) {
  for (const std::string name : {"hex", "bzip2", "bz2", "zrl"})
    EXPECT_TRUE(has(refused_nrrd("encoding", name), "'" + name + "' is not read here")) << name;
  EXPECT_TRUE(has(refused_nrrd("encoding", "lzma"), "'lzma' is not known"));
  EXPECT_TRUE(has(refused_without("encoding"), "'encoding'"));
}

TEST(Nrrd, RefusesSizesThatCannotBe) {
  for (const std::string sizes :
       {"4 3", "4 3 2 1", "4 3 0", "4 -3 2", "4 3 2x", "4 3 1e1", "99999999999 1 1"})
    EXPECT_TRUE(has(refused_nrrd("sizes", sizes), "states sizes '" + sizes + "'")) << sizes;
  EXPECT_TRUE(has(refused_nrrd("sizes", "2000000000 2000000000 2000000000"), "no file can hold"));
  EXPECT_TRUE(has(refused_nrrd("sizes", "32767 32767 32767"), "cut short or damaged"));
  for (const std::string dimension : {"0", "-1", "17", "x", "3.0", "99999999999999999999"})
    EXPECT_TRUE(has(refused_nrrd("dimension", dimension), "states dimension")) << dimension;
  EXPECT_TRUE(has(refused_without("sizes"), "'sizes'"));
}

TEST(Nrrd, RefusesWhatIsCutShortOrTooLong) {
  const Folder folder;
  const Lines file = sound_nrrd();
  const std::size_t header = file.text().size();
  for (const std::size_t size : {std::size_t{9}, std::size_t{60}, header - 1})
    EXPECT_NE(refusal(folder.put("a.nrrd", cut(file.bytes(), size))), "") << size;
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", cut(file.bytes(), header + 23))), "cut short"));
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", joined({file.bytes(), {7}}))), "more data"));
  EXPECT_TRUE(any_has(warnings_of(folder.put("a.nrrd", joined({file.bytes(), {0, 0}}))), "zero bytes"));
}

TEST(Nrrd, RefusesDamagedGzip) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("encoding", "gzip").voxels = zipped(file.voxels);
  const Bytes whole = file.bytes();
  EXPECT_EQ(voxels_of(folder.put("a.nrrd", whole)), sound_mask());
  for (std::size_t lost = 1; lost < file.voxels.size(); ++lost)
    EXPECT_NE(refusal(folder.put("a.nrrd", cut(whole, whole.size() - lost))), "") << lost;
  Bytes flipped = whole;
  flipped[whole.size() - 6] ^= 1;
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", flipped)), "checksum"));
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", joined({whole, {7}}))), "other bytes"));
}

TEST(Nrrd, RefusesLinesThatAreNone) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.first += "\nnonsense";
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "line 2"));
  file.first = "NRRD0004\n# " + std::string(1 << 20, 'x');
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "line 2 of its header is longer"));
  file.first = "NRRD0004\ntype: uchar";
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "'type' twice"));
  file.first = std::string("NRRD0004\n# \0", 12);
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "not text"));
}

TEST(Nrrd, PassesOverLinesAndBytes) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("line skip", "2").set("byte skip", "3");
  file.voxels = joined({{'a', '\n', '\n', 1, 2, 3}, sound_mask()});
  EXPECT_EQ(voxels_of(folder.put("a.nrrd", file.bytes())), sound_mask());
  file.set("byteskip", "-1").drop("byte skip");
  EXPECT_EQ(voxels_of(folder.put("b.nrrd", file.bytes())), sound_mask());
  file.set("encoding", "gzip");
  EXPECT_TRUE(has(refusal(folder.put("c.nrrd", file.bytes())), "byte skip: -1"));
  EXPECT_TRUE(has(refused_nrrd("line skip", "5"), "lines to be skipped"));
  EXPECT_TRUE(has(refused_nrrd("byte skip", "1"), "cut short"));
  EXPECT_TRUE(has(refused_nrrd("byte skip", "99999999999999"), "impossible"));
}

// The processor's time: reading again from the start of each line took minutes.
TEST(Nrrd, PassesOverManyLinesInTheTimeOfTheirBytes) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("line skip", "2000000");
  file.voxels = joined({std::vector<std::uint8_t>(2'000'000, '\n'), sound_mask()});
  const auto path = folder.put("a.nrrd", file.bytes());
  const std::clock_t start = std::clock();
  EXPECT_EQ(voxels_of(path), sound_mask());
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5.0);
}

TEST(Nrrd, ReadsVoxelsFromAFileOfTheirOwn) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("data file", "a.raw").voxels = {};
  file.last.clear();
  folder.put("a.raw", sound_mask());
  const auto path = folder.put("a.nhdr", file.bytes());
  EXPECT_EQ(voxels_of(path), sound_mask());
  EXPECT_EQ(voxels_of(folder.put("b.nhdr", file.set("data file", "./a.raw").bytes())), sound_mask());
  EXPECT_EQ(nrrd_sources(path), (std::vector{path, folder / "a.raw"}));
  folder.put("a.raw", cut(sound_mask(), 23));
  EXPECT_TRUE(has(refusal(path), "cut short"));
}

TEST(Nrrd, NeverLeavesTheFolderOfTheHeader) {
  const Folder folder, elsewhere;
  const auto outside = elsewhere.put("a.raw", sound_mask());
  const auto with = [&](const std::string& name) {
    Lines file = sound_nrrd();
    file.set("data file", name).voxels = {};
    return refusal(folder.put("a.nhdr", file.bytes()));
  };
  EXPECT_TRUE(has(with(outside.string()), "outside its folder"));
  EXPECT_TRUE(has(with("../" + elsewhere.path().filename().string() + "/a.raw"), "outside its folder"));
  EXPECT_TRUE(has(with("/dev/zero"), "outside its folder"));
  fs::create_symlink(outside, folder / "link.raw");
  EXPECT_TRUE(has(with("link.raw"), "out of the folder"));
  fs::create_directory_symlink(elsewhere.path(), folder / "sub");
  EXPECT_TRUE(has(with("sub/a.raw"), "out of the folder"));
  EXPECT_TRUE(has(with("gone.raw"), "missing"));
  EXPECT_TRUE(has(with("a%03d.raw 1 2 1"), "pattern"));
  EXPECT_TRUE(has(with("%s%n"), "pattern"));
  EXPECT_TRUE(has(with("LIST"), "several files"));
  EXPECT_TRUE(has(with("LIST 2"), "several files"));
}

TEST(Nrrd, NeverWaitsForAPipe) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "a.raw").c_str(), 0600), 0);
  Lines file = sound_nrrd();
  file.set("data file", "a.raw").voxels = {};
  const auto path = folder.put("a.nhdr", file.bytes());
  ::alarm(600);  // ends the process where it waits
  try {
    read_header(path);
    FAIL() << "a pipe was read";
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), "is a pipe")) << error.what();
  }
  ::alarm(0);
}

TEST(Nrrd, RefusesWhatTakesMoreMemoryThanAllowed) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("sizes", "128 128 128").set("encoding", "gzip").voxels = zipped(Bytes(128 * 128 * 128));
  const auto path = folder.put("a.nrrd", file.bytes());
  const ReadOptions little{.threshold = {}, .label = {}, .max_memory = 1 << 20};
  EXPECT_THROW(read_header(path, little), ResourceError);
  EXPECT_THROW(read_mask(read_header(path), little), ResourceError);
}

TEST(Nrrd, RefusesAFileThatChangedBetweenHeaderAndVoxels) {
  const Folder folder;
  const Header header = read_header(folder.put("a.nrrd", sound_nrrd().bytes()));
  folder.put("a.nrrd", sound_nrrd().set("sizes", "3 4 2").bytes());
  EXPECT_THROW(read_mask(header), InputError);
}

TEST(Nrrd, ReadsLevels) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("type", "float").set("endian", "big").values<float>(std::vector<double>(24, 0.25), true);
  const Header header = read_header(folder.put("a.nrrd", file.bytes()));
  EXPECT_EQ(header.type, "float32 big-endian");
  EXPECT_EQ(read_map(header).levels, std::vector<float>(24, 0.25f));
}

}  // namespace
}  // namespace crema::files::testing
