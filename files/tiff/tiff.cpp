// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/tiff.h"

#include <algorithm>
#include <cmath>

#include <tiffio.h>

#include "crema/base/text.h"
#include "files/io/sentence.h"
#include "files/png/plane.h"
#include "files/tiff/directory.h"
#include "files/tiff/pixels.h"
#include "files/tiff/spacing.h"
#include "files/values/colour_table.h"
#include "files/values/map.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

TiffResolution resolution_of(TIFF* handle) {
  TiffResolution resolution;
  float across = 0, down = 0;
  std::uint16_t unit = RESUNIT_INCH;
  const char* description = nullptr;
  if (TIFFGetField(handle, TIFFTAG_XRESOLUTION, &across) == 1)
    resolution.across = static_cast<double>(across);
  if (TIFFGetField(handle, TIFFTAG_YRESOLUTION, &down) == 1) resolution.down = static_cast<double>(down);
  if (TIFFGetFieldDefaulted(handle, TIFFTAG_RESOLUTIONUNIT, &unit) == 1) resolution.unit = unit;
  if (TIFFGetField(handle, TIFFTAG_IMAGEDESCRIPTION, &description) == 1 && description != nullptr)
    resolution.description = description;
  return resolution;
}

bool is_marked(TIFF* handle) {
  const char* software = nullptr;
  return TIFFGetField(handle, TIFFTAG_SOFTWARE, &software) == 1 && software != nullptr &&
         std::string_view(software) == kConsensusMark;
}

void check_alike(const TiffPage& first, const TiffPage& page, std::size_t number, const fs::path& path) {
  const TiffLayout a = first.upright(), b = page.upright();
  if (a == b) return;
  if (a.width != b.width || a.height != b.height) {
    refuse(path, "page {} is {}×{}, but the first is {}×{}; export pages of one size", number, b.width,
           b.height, a.width, a.height);
  }
  refuse(path, "page {} is {}, but the first is {}, or has another palette; export pages of one kind", number,
         type_text(b), type_text(a));
}

/// Pixels of all pages cannot be more than the bytes of the file where nothing is packed.
void check_total(const std::vector<TiffPage>& pages, const Source& source) {
  double plain = 0;
  for (const TiffPage& page : pages) {
    if (!page.compressed) plain += static_cast<double>(page.layout.page_bytes());
  }
  if (plain > static_cast<double>(source.size())) {
    refuse(source.path(),
           "is damaged: its pages declare {} of pixels, but it has {}; copy or download it again",
           bytes_text(plain), bytes_text(static_cast<double>(source.size())));
  }
}

/// Whether colours have to be looked at, for which all pages are needed together.
bool coloured(const TiffLayout& layout) {
  return layout.samples() > 1 || layout.colour == TiffColour::palette;
}

/// `each` is what one voxel takes in memory in the end, in bytes.
void check_memory_for(const std::vector<TiffPage>& pages, std::size_t each, const Source& source,
                      const ReadOptions& options) {
  const TiffLayout& layout = pages.front().layout;
  double decoding = 0;
  for (const TiffPage& page : pages) decoding = std::max(decoding, decoding_bytes(page));
  const double voxels = static_cast<double>(layout.pixels()) * static_cast<double>(pages.size());
  const auto sample = static_cast<double>(bytes_of(layout.number));
  const double colours = coloured(layout) || options.palette ? sample * (layout.samples() + 1) : 0;
  const double labels = options.palette ? sizeof(std::uint16_t) : 0;
  check_memory(source.path(), decoding + voxels * (static_cast<double>(each) + colours + labels), options);
}

Warnings skip_reduced(std::vector<TiffPage>& pages, const fs::path& path) {
  const auto before = pages.size();
  std::erase_if(pages, [](const TiffPage& page) { return page.reduced; });
  if (pages.empty()) refuse(path, "holds only reduced copies of an image; export the image itself");
  const auto skipped = before - pages.size();
  if (skipped == 0) return {};
  return {
      {sentence(path, "{} a reduced copy of another; skipped", counted(skipped, "page is", "pages are each")),
       WarningKind::file}};
}

/// About the first page that is not as it should be.
Warnings turning_warnings(const std::vector<TiffPage>& pages, const fs::path& path) {
  for (const TiffPage& page : pages) {
    Warnings warnings = orientation_warnings(page.orientation, path);
    if (!warnings.empty()) return warnings;
  }
  return {};
}

ValueType value_type(const TiffLayout& layout) {
  ValueType type;
  type.number = layout.number;
  if (name_of(layout.number)[0] == 'u') type.natural = std::ldexp(1.0, layout.bits) - 1;
  if (layout.colour == TiffColour::palette) type.natural = 255;
  if (layout.colour == TiffColour::white_is_zero) {
    type.slope = -1;
    type.intercept = type.natural;
  }
  return type;
}

/// What the pages have in common, as they are to be seen.
TiffLayout layout_of(const Header& header) {
  return static_cast<const TiffNative*>(header.native.get())->pages.front().upright();
}

/// Hands over each page's samples in order; refuses when the file is no longer what its header said.
template <class Take>
void for_each_page(const Header& header, const Source& source, const ReadOptions& options, Take take) {
  const auto& native = *static_cast<const TiffNative*>(header.native.get());
  OpenTiff open = open_tiff(source, memory_limit(options));
  for (const TiffPage& page : native.pages) {
    if (read_page(open, page.directory, source) != page)
      refuse(header.path, "changed while it was being read; try again");
    take(decode_page(open, page, source));
  }
}

/// All pages, one below the other, as PNG has them.
PngPixels read_pixels(const Header& header, const TiffLayout& layout, const Source& source,
                      const ReadOptions& options) {
  PngPixels pixels;
  pixels.width = static_cast<std::size_t>(layout.width);
  pixels.height = static_cast<std::size_t>(header.grid.rows());
  pixels.channels = static_cast<std::size_t>(layout.samples());
  pixels.sample_bytes = bytes_of(layout.number);
  pixels.palette = layout.colour == TiffColour::palette;
  pixels.colours = layout.palette.size();
  for (std::size_t i = 0; i < layout.palette.size(); ++i) {
    const auto& [red, green, blue] = layout.palette[i];
    pixels.table.at(i) = {red, green, blue, 255};
  }
  pixels.samples.reserve(pixels.width * pixels.height * pixels.channels * pixels.sample_bytes);
  for_each_page(header, source, options, [&](const std::vector<std::uint8_t>& samples) {
    pixels.samples.insert(pixels.samples.end(), samples.begin(), samples.end());
  });
  return pixels;
}

/// The labels that the colours of all pages stand for.
std::vector<std::uint16_t> read_colours(const Header& header, const TiffLayout& layout, const Source& source,
                                        const ReadOptions& options) {
  if (layout.number != Number::uint8 && layout.number != Number::uint16)
    refuse(header.path, "holds {} samples, but {} names colours of 8 or 16 bits; leave {} out",
           name_of(layout.number), printable(options.palette->path), Sentence::setting("palette"));
  const PngPixels pixels = read_pixels(header, layout, source, options);
  const ColourPixels colours{.width = pixels.width,
                             .page_height = static_cast<std::size_t>(layout.height),
                             .channels = pixels.channels,
                             .sample_bytes = pixels.sample_bytes,
                             .most = (1U << static_cast<unsigned>(layout.bits)) - 1,
                             .white_is_zero = layout.colour == TiffColour::white_is_zero,
                             .samples = pixels.samples,
                             .entries = pixels.palette ? std::span(pixels.table).first(pixels.colours)
                                                       : std::span<const std::array<std::uint8_t, 4>>()};
  return labels_by_colour(colours, *options.palette, header.path);
}

/// Reads the pixels into what `make` gives, which is not made before there is memory for it. Warnings about
/// colours come first.
template <class Make>
auto read_into(const Header& header, const ReadOptions& options, std::size_t each, PlaneUse use, Make make) {
  const auto& pages = static_cast<const TiffNative*>(header.native.get())->pages;
  const Source source(header.path);
  check_memory_for(pages, each, source, options);
  auto builder = make();
  Warnings warnings;
  if (options.palette) {
    const std::vector<std::uint16_t> labels = read_colours(header, layout_of(header), source, options);
    builder.take({reinterpret_cast<const std::uint8_t*>(labels.data()), labels.size() * sizeof(labels[0])});
  } else if (coloured(pages.front().layout)) {
    const PngPlane plane =
        mask_plane(read_pixels(header, layout_of(header), source, options), use, options, header.path);
    builder.take(plane.samples);
    warnings = plane.warnings;
  } else {
    for_each_page(header, source, options,
                  [&](const std::vector<std::uint8_t>& samples) { builder.take(samples); });
  }
  auto file = std::move(builder).finish(header.path, header.grid);
  file.warnings.insert(file.warnings.begin(), warnings.begin(), warnings.end());
  return file;
}

}  // namespace

bool tiff_recognises(const Start& start) { return !start.compressed && looks_like_tiff(start.bytes); }

Header tiff_read_header(const Source& source, const ReadOptions& options) {
  const std::vector<std::uint64_t> directories = tiff_directories(source);
  OpenTiff open = open_tiff(source, memory_limit(options));
  auto native = std::make_shared<TiffNative>();
  TiffResolution resolution;
  Header header;
  for (const std::uint64_t directory : directories) {
    native->pages.push_back(read_page(open, directory, source));
    if (native->pages.size() > 1) continue;
    resolution = resolution_of(open.handle.get());
    header.consensus = is_marked(open.handle.get());
  }
  header.path = source.path();
  header.format = Format::tiff;
  header.warnings = skip_reduced(native->pages, source.path());
  for (std::size_t i = 1; i < native->pages.size(); ++i)
    check_alike(native->pages.front(), native->pages[i], i + 1, source.path());
  append(header.warnings, turning_warnings(native->pages, source.path()));
  check_total(native->pages, source);
  check_memory_for(native->pages, sizeof(std::uint8_t), source, options);
  check_description(resolution.description, native->pages.size(), source.path());
  const TiffSpacing spacing = tiff_spacing(resolution, native->pages.size(), source.path());
  const TiffLayout layout = native->pages.front().upright();
  header.grid.size = {layout.width, layout.height, static_cast<std::int32_t>(native->pages.size())};
  header.grid.spacing = spacing.millimetres;
  if (native->pages.front().orientation.exchanged())
    std::swap(header.grid.spacing[0], header.grid.spacing[1]);
  header.measured = spacing.measured;
  header.type = type_text(layout);
  header.warnings.insert(header.warnings.end(), spacing.warnings.begin(), spacing.warnings.end());
  header.native = std::move(native);
  return header;
}

std::vector<Header> tiff_read_headers(const Source& source, const ReadOptions& options) {
  return colour_headers(tiff_read_header(source, options), options);
}

Checked tiff_read_mask(const Header& header, const ReadOptions& requested, const MaskSink& sink) {
  const ReadOptions options = class_options(header, requested);
  const ValueType type =
      options.palette ? ValueType{.number = Number::uint16} : value_type(layout_of(header));
  const auto make = [&] { return MaskBuilder(type, options, sink); };
  const bool numbers = options.label || options.threshold || options.labels != nullptr;
  const PlaneUse use = numbers ? PlaneUse::numbers : PlaneUse::mask;
  return read_into(header, options, sizeof(std::uint8_t), use, make);
}

MapFile tiff_read_map(const Header& header, const ReadOptions& options) {
  ValueType type = value_type(layout_of(header));
  type.slope /= type.natural;
  type.intercept /= type.natural;
  const auto make = [&] { return MapBuilder(type, header.grid.voxels(), options); };
  return read_into(header, options, sizeof(float), PlaneUse::levels, make);
}

}  // namespace crema::files
