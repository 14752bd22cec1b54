// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crema::files {

/// A decoded PNG: samples as stored, not scaled, one or two bytes each in this machine's order.
struct PngPixels {
  std::size_t width = 0, height = 0, channels = 1;
  std::size_t sample_bytes = 1;
  std::vector<std::uint8_t> samples;
  bool palette = false;                                  ///< samples are indices into the table below
  std::size_t colours = 0;                               ///< entries the table has
  std::array<std::array<std::uint8_t, 4>, 256> table{};  ///< red, green, blue, alpha
};

/// Throws InputError when the file is damaged, cut short, or has bytes after its end.
PngPixels decode_png(std::span<const std::uint8_t> file, const std::filesystem::path& path);

/// A text chunk.
struct PngText {
  std::string keyword, text;
};

/// Grey samples of 8 or 16 bits, in this machine's order, as a PNG file.
std::vector<std::uint8_t> encode_png(std::vector<std::uint8_t> samples, std::uint32_t width,
                                     std::uint32_t height, int bits, const std::vector<PngText>& texts = {});

}  // namespace crema::files
