// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npy.h"

#include <cmath>

#include "files/numpy/npy_array.h"
#include "files/numpy/npy_testing.h"

namespace crema::files::testing {
namespace {

/// 3 slices of 2 rows of 4.
const Bytes kMask{0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1};

template <class T>
void expect_type(const std::string& code, T one) {
  std::vector<T> values;
  for (const std::uint8_t voxel : kMask) values.push_back(voxel != 0 ? one : T{});
  const Folder folder;
  for (const bool big : {false, true}) {
    const std::string order = sizeof(T) == 1 ? "|" : big ? ">" : "<";
    const auto path = folder.put("a.npy", npy(order + code, "(3, 2, 4)", stored(values, big)));
    EXPECT_EQ(voxels_of(path), kMask) << order << code;
    EXPECT_EQ(read_header(path).grid.size, (std::array{4, 2, 3}));
  }
}

std::string refused_npy(const Bytes& bytes, const ReadOptions& options = {}) {
  const Folder folder;
  return refusal(folder.put("a.npy", bytes), options);
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
  expect_type<std::uint8_t>("b1", 1);
  expect_type<std::uint8_t>("u1", 1);
  expect_type<std::int8_t>("i1", 1);
  expect_type<std::uint16_t>("u2", 1);
  expect_type<std::int16_t>("i2", 1);
  expect_type<std::uint32_t>("u4", 1);
  expect_type<std::int32_t>("i4", 1);
  expect_type<std::uint64_t>("u8", 1);
  expect_type<std::int64_t>("i8", 1);
  expect_type<std::uint16_t>("f2", 0x3C00);
  expect_type<float>("f4", 1);
  expect_type<double>("f8", 1);
}

TEST(Npy, HalvesKeepTheirValues) {
  const Folder folder;
  // 0, 0.5, the smallest, 1 − 2⁻¹¹, 1
  const Bytes values = stored<std::uint16_t>({0, 0x3800, 0x0001, 0x3BFF, 0x3C00, 0x8000});
  const auto path = folder.put("a.npy", npy("<f2", "(2, 3)", values));
  EXPECT_EQ(read_map(read_header(path)).levels,
            (std::vector<float>{0, 0.5F, std::ldexp(1.0F, -24), 1 - std::ldexp(1.0F, -11), 1, 0}));
  EXPECT_EQ(read_header(path).type, "float16");
  EXPECT_TRUE(has(refused_npy(npy("<f2", "(1, 2)", stored<std::uint16_t>({0, 0x7E00}))), "NaN"));
  EXPECT_TRUE(has(refused_npy(npy("<f2", "(1, 2)", stored<std::uint16_t>({0, 0xFC00}))), "infinite"));
}

TEST(Npy, ReadsEveryVersion) {
  const Folder folder;
  for (const int version : {1, 2, 3}) {
    const Bytes bytes =
        npy_with("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2, 4), }", kMask, version);
    EXPECT_EQ(voxels_of(folder.put("a.npy", bytes)), kMask) << version;
  }
  EXPECT_TRUE(has(refused_npy(npy_with("{}", {}, 4)), "version 4.0"));
}

TEST(Npy, ReadsFortranOrder) {
  Bytes turned(24);
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 4; ++x) turned[z + 3 * (y + 2 * x)] = kMask[x + 4 * (y + 2 * z)];
  const Folder folder;
  EXPECT_EQ(voxels_of(folder.put("a.npy", npy("|u1", "(3, 2, 4)", turned, "True"))), kMask);
  std::vector<double> wide(turned.begin(), turned.end());
  EXPECT_EQ(voxels_of(folder.put("a.npy", npy(">f8", "(3, 2, 4)", stored(wide, true), "True"))), kMask);
  wide[2 + 3 * (1 + 2 * 3)] = NAN;
  EXPECT_TRUE(has(refused_npy(npy("<f8", "(3, 2, 4)", stored(wide), "True")), "first at (3, 1, 2)"));
}

TEST(Npy, DropsAxesOfOneAtBothEnds) {
  const Folder folder;
  const auto size = [&](const std::string& shape) {
    return read_header(folder.put("a.npy", npy("|u1", shape, kMask))).grid.size;
  };
  EXPECT_EQ(size("(6, 4)"), (std::array{4, 6, 1}));
  EXPECT_EQ(size("(1, 6, 4)"), (std::array{4, 6, 1}));
  EXPECT_EQ(size("(6, 4, 1)"), (std::array{4, 6, 1}));
  EXPECT_EQ(size("(1, 1, 3, 2, 4, 1)"), (std::array{4, 2, 3}));
  EXPECT_EQ(size("(24L, 1L)"), (std::array{1, 24, 1}));
  EXPECT_TRUE(has(refused_npy(npy("|u1", "(24,)", kMask)), "shape (24,)"));
  EXPECT_TRUE(has(refused_npy(npy("|u1", "()", {1})), "shape ()"));
  EXPECT_TRUE(has(refused_npy(npy("|u1", "(2, 3, 2, 2)", kMask)), "shape (2, 3, 2, 2)"));
  EXPECT_TRUE(has(refused_npy(npy("|u1", "(0, 4)", {})), "no values"));
}

TEST(Npy, NotesThatThereIsNoSpacing) {
  const Folder folder;
  const Header header = read_header(folder.put("a.npy", npy("|u1", "(6, 4)", kMask)));
  EXPECT_TRUE(any_has(header.warnings, "no spacing"));
  EXPECT_FALSE(header.positioned);
  EXPECT_EQ(header.type, "uint8");
  EXPECT_EQ(ending_of(header), ".nii.gz");
}

TEST(Npy, NeverLoadsObjectsOrRecords) {
  EXPECT_TRUE(has(refused_npy(npy("|O", "(2, 2)", Bytes(32))), "pickle"));
  EXPECT_TRUE(has(refused_npy(npy("O8", "(2, 2)", Bytes(32))), "pickle"));
  EXPECT_TRUE(has(refused_npy(npy_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2), }",
                                       Bytes(16))),
                  "records"));
  for (const std::string descr :
       {"<c8", "<c16", "|S4", "<U4", "<M8[ns]", "<f16", "|V2", "", "<", "f4", "<f3"}) {
    EXPECT_TRUE(has(refused_npy(npy(descr, "(2, 2)", Bytes(64))), "plain numbers")) << descr;
  }
}

TEST(Npy, ReadsItsHeaderByAStrictGrammar) {
  const auto header = [](const std::string& text) { return refused_npy(npy_with(text, kMask)); };
  EXPECT_EQ(header("{\"shape\": (6, 4), 'fortran_order':False,'descr':'|u1'}"), "");
  for (const std::string text :
       {"", "{", "{}", "{'descr': '|u1', 'fortran_order': False}",
        "{'descr': '|u1', 'fortran_order': 0, 'shape': (6, 4)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': [6, 4]}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (24)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (6, -4)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (6, 4), 'more': 1}",
        "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (6, 4)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (6, 4)} or 1",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (6, 2+2)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (6, 99999999999999999999)}",
        "{'descr': '\\x7cu1', 'fortran_order': False, 'shape': (6, 4)}",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (6, 4)}", "{'descr': '|u1"}) {
    EXPECT_TRUE(has(header(text), "damaged array header")) << text << ": " << header(text);
  }
}

TEST(Npy, RefusesEveryTruncationAndMore) {
  const Bytes sound = npy("|u1", "(3, 2, 4)", kMask);
  for (std::size_t size = 6; size < sound.size(); ++size)
    EXPECT_NE(refused_npy(cut(sound, size)), "") << size;
  EXPECT_TRUE(has(refused_npy(joined({sound, {0}})), "1 bytes after its last value"));
  EXPECT_TRUE(has(refused_npy(joined({sound, sound})), "two arrays in one"));
}

TEST(Npy, RefusesHugeShapesBeforeAllocating) {
  EXPECT_NE(refused_npy(npy("|u1", "(32767, 32767, 32767)", kMask)), "");
  EXPECT_NE(refused_npy(npy("<f8", "(4611686018427387904, 4)", kMask)), "");
  EXPECT_NE(refused_npy(npy("<f8", "(4611686018427387904, 4611686018427387904)", kMask)), "");
  EXPECT_NE(refused_npy(npy_with(std::string(70000, ' '), kMask, 2)), "");
  const Folder folder;
  const auto path = folder.put("a.npy", npy("|u1", "(1000, 1000)", Bytes(1'000'000)));
  EXPECT_THROW(read_header(path, {.threshold = {}, .label = {}, .max_memory = 900'000}), ResourceError);
}

TEST(Npy, IsReadButNotWritten) {
  const Folder folder;
  const Header header = read_header(folder.put("a.npy", npy("|u1", "(6, 4)", kMask)));
  try {
    write_image(folder / "b.npy", HardImage(kMask), header);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_TRUE(has(error.what(), "read, but not written; use one of .nii.gz")) << error.what();
    EXPECT_FALSE(has(error.what(), ".npz"));
  }
  EXPECT_EQ(folder.entries(), 1u);
}

}  // namespace
}  // namespace crema::files::testing
