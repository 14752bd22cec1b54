// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "files/affine.h"
#include "files/io/detached.h"
#include "files/io/sentence.h"
#include "files/meta/meta.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::array kGeometryNames{
    "NDims"sv,       "TransformMatrix"sv, "Rotation"sv,         "Orientation"sv,           "Offset"sv,
    "Position"sv,    "Origin"sv,          "CenterOfRotation"sv, "AnatomicalOrientation"sv, "ElementSpacing"sv,
    "ElementSize"sv, "DimSize"sv,
};

/// The geometry of another file, to the letter.
std::string copied_lines(const MetaHeader& from) {
  std::string lines;
  for (const std::string_view name : kGeometryNames) {
    if (const auto text = from.entry(name)) lines += fmt::format("{} = {}\n", name, *text);
  }
  return lines;
}

/// Our axes run right and anterior, the file's left and posterior.
double turned(double value, std::size_t coordinate) { return coordinate < 2 ? -value : value; }

std::string position_lines(const Grid& grid) {
  std::string matrix, offset;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t r = 0; r < 3; ++r)
      matrix.append(" ").append(real_text(turned(grid.direction[3 * r + axis], r)));
    offset.append(" ").append(real_text(turned(grid.origin[axis], axis)));
  }
  return "TransformMatrix =" + matrix + "\nOffset =" + offset + "\nCenterOfRotation = 0 0 0\n";
}

std::string geometry_lines(const Header& reference) {
  const Grid& grid = reference.grid;
  const std::size_t axes = grid.flat() && !reference.positioned ? 2 : 3;
  std::string spacing, size;
  for (std::size_t a = 0; a < axes; ++a) {
    spacing.append(" ").append(real_text(grid.spacing[a]));
    size += fmt::format(" {}", grid.size[a]);
  }
  return fmt::format("NDims = {}\n{}{}DimSize ={}\n", axes, reference.positioned ? position_lines(grid) : "",
                     spacing_known(reference) ? "ElementSpacing =" + spacing + "\n" : "", size);
}

constexpr std::array<const char*, 3> kWrittenTypes{"MET_UCHAR", "MET_FLOAT", "MET_USHORT"};  // as in Image

std::string header_text(const Image& image, const Header& reference, std::size_t packed,
                        const std::string& data_file) {
  const auto* const native =
      reference.format == Format::meta ? static_cast<const MetaNative*>(reference.native.get()) : nullptr;
  return fmt::format(
      "ObjectType = Image\n{}{}BinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = True\n"
      "CompressedDataSize = {}\nElementType = {}\nElementDataFile = {}\n",
      reference.consensus ? fmt::format("Comment = {}\n", kConsensusMark) : "",
      native != nullptr ? copied_lines(native->header) : geometry_lines(reference), packed,
      kWrittenTypes.at(image.index()), data_file);
}

}  // namespace

std::vector<fs::path> meta_parts(const fs::path& path) {
  if (!ends_with(path, ".mhd")) return {path};
  return {fs::path(path).replace_extension(".zraw"), path};
}

Encoded meta_encode(const fs::path& path, const Image& image, const Header& reference) {
  const std::vector<fs::path> parts = meta_parts(path);
  const bool pair = parts.size() == 2;
  if (pair) check_data_name(parts[0]);
  const std::array pieces{piece_of(image)};
  Encoded encoded;
  encoded.owned.push_back(zlib(pieces));
  const std::string text =
      header_text(image, reference, encoded.owned[0].size(), pair ? parts[0].filename().string() : "LOCAL");
  encoded.owned.emplace_back(text.begin(), text.end());
  const std::span<const std::uint8_t> packed(encoded.owned[0]), header(encoded.owned[1]);
  if (pair) {
    encoded.outputs = {{parts[0], {packed}}, {path, {header}}};
  } else {
    encoded.outputs = {{path, {header, packed}}};
  }
  return encoded;
}

}  // namespace crema::files
