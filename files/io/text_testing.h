// SPDX-License-Identifier: Apache-2.0
// Builders for tests: NRRD and MetaImage files made line by line, so that every line can be wrong.
#pragma once

#include <string>
#include <vector>

#include "files/affine.h"
#include "files/io/text_header.h"
#include "files/testing.h"

namespace crema::files::testing {

/// A header of lines, each of which can be set, added or left out.
struct Lines {
  std::string first;  ///< a line before all others; none when empty
  std::string between;
  std::vector<Entry> entries;
  std::string last;  ///< what comes before the voxels
  Bytes voxels;

  Lines& set(const std::string& name, const std::string& text) {
    for (Entry& entry : entries) {
      if (entry.name == name) return entry.text = text, *this;
    }
    // What names the voxels stays the last line.
    const bool before = !entries.empty() && entries.back().name == "ElementDataFile";
    entries.insert(before ? entries.end() - 1 : entries.end(), {name, text});
    return *this;
  }
  Lines& drop(const std::string& name) {
    std::erase_if(entries, [&](const Entry& entry) { return entry.name == name; });
    return *this;
  }
  [[nodiscard]] std::string text(const std::string& end = "\n") const {
    std::string all = first.empty() ? "" : first + end;
    for (const Entry& entry : entries) all += entry.name + between + entry.text + end;
    return all + (last.empty() ? "" : end);
  }
  [[nodiscard]] Bytes bytes(const std::string& end = "\n") const {
    const std::string header = text(end);
    return joined({Bytes(header.begin(), header.end()), voxels});
  }
  template <class T>
  Lines& values(const std::vector<double>& list, bool big_endian = false) {
    voxels = Nifti{1, big_endian, {}, {}}.values<T>(list).voxels;
    return *this;
  }
};

/// A sound file of 4×3×2 bytes, 1 mm apart from (5, 6, 7) on, with the mask of sound_nifti().
inline Lines sound_nrrd() {
  return {"NRRD0004",
          ": ",
          {{"type", "uchar"},
           {"dimension", "3"},
           {"space", "right-anterior-superior"},
           {"sizes", "4 3 2"},
           {"space directions", "(1,0,0) (0,1,0) (0,0,1)"},
           {"encoding", "raw"},
           {"space origin", "(5,6,7)"}},
          "\n",
          sound_mask()};
}

inline Lines sound_meta() {
  return {"",
          " = ",
          {{"ObjectType", "Image"},
           {"NDims", "3"},
           {"BinaryData", "True"},
           {"BinaryDataByteOrderMSB", "False"},
           {"CompressedData", "False"},
           {"TransformMatrix", "-1 0 0 0 -1 0 0 0 1"},
           {"Offset", "-5 -6 7"},
           {"ElementSpacing", "1 1 1"},
           {"DimSize", "4 3 2"},
           {"ElementType", "MET_UCHAR"},
           {"ElementDataFile", "LOCAL"}},
          "",
          sound_mask()};
}

inline Bytes zlibbed(const Bytes& bytes) {
  const Piece piece(bytes);
  return zlib({&piece, 1});
}

/// The grid that both sound files state.
inline Grid sound_grid() {
  Grid grid;
  grid.size = {4, 3, 2};
  grid.origin = {5, 6, 7};
  return grid;
}

/// An oblique, sheared, anisotropic reference, and one of its 48 flips and permutations of axes.
struct Turned {
  Header reference, other;
  HardImage image;   ///< on the reference
  HardImage turned;  ///< the same on the other
};

inline Turned turned_case(unsigned which) {
  std::array<std::size_t, 3> axes{0, 1, 2};
  for (unsigned i = which % 6; i > 0; --i) std::next_permutation(axes.begin(), axes.end());
  const Affine oblique{{1.9, 0.3, 0.1, -0.4, 2.8, 0.2, 0.1, -0.5, 3.6}, {-90.25, 120.5, 7.1}};
  Turned result;
  result.reference.grid.size = {5, 4, 3};
  result.reference.positioned = result.other.positioned = true;
  set_affine(result.reference.grid, oblique);
  Affine map{{}, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t r = axes[a];
    const bool back = ((which / 6 >> a) & 1u) != 0;
    result.other.grid.size[a] = result.reference.grid.size[r];
    map.matrix[3 * r + a] = back ? -1 : 1;
    map.shift[r] = back ? result.reference.grid.size[r] - 1 : 0;
  }
  set_affine(result.other.grid, compose(oblique, map));
  result.image = HardImage(60);
  for (std::size_t i = 0; i < 60; ++i) result.image[i] = i * 7 % 11 < 4 ? 1 : 0;
  result.turned = HardImage(60);
  std::size_t at = 0;
  for (int z = 0; z < result.other.grid.size[2]; ++z) {
    for (int y = 0; y < result.other.grid.size[1]; ++y) {
      for (int x = 0; x < result.other.grid.size[0]; ++x) {
        const Vec p = map({double(x), double(y), double(z)});
        result.turned[at++] = result.image[static_cast<std::size_t>(p[0] + 5 * (p[1] + 4 * p[2]))];
      }
    }
  }
  return result;
}

/// All 48 give back the voxels of the reference once written, read and placed.
inline void expect_all_turns(const std::string& ending) {
  for (unsigned which = 0; which < 48; ++which) {
    const Folder folder;
    const Turned turned = turned_case(which);
    write_image(folder / ("first" + ending), turned.image, turned.reference);
    write_image(folder / ("other" + ending), turned.turned, turned.other);
    const Header first = read_header(folder / ("first" + ending)),
                 other = read_header(folder / ("other" + ending));
    EXPECT_TRUE(place(turned.reference, first).warnings.empty()) << which;
    const Placement placement = place(first, other);
    EXPECT_EQ(placement.warnings.size(), which == 0 ? 0u : 1u) << which;
    EXPECT_EQ(apply(placement, first.grid, other.grid, read_mask(other).voxels), turned.image) << which;
  }
}

}  // namespace crema::files::testing
