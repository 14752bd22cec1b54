// SPDX-License-Identifier: Apache-2.0
#include "files/png/png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <libdeflate.h>

#include "files/io/gzip.h"
#include "files/io/sentence.h"
#include "files/png/codec.h"
#include "files/png/plane.h"
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
  return {static_cast<std::int32_t>(width), static_cast<std::int32_t>(height), start[24], start[25]};
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
  const double per_pixel = sample * (type.channels + alpha + 1) + 1;
  check_memory(source.path(), per_pixel * png.width * png.height + size, options);
}

ValueType value_type(const PngPixels& pixels, int bits) {
  ValueType type;
  type.number = pixels.sample_bytes == 2 ? Number::uint16 : Number::uint8;
  type.natural = pixels.palette ? 255 : (1 << bits) - 1;
  return type;
}

template <class T, class Level>
std::vector<std::uint8_t> samples_of(const Canvas<T>& voxels, Level level) {
  using Sample = decltype(level(T{}));
  std::vector<std::uint8_t> samples(voxels.size() * sizeof(Sample));
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Sample sample = level(voxels[i]);
    std::memcpy(&samples[i * sizeof(Sample)], &sample, sizeof(Sample));
  }
  return samples;
}

struct Decoded {
  PngPlane plane;
  ValueType type;
};

Decoded decode(const Header& header, const ReadOptions& options) {
  const auto& png = *static_cast<const PngNative*>(header.native.get());
  const Source source(header.path);
  check_size(png, colour_type(png.colour, png.bits, header.path), source, options);
  const std::vector<std::uint8_t> file = source.start(static_cast<std::size_t>(source.size()));
  const PngNative now = parse(file, header.path);
  if (now.width != png.width || now.height != png.height || now.bits != png.bits ||
      now.colour != png.colour) {
    refuse(header.path, "changed while it was being read; try again");
  }
  const PngPixels pixels = decode_png(file, header.path);
  return {mask_plane(pixels, header.path), value_type(pixels, png.bits)};
}

}  // namespace

bool png_recognises(const Start& start) {
  return !start.compressed && start.bytes.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), start.bytes.begin());
}

bool png_claims(const fs::path& /*path*/) { return false; }

Header png_read_header(const Source& source, const ReadOptions& options) {
  const auto png = std::make_shared<PngNative>(parse(source.start(kHeaderBytes), source.path()));
  const ColourType& type = colour_type(png->colour, png->bits, source.path());
  check_size(*png, type, source, options);
  Header header;
  header.path = source.path();
  header.format = Format::png;
  header.grid.size = {png->width, png->height, 1};
  header.type = fmt::format("png {}-bit {}", png->bits, type.name);
  header.native = png;
  return header;
}

Judged png_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const Decoded decoded = decode(header, options);
  MaskBuilder builder(decoded.type, options, sink);
  builder.take(decoded.plane.samples);
  Judged judged = builder.finish(header.path, header.grid);
  judged.warnings.insert(judged.warnings.begin(), decoded.plane.warnings.begin(),
                         decoded.plane.warnings.end());
  return judged;
}

MapFile png_read_map(const Header& header, const ReadOptions& options) {
  Decoded decoded = decode(header, options);
  if (decoded.plane.numbered)
    refuse(header.path, "has a coloured palette, so that its levels are unclear; export it as grey");
  decoded.type.slope = 1 / decoded.type.natural;
  MapBuilder builder(decoded.type, header.grid.voxels());
  builder.take(decoded.plane.samples);
  MapFile map = std::move(builder).finish(header.path, header.grid);
  map.warnings.insert(map.warnings.begin(), decoded.plane.warnings.begin(), decoded.plane.warnings.end());
  return map;
}

Encoded png_encode(const fs::path& path, const Image& image, const Header& reference) {
  const auto width = static_cast<std::uint32_t>(reference.grid.size[0]);
  const auto height = static_cast<std::uint32_t>(reference.grid.size[1]);
  Encoded encoded;
  if (const auto* hard = std::get_if<HardImage>(&image)) {
    const auto level = [](std::uint8_t voxel) { return static_cast<std::uint8_t>(voxel != 0 ? 255 : 0); };
    encoded.owned.push_back(encode_png(samples_of(*hard, level), width, height, 8));
  } else {
    const auto level = [](float voxel) {
      return static_cast<std::uint16_t>(
          std::lround(std::clamp(static_cast<double>(voxel), 0.0, 1.0) * 65535));
    };
    encoded.owned.push_back(encode_png(samples_of(std::get<SoftImage>(image), level), width, height, 16));
    encoded.warnings.push_back(
        sentence(path, "PNG holds levels in steps of 1/65535; .nii.gz holds them exactly"));
  }
  if (reference.positioned) {
    encoded.warnings.push_back(sentence(path, "PNG holds neither spacing nor position; .nii.gz holds both"));
  }
  encoded.outputs = {{path, {encoded.owned.back()}}};
  return encoded;
}

}  // namespace crema::files
