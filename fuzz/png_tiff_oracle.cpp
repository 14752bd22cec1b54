// SPDX-License-Identifier: Apache-2.0
// The bytes are a PNG or a TIFF file. Where crema takes it as a mask, and libpng's simple interface or
// libtiff's picture of red, green, blue and alpha take it too, both show the same.
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <png.h>
#include <tiffio.h>

#include "fuzz/fuzz.h"
#include "fuzz/png_bytes.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
using Pixel = std::array<std::uint8_t, 4>;  ///< red, green, blue, alpha

constexpr std::int64_t kMaxPixels = 1 << 20;

struct Read {
  crema::files::Header header;
  Bytes mask;
};

/// The mask as crema reads it, upright in its file; nothing where it is refused.
std::optional<Read> read(const fuzz::fs::path& path) {
  const crema::files::ReadOptions plain{.max_memory = fuzz::kMemory};
  std::optional<Read> result;
  fuzz::expecting_errors([&] {
    crema::files::Header header = crema::files::read_header(path, plain);
    if (header.grid.voxels() > kMaxPixels) return;
    Bytes mask = crema::files::read_mask(header, plain).voxels;
    result = Read{std::move(header), std::move(mask)};
  });
  return result;
}

/// The rules of docs/formats.md, applied to what is to be seen.
Bytes mask_of(const std::vector<Pixel>& pixels) {
  bool grey = true, one_colour = true, one_alpha = true;
  for (const Pixel& p : pixels) {
    grey = grey && p[0] == p[1] && p[1] == p[2];
    one_colour = one_colour && p[0] == pixels[0][0] && p[1] == pixels[0][1] && p[2] == pixels[0][2];
    one_alpha = one_alpha && p[3] == pixels[0][3];
  }
  Bytes mask;
  for (const Pixel& p : pixels) {
    const bool black = p[0] == 0 && p[1] == 0 && p[2] == 0;
    const bool inside = one_colour && !one_alpha ? p[3] != 0
                        : one_alpha && grey      ? !black
                                                 : !black && p[3] != 0;
    mask.push_back(inside ? 1 : 0);
  }
  return mask;
}

/// Chunks after which samples mean other colours, or lie in another way.
bool plain_png(const Bytes& file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (const char* const name : {"gAMA", "cHRM", "iCCP", "sRGB", "sBIT", "eXIf", "bKGD", "cICP"})
    if (text.find(name) != std::string_view::npos) return false;
  return file.size() > 24 && file[24] <= 8;
}

std::optional<std::vector<Pixel>> png_pixels(const Bytes& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0) return {};
  image.format = PNG_FORMAT_RGBA;
  std::vector<Pixel> pixels(std::size_t{image.width} * image.height);
  if (pixels.size() > kMaxPixels || png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) {
    png_image_free(&image);
    return {};
  }
  return pixels;
}

void compare_png(const Bytes& file) {
  const auto ours = read(fuzz::folder().put("x.png", file));
  if (!ours || !plain_png(file)) return;
  const auto pixels = png_pixels(file);
  if (!pixels) return;
  fuzz::promise(ours->mask == mask_of(*pixels), "libpng sees another mask in this PNG");
}

struct Close {
  void operator()(TIFF* handle) const { TIFFClose(handle); }
};

/// One page; nothing where libtiff does not show it, or lays it on its side in a way of its own.
std::optional<std::vector<Pixel>> tiff_page(TIFF* handle) {
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 0, samples = 0, format = SAMPLEFORMAT_UINT, orientation = 1, colour = 0;
  TIFFGetField(handle, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(handle, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted(handle, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(handle, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetField(handle, TIFFTAG_PHOTOMETRIC, &colour);
  const bool shown = bits <= 8 && format == SAMPLEFORMAT_UINT && orientation <= 4 &&
                     samples == (colour == PHOTOMETRIC_RGB ? 3 : 1) && colour <= PHOTOMETRIC_PALETTE;
  if (!shown || std::uint64_t{width} * height > kMaxPixels) return {};
  std::vector<std::uint32_t> raster(std::size_t{width} * height);
  if (TIFFReadRGBAImageOriented(handle, width, height, raster.data(), ORIENTATION_TOPLEFT, 1) == 0) return {};
  std::vector<Pixel> pixels;
  for (const std::uint32_t p : raster)
    pixels.push_back({static_cast<std::uint8_t>(TIFFGetR(p)), static_cast<std::uint8_t>(TIFFGetG(p)),
                      static_cast<std::uint8_t>(TIFFGetB(p)), static_cast<std::uint8_t>(TIFFGetA(p))});
  return pixels;
}

void compare_tiff(const Bytes& file) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  const auto path = fuzz::folder().put("x.tif", file);
  const auto ours = read(path);
  if (!ours) return;
  const std::unique_ptr<TIFF, Close> handle(TIFFOpen(path.c_str(), "rm"));
  if (!handle) return;
  std::vector<Pixel> pixels;
  do {
    const auto page = tiff_page(handle.get());
    if (!page) return;
    pixels.insert(pixels.end(), page->begin(), page->end());
  } while (pixels.size() < ours->mask.size() && TIFFReadDirectory(handle.get()) == 1);
  if (pixels.size() != ours->mask.size()) return;  // pages that are reduced copies are left out
  fuzz::promise(ours->mask == mask_of(pixels), "libtiff sees another mask in this TIFF");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes file(data, data + size);
  if (size > 1 && data[0] == 0x89) {
    compare_png(fuzz::with_checksums(file));
  } else {
    compare_tiff(file);
  }
  return 0;
}
