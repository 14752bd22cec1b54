// SPDX-License-Identifier: Apache-2.0
// Whatever is written as labels is read back, by the same program.
#include <array>
#include <set>

#include <gtest/gtest.h>

#include "files/files.h"
#include "files/testing.h"
#include "test/random_case.h"

namespace crema::files::testing {
namespace {

std::string odd_text(random_case::Dice& dice) {
  constexpr std::array<const char*, 16> kPieces{"a",  "B", " ",  "\n", "\r",   "\\", ":=", ": ",
                                                "\t", "#", "\"", "ö",  "\x01", "|",  "~",  "\\n"};
  std::string text;
  for (int i = dice.roll(0, 5); i > 0; --i) text += kPieces[static_cast<std::size_t>(dice.roll(0, 15))];
  return text;
}

bool is_plain(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return c != '\n' && static_cast<unsigned char>(c) < ' ';
  });
}

struct LabelCase {
  Header header;
  LabelImage image;
};

LabelCase random_labels(random_case::Dice& dice, const std::string& ending) {
  LabelCase c;
  const bool segments = ending == ".seg.nrrd", flat = ending == ".png";
  c.header.grid.size = {dice.roll(1, 6), dice.roll(1, 6), flat ? 1 : dice.roll(1, 4)};
  c.header.channels = segments ? dice.roll(1, 3) : 1;
  const auto voxels = static_cast<std::size_t>(c.header.grid.voxels());
  c.image = LabelImage(voxels * static_cast<std::size_t>(c.header.channels));
  std::set<std::int64_t> values;
  if (dice.roll(0, 5) == 0) values.insert(1);  // alone it looks like a mask
  for (int i = values.empty() ? dice.roll(1, 6) : 0; i > 0; --i)
    values.insert(dice.roll(1, dice.roll(0, 1) == 0 ? 9 : 65535));
  for (const std::int64_t value : values) {
    const std::int64_t layer = dice.roll(0, c.header.channels - 1);
    c.header.segments.push_back({odd_text(dice), dice.roll(0, 1) == 0 ? "Segment_2" : odd_text(dice),
                                 dice.roll(0, 2) == 0 ? odd_text(dice) : "", layer, value});
    for (std::size_t v = 0; v < voxels; ++v)
      if (dice.roll(0, 2) == 0)
        c.image[static_cast<std::size_t>(layer) * voxels + v] = static_cast<std::uint16_t>(value);
  }
  return c;
}

std::vector<std::uint16_t> layer_of(const Header& header, std::int64_t layer) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(header.grid.voxels()), 0);
  ReadOptions options;
  options.layer = layer;
  stream_labels(header, options, [&](std::int64_t first, std::span<const std::uint16_t> part) {
    std::copy(part.begin(), part.end(), labels.begin() + first);
  });
  return labels;
}

TEST(WrittenLabels, AreReadBackInEveryFormatWhateverTheirNames) {
  const Folder folder;
  int file = 0;
  for (const std::string ending : {".nii.gz", ".nii", ".nrrd", ".mha", ".png", ".tif", ".seg.nrrd"})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      random_case::Dice dice{seed};
      const LabelCase c = random_labels(dice, ending);
      const auto path = folder.path() / ("labels" + std::to_string(file++) + ending);
      write_image(path, label_image(path, LabelImage(c.image)), c.header);
      const std::vector<Header> back = read_headers(path);
      const auto voxels = static_cast<std::size_t>(c.header.grid.voxels());
      for (std::int32_t layer = 0; layer < c.header.channels; ++layer) {
        const auto* const first = c.image.begin() + static_cast<std::ptrdiff_t>(voxels) * layer;
        EXPECT_EQ(layer_of(back.front(), layer), std::vector<std::uint16_t>(first, first + voxels))
            << ending << seed;
      }
      if (ending != ".seg.nrrd") continue;
      ASSERT_EQ(back.size(), c.header.segments.size());
      std::set<std::string> names, taken;
      for (std::size_t s = 0; s < back.size(); ++s) {
        const SegmentInfo &wrote = c.header.segments[s], &read = back.front().segments[s];
        EXPECT_EQ(read.value, wrote.value);
        EXPECT_EQ(read.layer, wrote.layer);
        EXPECT_TRUE(names.insert(read.name).second) << seed;
        if (taken.insert(wrote.name).second && is_plain(wrote.name) && !read.name.ends_with("_2")) {
          EXPECT_EQ(read.name, wrote.name) << seed;
        }
      }
    }
}

TEST(WrittenLabels, OfTooManySegmentsAreRefusedWithAWayOn) {
  const Folder folder;
  Header header;
  header.grid.size = {2, 1, 1};
  for (int value = 1; value <= 30000; ++value)
    header.segments.push_back({"label " + std::to_string(value), std::to_string(value), "", 0, value});
  EXPECT_THROW(write_image(folder.path() / "many.seg.nrrd", LabelImage{1, 2}, header), UsageError);
}

}  // namespace
}  // namespace crema::files::testing
