// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "files/affine.h"
#include "files/io/detached.h"
#include "files/io/sentence.h"
#include "files/nrrd/nrrd.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::array kGeometryFields{
    "dimension"sv,
    "space"sv,
    "space dimension"sv,
    "sizes"sv,
    "space directions"sv,
    "kinds"sv,
    "centerings"sv,
    "spacings"sv,
    "thicknesses"sv,
    "axis mins"sv,
    "axis maxs"sv,
    "labels"sv,
    "units"sv,
    "space units"sv,
    "space origin"sv,
    "measurement frame"sv,
};

/// The geometry of another file, to the letter.
std::string copied_lines(const NrrdHeader& from) {
  std::string lines;
  for (const std::string_view name : kGeometryFields) {
    if (const auto text = from.field(name)) lines += fmt::format("{}: {}\n", name, *text);
  }
  return lines;
}

std::string vector_text(const Vec& ras) {
  return fmt::format("({},{},{})", real_text(-ras[0]), real_text(-ras[1]), real_text(ras[2]));
}

std::string spacing_lines(const Header& reference) {
  const Grid& grid = reference.grid;
  const std::size_t axes = grid.flat() ? 2 : 3;
  std::string sizes, spacings;
  for (std::size_t a = 0; a < axes; ++a) {
    sizes += fmt::format(" {}", grid.size[a]);
    spacings.append(" ").append(real_text(grid.spacing[a]));
  }
  return fmt::format("dimension: {}\nsizes:{}\n", axes, sizes) +
         (spacing_known(reference) ? "spacings:" + spacings + "\n" : "");
}

std::string geometry_of(const Header& reference) {
  const auto* const native =
      reference.format == Format::nrrd ? static_cast<const NrrdNative*>(reference.native.get()) : nullptr;
  if (native != nullptr) return copied_lines(native->header);
  return reference.positioned ? nrrd_geometry_lines(reference) : spacing_lines(reference);
}

std::string header_text(const Image& image, const Header& reference) {
  constexpr std::array<const char*, 3> types{"unsigned char", "float", "unsigned short"};  // as in Image
  const bool wide = !std::holds_alternative<HardImage>(image);
  return fmt::format("NRRD0004\ntype: {}\n{}{}encoding: gzip\n{}", types.at(image.index()),
                     geometry_of(reference), wide ? "endian: little\n" : "", nrrd_mark_line(reference));
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

std::string nrrd_mark_line(const Header& reference) {
  return reference.consensus ? fmt::format("{}:={}\n", kNrrdMarkKey, kConsensusMark) : "";
}

std::string nrrd_geometry_lines(const Header& reference) {
  const Grid& grid = reference.grid;
  const Affine affine = affine_of(grid);
  return fmt::format(
      "dimension: 3\nspace: left-posterior-superior\nsizes: {} {} {}\nspace directions: {} {} {}\n"
      "kinds: domain domain domain\nspace origin: {}\n",
      grid.size[0], grid.size[1], grid.size[2], vector_text(affine.column(0)), vector_text(affine.column(1)),
      vector_text(affine.column(2)), vector_text(affine.shift));
}

std::vector<fs::path> nrrd_parts(const fs::path& path) {
  if (!ends_with(path, ".nhdr")) return {path};
  return {fs::path(path).replace_extension(".raw.gz"), path};
}

Encoded nrrd_encode(const fs::path& path, const Image& image, const Header& reference) {
  const std::vector<fs::path> parts = nrrd_parts(path);
  const std::string text = header_text(image, reference);
  const std::array pieces{crema::files::piece_of(image)};
  Encoded encoded;
  if (parts.size() == 2) {
    check_data_name(parts[0]);
    encoded.owned = {gzip(pieces), bytes_of(text + "data file: " + parts[0].filename().string() + "\n")};
    encoded.outputs = {{parts[0], {encoded.owned[0]}}, {path, {encoded.owned[1]}}};
  } else {
    encoded.owned = {bytes_of(text + "\n"), gzip(pieces)};
    encoded.outputs = {{path, {encoded.owned[0], encoded.owned[1]}}};
  }
  return encoded;
}

}  // namespace crema::files
