// SPDX-License-Identifier: Apache-2.0
#include "files/png/png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <libdeflate.h>

#include "files/io/gzip/gzip.h"
#include "files/io/sentence.h"
#include "files/io/text_header.h"
#include "files/png/codec.h"
#include "files/png/plane.h"
#include "files/values/colour_table.h"
#include "files/values/map.h"
#include "files/values/values.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr std::size_t kHeaderBytes = 33;  ///< magic and first chunk

std::uint32_t big_endian(std::span<const std::uint8_t> bytes, std::size_t at) {
  return (std::uint32_t{bytes[at]} << 24) | (std::uint32_t{bytes[at + 1]} << 16) |
         (std::uint32_t{bytes[at + 2]} << 8) | bytes[at + 3];
}

struct ColourType {
  int code;
  int channels;
  std::string_view name;
  std::uint32_t depths;  ///< bit n: n bits per sample are allowed
};

constexpr std::uint32_t depth_bits(std::initializer_list<int> depths) {
  std::uint32_t set = 0;
  for (const int depth : depths) set |= 1u << depth;
  return set;
}

constexpr std::array kColourTypes{
    ColourType{0, 1, "grey", depth_bits({1, 2, 4, 8, 16})},
    ColourType{2, 3, "colour", depth_bits({8, 16})},
    ColourType{3, 1, "palette", depth_bits({1, 2, 4, 8})},
    ColourType{4, 2, "grey with alpha", depth_bits({8, 16})},
    ColourType{6, 4, "colour with alpha", depth_bits({8, 16})},
};

const ColourType& colour_type(int code, int bits, const fs::path& path) {
  const auto* const type = std::find_if(kColourTypes.begin(), kColourTypes.end(),
                                        [&](const ColourType& t) { return t.code == code; });
  if (type == kColourTypes.end() || bits > 16 || ((type->depths >> bits) & 1u) == 0) {
    refuse(path, "is a damaged PNG (colour type {} with {} bits); copy or download it again", code, bits);
  }
  return *type;
}

PngNative parse(std::span<const std::uint8_t> start, const fs::path& path) {
  if (start.size() < kHeaderBytes) {
    refuse(path, "is cut short: {} of {} header bytes; copy or download it again", start.size(),
           kHeaderBytes);
  }
  if (big_endian(start, 8) != 13 || std::memcmp(&start[12], "IHDR", 4) != 0) {
    refuse(path, "is a damaged PNG (no IHDR); copy or download it again");
  }
  if (libdeflate_crc32(0, &start[12], 17) != big_endian(start, 29)) {
    refuse(path, "is a damaged PNG (IHDR: CRC error); copy or download it again");
  }
  const std::uint32_t width = big_endian(start, 16), height = big_endian(start, 20);
  if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX) {
    refuse(path, "is a damaged PNG (size {}×{}); copy or download it again", width, height);
  }
  return {static_cast<std::int32_t>(width), static_cast<std::int32_t>(height), start[24], start[25], {}, {}};
}

/// The first chunk and all others that matter.
PngNative parse(const Source& source) {
  PngNative png = parse(source.start(kHeaderBytes), source.path());
  png.chunks = read_chunks(source);
  if (!png.chunks.level || png.colour != 0 || png.bits != 16) return png;
  const auto scale = parse_integer(*png.chunks.level);
  if (!scale || *scale < 2 || *scale > LevelCode::kLargest || *scale % 2 != 0)
    refuse(source.path(),
           "states '{}' instead of the scale of a map of levels ({}); it is damaged: copy or save it again",
           printable(png.chunks.level->substr(0, 40)), kLevelMark);
  png.code = LevelCode(static_cast<int>(*scale));
  return png;
}

Warnings warnings_on(const PngNative& png, const fs::path& path) {
  Warnings warnings = orientation_warnings(png.chunks.orientation, path);
  if (png.chunks.unreadable)
    warnings.push_back(
        {sentence(path, "its EXIF cannot be read; it is treated as upright"), WarningKind::file});
  if (png.chunks.level && !png.code)
    warnings.push_back(
        {sentence(
             path,
             "is marked as a map of levels, but is no longer 16-bit grey; its samples are used as they are"),
         WarningKind::file});
  return warnings;
}

/// Compressed pixels cannot be more than deflate allows; what decoding takes must be allowed too.
void check_size(const PngNative& png, const ColourType& type, const Source& source,
                const ReadOptions& options) {
  const double bits = static_cast<double>(png.bits) * type.channels;
  const double raw = (std::ceil(png.width * bits / 8) + 1) * png.height;
  const auto size = static_cast<double>(source.size());
  if (raw > size * kDeflateRatio) {
    refuse(source.path(),
           "is cut short or damaged: {}×{} pixels cannot come from {}; copy or download it again", png.width,
           png.height, bytes_text(size));
  }
  const double sample = png.bits == 16 ? 2 : 1;
  const double alpha = type.channels % 2;  // transparency may add one
  const double labels = options.palette ? 2 * sizeof(std::uint16_t) : 0;
  const double per_pixel = sample * (type.channels + alpha + 1) + 1 + labels;
  check_memory(source.path(), per_pixel * png.width * png.height + size, options);
}

ValueType value_type(const PngPixels& pixels, int bits) {
  ValueType type;
  type.number = pixels.sample_bytes == 2 ? Number::uint16 : Number::uint8;
  type.natural = pixels.palette ? 255 : (1 << bits) - 1;
  return type;
}

struct Decoded {
  PngPlane plane;
  ValueType type;
};

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint16_t>& labels) {
  std::vector<std::uint8_t> bytes(labels.size() * sizeof(std::uint16_t));
  std::memcpy(bytes.data(), labels.data(), bytes.size());
  return bytes;
}

Decoded decode_colours(const PngPixels& pixels, int bits, const ColourTable& table, const fs::path& path) {
  const ColourPixels colours{.width = pixels.width,
                             .page_height = pixels.height,
                             .channels = pixels.channels,
                             .sample_bytes = pixels.sample_bytes,
                             .most = (1U << static_cast<unsigned>(bits)) - 1,
                             .samples = pixels.samples,
                             .entries = pixels.palette ? std::span(pixels.table).first(pixels.colours)
                                                       : std::span<const std::array<std::uint8_t, 4>>()};
  return {{bytes_of(labels_by_colour(colours, table, path)), {}}, {.number = Number::uint16}};
}

Decoded decode(const Header& header, const ReadOptions& options, PlaneUse use) {
  const auto& png = *static_cast<const PngNative*>(header.native.get());
  const Source source(header.path);
  check_size(png, colour_type(png.colour, png.bits, header.path), source, options);
  const PngNative now = parse(source);
  if (now.width != png.width || now.height != png.height || now.bits != png.bits ||
      now.colour != png.colour || now.chunks != png.chunks) {
    refuse(header.path, "changed while it was being read; try again");
  }
  PngPixels pixels = decode_png(source.start(static_cast<std::size_t>(source.size())), header.path);
  Decoded decoded =
      options.palette ? decode_colours(pixels, png.bits, *options.palette, header.path)
                      : Decoded{mask_plane(pixels, use, options, header.path), value_type(pixels, png.bits)};
  pixels.samples = {};
  decoded.plane.samples = turned_upright(
      std::move(decoded.plane.samples), static_cast<std::size_t>(png.width),
      static_cast<std::size_t>(png.height), bytes_of(decoded.type.number), png.chunks.orientation);
  return decoded;
}

/// Hands the levels that samples stand for to a builder, a few at a time.
template <class Builder>
void take_levels(std::span<const std::uint8_t> samples, const LevelCode& code, Builder& builder) {
  std::array<float, 1024> levels{};
  while (!samples.empty()) {
    const auto block = samples.first(std::min(samples.size(), levels.size() * 2));
    samples = samples.subspan(block.size());
    for (std::size_t i = 0; i < block.size() / 2; ++i) {
      std::uint16_t sample = 0;
      std::memcpy(&sample, &block[2 * i], 2);
      levels[i] = code.level(sample);
    }
    builder.take({reinterpret_cast<const std::uint8_t*>(levels.data()), block.size() / 2 * sizeof(float)});
  }
}

/// Reads the pixels into what `make` gives for a type of values.
template <class Make>
auto read_into(const Header& header, const ReadOptions& options, PlaneUse use, Make make) {
  const auto& png = *static_cast<const PngNative*>(header.native.get());
  Decoded decoded = decode(header, options, use);
  const bool coded = png.code && !options.palette;
  if (coded) decoded.type = {.number = Number::float32};
  if (use == PlaneUse::levels) decoded.type.slope = 1 / decoded.type.natural;
  auto builder = make(decoded.type);
  if (coded) {
    take_levels(decoded.plane.samples, *png.code, builder);
  } else {
    builder.take(decoded.plane.samples);
  }
  auto file = std::move(builder).finish(header.path, header.grid);
  file.warnings.insert(file.warnings.begin(), decoded.plane.warnings.begin(), decoded.plane.warnings.end());
  return file;
}

}  // namespace

bool png_recognises(const Start& start) {
  return !start.compressed && start.bytes.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), start.bytes.begin());
}

bool png_claims(const fs::path& /*path*/) { return false; }

Header png_read_header(const Source& source, const ReadOptions& options) {
  const auto png = std::make_shared<PngNative>(parse(source));
  const ColourType& type = colour_type(png->colour, png->bits, source.path());
  check_size(*png, type, source, options);
  Header header;
  header.consensus = png->chunks.consensus;
  header.path = source.path();
  header.format = Format::png;
  header.grid.size = {png->width, png->height, 1};
  if (png->chunks.orientation.exchanged()) std::swap(header.grid.size[0], header.grid.size[1]);
  header.type = fmt::format("png {}-bit {}", png->bits, type.name);
  header.warnings = warnings_on(*png, source.path());
  header.native = png;
  return header;
}

std::vector<Header> png_read_headers(const Source& source, const ReadOptions& options) {
  return colour_headers(png_read_header(source, options), options);
}

Checked png_read_mask(const Header& header, const ReadOptions& requested, const MaskSink& sink) {
  const ReadOptions options = class_options(header, requested);
  const bool numbers = options.label || options.threshold || options.labels != nullptr;
  const PlaneUse use = numbers ? PlaneUse::numbers : PlaneUse::mask;
  return read_into(header, options, use,
                   [&](const ValueType& type) { return MaskBuilder(type, options, sink); });
}

MapFile png_read_map(const Header& header, const ReadOptions& options) {
  return read_into(header, options, PlaneUse::levels,
                   [&](const ValueType& type) { return MapBuilder(type, header.grid.voxels(), options); });
}

}  // namespace crema::files
