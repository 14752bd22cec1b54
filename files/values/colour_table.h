// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "files/files.h"

namespace crema::files {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// Which labels the colours of a picture stand for.
struct ColourTable {
  std::filesystem::path path;
  std::vector<SegmentInfo> classes = {};  ///< in the order of the table, background left out
  std::unordered_map<std::uint32_t, std::uint16_t> labels = {};  ///< by colour, 0xrrggbb

  /// Nothing where the table lacks the colour; black that it does not list is background.
  [[nodiscard]] std::optional<std::uint16_t> label_of(const Colour& colour) const;
};

/// A table with a header of names: `colour` (#rrggbb), or `red`, `green` and `blue` from 0 to 255; `name`;
/// and `label`. Without labels, black is background and other rows are numbered from 1. A label of several
/// colours is one class. Throws InputError that names the line, FileError where the table cannot be read.
ColourTable read_colour_table(const std::filesystem::path& path);

/// Rows of pixels of several pages, one page below the other.
struct ColourPixels {
  std::size_t width = 0, page_height = 0;
  std::size_t channels = 1;      ///< grey, or red, green and blue; each may be followed by alpha
  std::size_t sample_bytes = 1;  ///< one, or two in this machine's order
  std::uint32_t most = 255;      ///< the largest that the bits of a sample can hold
  bool white_is_zero = false;    ///< of grey
  std::span<const std::uint8_t> samples = {};
  /// Red, green, blue and alpha where samples are numbers of these; empty: they are not.
  std::span<const std::array<std::uint8_t, 4>> entries = {};
};

/// The labels of pixels by their colours; what is fully transparent is background. Throws InputError with the
/// value and the place of the first colour that is not in the table.
std::vector<std::uint16_t> labels_by_colour(const ColourPixels& pixels, const ColourTable& table,
                                            const std::filesystem::path& path);

/// One header for each class of the table, as a segmentation has one for each segment; the one that is given
/// where the options name a label or no table.
std::vector<Header> colour_headers(Header header, const ReadOptions& options);

/// The options that read what the header stands for: one class of the table, or what they say themselves.
ReadOptions class_options(const Header& header, const ReadOptions& options);

}  // namespace crema::files
