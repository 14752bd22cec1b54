// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/page.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <tiffio.h>

#include "files/io/gzip/gzip.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

using Path = std::filesystem::path;

/// Ways to pack pixels that give them back unchanged, and how much they can grow at most (0: no limit).
struct Compression {
  int code;
  double ratio;
};

constexpr std::array kPackings{
    Compression{COMPRESSION_NONE, 1},
    Compression{COMPRESSION_LZW, 2600},
    Compression{COMPRESSION_ADOBE_DEFLATE, kDeflateRatio},
    Compression{COMPRESSION_DEFLATE, kDeflateRatio},
    Compression{COMPRESSION_PACKBITS, 64},
    Compression{COMPRESSION_CCITTRLE, 0},
    Compression{COMPRESSION_CCITTFAX3, 0},
    Compression{COMPRESSION_CCITTFAX4, 0},
    Compression{COMPRESSION_LZMA, 0},
    Compression{COMPRESSION_ZSTD, 0},
};

template <class T>
T field(TIFF* handle, std::uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(handle, tag, &value) == 1 ? value : otherwise;
}

std::int32_t pixels_field(TIFF* handle, std::uint32_t tag, const Path& path) {
  const auto value = field<std::uint32_t>(handle, tag, 0);
  if (value == 0 || value > INT32_MAX) {
    refuse(path, "is a damaged TIFF (a side of {} pixels); copy or download it again", value);
  }
  return static_cast<std::int32_t>(value);
}

/// Keeps products of what is declared far from overflow.
void check_product(std::int64_t row_bytes, std::int64_t rows, const Path& path) {
  constexpr double most = 1e15;
  if (static_cast<double>(row_bytes) * static_cast<double>(rows) <= most) return;
  refuse(path, "is a damaged TIFF ({} rows of {}); copy or download it again", rows,
         bytes_text(static_cast<double>(row_bytes)));
}

Number number_of(int format, int bits, const Path& path) {
  const auto index = [&](int narrowest, std::array<Number, 4> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (bits == 8 << i && bits >= narrowest) return numbers[i];
    }
    refuse(path, "has samples of {} bits, which are not supported; export it with 8, 16 or 32", bits);
  };
  using enum Number;
  if (format == SAMPLEFORMAT_IEEEFP) return index(32, {float32, float32, float32, float64});
  if (format == SAMPLEFORMAT_INT) return index(8, {int8, int16, int32, int64});
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) {
    refuse(path, "has complex samples; export it with plain ones");
  }
  return bits == 1 || bits == 2 || bits == 4 ? uint8 : index(8, {uint8, uint16, uint32, uint64});
}

TiffColour colour_of(int code, const Path& path) {
  switch (code) {
    case PHOTOMETRIC_MINISWHITE:
      return TiffColour::white_is_zero;
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MASK:
      return TiffColour::black_is_zero;
    case PHOTOMETRIC_PALETTE:
      return TiffColour::palette;
    case PHOTOMETRIC_RGB:
      return TiffColour::rgb;
    default:
      refuse(path, "is a TIFF of colour kind {}, which is not supported; export it as grey", code);
  }
}

/// The palette as eight-bit colours; some writers use the lower byte alone.
std::vector<std::array<std::uint8_t, 3>> palette_of(TIFF* handle, int bits, const Path& path) {
  std::array<const std::uint16_t*, 3> maps{};
  if (bits > 8 || TIFFGetField(handle, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) != 1) {
    refuse(path, "is a damaged TIFF (palette of {} bits); copy or download it again", bits);
  }
  const std::size_t count = std::size_t{1} << bits;
  const bool low = std::all_of(maps.begin(), maps.end(), [&](const std::uint16_t* map) {
    return std::all_of(map, map + count, [](std::uint16_t level) { return level < 256; });
  });
  std::vector<std::array<std::uint8_t, 3>> palette(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      palette[i][c] = static_cast<std::uint8_t>(low ? maps[c][i] : maps[c][i] >> 8);
  }
  return palette;
}

void check_channels(const TiffLayout& layout, int samples, const Path& path) {
  const int expected = layout.colour == TiffColour::rgb ? 3 : 1;
  if (layout.colours != expected) {
    refuse(path, "has {} channels, but a mask has one; export one of them as grey", samples);
  }
  const bool plain = layout.number == Number::uint8 || layout.number == Number::uint16;
  if (layout.samples() > 1 && (!plain || layout.bits < 8 || layout.colour == TiffColour::white_is_zero)) {
    refuse(path, "has several channels of {} bits in an unsupported layout; export it as grey", layout.bits);
  }
  const bool counted = name_of(layout.number)[0] == 'u' && layout.bits <= 32;  // exactly, from the other end
  if (layout.colour == TiffColour::white_is_zero && !counted) {
    refuse(path, "states that 0 is white, but its samples are {}; export it as grey", name_of(layout.number));
  }
  if (layout.colour == TiffColour::palette && (layout.number != Number::uint8 || layout.alpha)) {
    refuse(path, "is a damaged TIFF (palette of {}); copy or download it again", name_of(layout.number));
  }
}

TiffLayout layout_of(TIFF* handle, const Path& path) {
  TiffLayout layout;
  layout.width = pixels_field(handle, TIFFTAG_IMAGEWIDTH, path);
  layout.height = pixels_field(handle, TIFFTAG_IMAGELENGTH, path);
  layout.bits = field<std::uint16_t>(handle, TIFFTAG_BITSPERSAMPLE, 1);
  layout.number = number_of(field<std::uint16_t>(handle, TIFFTAG_SAMPLEFORMAT, 1), layout.bits, path);
  const int samples = field<std::uint16_t>(handle, TIFFTAG_SAMPLESPERPIXEL, 1);
  layout.colour = colour_of(field<std::uint16_t>(handle, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK), path);
  std::uint16_t extras = 0;
  const std::uint16_t* kinds = nullptr;
  TIFFGetFieldDefaulted(handle, TIFFTAG_EXTRASAMPLES, &extras, &kinds);
  const bool known = extras == 1 && (layout.colour == TiffColour::rgb || kinds[0] != EXTRASAMPLE_UNSPECIFIED);
  layout.alpha = known;
  layout.colours = samples - (known ? 1 : 0);
  check_channels(layout, samples, path);
  if (samples > 1 && field<std::uint16_t>(handle, TIFFTAG_PLANARCONFIG, 1) != PLANARCONFIG_CONTIG) {
    refuse(path, "stores its {} channels separately, which is not supported; export it as grey", samples);
  }
  check_product(layout.row_bytes(layout.width), layout.height, path);
  if (layout.colour == TiffColour::palette) layout.palette = palette_of(handle, layout.bits, path);
  return layout;
}

const Compression& packing_of(TIFF* handle, const Path& path) {
  const int code = field<std::uint16_t>(handle, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  if (code == COMPRESSION_JPEG || code == COMPRESSION_OJPEG) {
    refuse(path, "is compressed with JPEG, which blurs the edges of a mask; export it again, uncompressed");
  }
  const auto* const found = std::find_if(kPackings.begin(), kPackings.end(),
                                         [&](const Compression& packing) { return packing.code == code; });
  if (found == kPackings.end() || TIFFIsCODECConfigured(static_cast<std::uint16_t>(code)) == 0) {
    refuse(path, "uses an unsupported compression ({}); export it again, uncompressed", code);
  }
  return *found;
}

/// Also an impossible number, which libtiff reports only as an error.
Orientation orientation_of(const OpenTiff& open) {
  constexpr std::string_view before = "Bad value ";
  const std::string& reported = open.words->orientation;
  if (reported.empty())
    return {field<std::uint16_t>(open.handle.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT)};
  const std::size_t at = reported.find(before);
  int stated = 0;
  if (at != std::string::npos)
    std::from_chars(reported.data() + at + before.size(), reported.data() + reported.size(), stated);
  return {stated};
}

void set_pieces(TIFF* handle, TiffPage& page, const Path& path) {
  const TiffLayout& layout = page.layout;
  if (!page.tiled) {
    const auto rows = field<std::uint32_t>(handle, TIFFTAG_ROWSPERSTRIP, UINT32_MAX);
    page.across = layout.width;
    page.down = static_cast<std::int32_t>(std::clamp<std::int64_t>(rows, 1, layout.height));
    return;
  }
  page.across = pixels_field(handle, TIFFTAG_TILEWIDTH, path);
  page.down = pixels_field(handle, TIFFTAG_TILELENGTH, path);
  check_product(layout.row_bytes(page.across), page.down, path);
  if (std::int64_t{page.across} * layout.samples() * layout.bits % 8 != 0) {
    refuse(path, "is a damaged TIFF (tiles {} pixels wide); copy or download it again", page.across);
  }
}

/// Every strip or tile must lie in the file, and be able to hold the pixels it should.
void check_pieces(TIFF* handle, const TiffPage& page, const Compression& packing, const Source& source) {
  const std::uint32_t count = page.tiled ? TIFFNumberOfTiles(handle) : TIFFNumberOfStrips(handle);
  if (count != page.columns() * page.rows() || count > source.size()) {
    refuse(source.path(), "is a damaged TIFF ({} {}, but its size needs {}); copy or download it again",
           count, page.tiled ? "tiles" : "strips", page.columns() * page.rows());
  }
  const auto size = static_cast<std::uint64_t>(source.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t at = TIFFGetStrileOffset(handle, i), stored = TIFFGetStrileByteCount(handle, i);
    if (at > size || stored > size - at || stored == 0) {
      refuse(source.path(),
             "is cut short or damaged: strip or tile {} should lie at byte {} with {} bytes, but the file "
             "has {}; copy or download it again",
             i, at, stored, size);
    }
    const std::int64_t left = page.layout.height - std::int64_t{i} * page.down;
    const std::int64_t raw =
        page.tiled ? page.piece_bytes()
                   : page.layout.row_bytes(page.across) * std::min<std::int64_t>(left, page.down);
    if (packing.ratio > 0 && static_cast<double>(raw) > packing.ratio * static_cast<double>(stored) + 64) {
      refuse(source.path(),
             "is cut short or damaged: {} of pixels cannot come from the {} of strip or tile {}; copy or "
             "download it again",
             bytes_text(static_cast<double>(raw)), bytes_text(static_cast<double>(stored)), i);
    }
  }
}

}  // namespace

TiffPage read_page(OpenTiff& open, std::uint64_t directory, const Source& source) {
  TIFF* const handle = open.handle.get();
  *open.words = {};
  if (TIFFSetSubDirectory(handle, directory) != 1 || !open.words->error.empty() || !open.words->guess.empty())
    refuse_tiff(*open.words, source.path());
  TiffPage page;
  page.directory = directory;
  page.orientation = orientation_of(open);
  page.reduced = (field<std::uint32_t>(handle, TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0;
  page.layout = layout_of(handle, source.path());
  page.tiled = TIFFIsTiled(handle) != 0;
  const Compression& packing = packing_of(handle, source.path());
  page.compressed = packing.code != COMPRESSION_NONE;
  page.deflated = packing.code == COMPRESSION_ADOBE_DEFLATE || packing.code == COMPRESSION_DEFLATE;
  if (field<std::uint32_t>(handle, TIFFTAG_IMAGEDEPTH, 1) > 1)
    refuse(source.path(),
           "has pages with several slices each, which are not supported; export one page per slice");
  set_pieces(handle, page, source.path());
  check_pieces(handle, page, packing, source);
  return page;
}

std::string type_text(const TiffLayout& layout) {
  constexpr std::array<std::string_view, 4> names{"grey", "grey, 0 is white", "palette", "colour"};
  const std::string_view name = names.at(static_cast<std::size_t>(layout.colour));
  const std::string alpha = layout.alpha ? " with alpha" : "";
  const bool whole = name_of(layout.number)[0] == 'u';
  return whole ? fmt::format("tiff {}-bit {}{}", layout.bits, name, alpha)
               : fmt::format("tiff {}", name_of(layout.number));
}

}  // namespace crema::files
