// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include <tiffio.h>

#include "files/io/sentence.h"
#include "files/tiff/tiff.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr double kMaxInTiff = 3.9e9;  ///< beyond that, offsets of four bytes may not do
constexpr std::size_t kStripBytes = 256 * 1024;
constexpr double kMillimetresPerUnit = 10;  ///< centimetres: TIFF's only metric unit, and ImageJ knows it too

/// What one page takes, apart from its pixels.
struct Page {
  std::uint32_t width, height;
  std::size_t sample_bytes;
  std::array<double, 3> spacing;
  bool measured;            ///< the spacing is known
  std::string description;  ///< empty: none
  bool consensus;           ///< to be marked as made by fusing raters
};

[[noreturn]] void fail_writing(const OpenTiff& open) {
  throw_others(*open.words);
  throw std::logic_error("libtiff cannot write: " + open.words->error);
}

/// A stack as ImageJ describes it: the only common way to state the distance between slices.
std::string describe(const Grid& grid, std::size_t pages) {
  if (pages == 1) return {};
  return fmt::format("ImageJ=1.54f\nimages={}\nslices={}\nunit=cm\nspacing={}\nloop=false\n", pages, pages,
                     grid.spacing[2] / kMillimetresPerUnit);
}

void set_fields(TIFF* handle, const Page& page) {
  const std::size_t row = page.width * page.sample_bytes;
  const auto rows = static_cast<std::uint32_t>(std::clamp<std::size_t>(kStripBytes / row, 1, page.height));
  TIFFSetField(handle, TIFFTAG_IMAGEWIDTH, page.width);
  TIFFSetField(handle, TIFFTAG_IMAGELENGTH, page.height);
  TIFFSetField(handle, TIFFTAG_BITSPERSAMPLE, static_cast<int>(page.sample_bytes * 8));
  TIFFSetField(handle, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(handle, TIFFTAG_SAMPLEFORMAT,
               page.sample_bytes == 4 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField(handle, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(handle, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(handle, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField(handle, TIFFTAG_ROWSPERSTRIP, rows);
  if (page.measured) {
    TIFFSetField(handle, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    TIFFSetField(handle, TIFFTAG_XRESOLUTION, kMillimetresPerUnit / page.spacing[0]);
    TIFFSetField(handle, TIFFTAG_YRESOLUTION, kMillimetresPerUnit / page.spacing[1]);
  }
  if (page.consensus) TIFFSetField(handle, TIFFTAG_SOFTWARE, std::string(kConsensusMark).c_str());
  if (!page.description.empty()) TIFFSetField(handle, TIFFTAG_IMAGEDESCRIPTION, page.description.c_str());
}

/// Writes one page; libtiff takes the pixels as its own to change, so they are a copy.
void write_page(OpenTiff& open, const Page& page, std::vector<std::uint8_t>& pixels) {
  TIFF* const handle = open.handle.get();
  set_fields(handle, page);
  const std::size_t row = page.width * page.sample_bytes;
  const auto strip = static_cast<std::size_t>(TIFFStripSize(handle));
  for (std::size_t at = 0, i = 0; at < row * page.height; at += strip, ++i) {
    const std::size_t bytes = std::min(strip, row * page.height - at);
    const tmsize_t done = TIFFWriteEncodedStrip(handle, static_cast<std::uint32_t>(i), pixels.data() + at,
                                                static_cast<tmsize_t>(bytes));
    if (done != static_cast<tmsize_t>(bytes)) fail_writing(open);
  }
  if (TIFFWriteDirectory(handle) != 1 || !open.words->error.empty()) fail_writing(open);
}

/// The pixels of one page: 0/255 for a mask, levels as they are.
std::vector<std::uint8_t> pixels_of(const Image& image, std::size_t page, std::size_t voxels) {
  const auto first = static_cast<std::ptrdiff_t>(page * voxels);
  if (const auto* hard = std::get_if<HardImage>(&image)) {
    std::vector<std::uint8_t> pixels(hard->begin() + first,
                                     hard->begin() + first + static_cast<std::ptrdiff_t>(voxels));
    for (std::uint8_t& pixel : pixels) pixel = pixel != 0 ? 255 : 0;
    return pixels;
  }
  return std::visit(
      [&](const auto& values) -> std::vector<std::uint8_t> {
        const auto* const from = reinterpret_cast<const std::uint8_t*>(values.data() + first);
        return {from, from + voxels * sizeof(values[0])};
      },
      image);
}

std::vector<std::uint8_t> encode_pages(const Image& image, const Header& reference) {
  const Grid& grid = reference.grid;
  const auto pages = static_cast<std::size_t>(grid.size[2]);
  constexpr std::array<std::size_t, 3> bytes{1, sizeof(float), sizeof(std::uint16_t)};  // as in Image
  const std::size_t sample = bytes.at(image.index());
  const bool measured = spacing_known(reference);
  Page page{static_cast<std::uint32_t>(grid.size[0]),
            static_cast<std::uint32_t>(grid.size[1]),
            sample,
            grid.spacing,
            measured,
            measured ? describe(grid, pages) : std::string(),
            reference.consensus};
  const bool wide = static_cast<double>(grid.voxels()) * static_cast<double>(sample) > kMaxInTiff;
  std::vector<std::uint8_t> out;
  OpenTiff open = open_tiff(out, wide ? "wl8m" : "wlm");
  for (std::size_t i = 0; i < pages; ++i) {
    std::vector<std::uint8_t> pixels = pixels_of(image, i, page.width * std::size_t{page.height});
    write_page(open, page, pixels);
    page.description.clear();
  }
  open.handle.reset();
  if (open.words->thrown || !open.words->error.empty()) fail_writing(open);
  return out;
}

}  // namespace

Encoded tiff_encode(const fs::path& path, const Image& image, const Header& reference) {
  Encoded encoded;
  encoded.owned.push_back(encode_pages(image, reference));
  if (reference.positioned) {
    encoded.warnings.push_back(
        {sentence(path, "TIFF holds the spacing but not the position; .nii.gz holds both"),
         WarningKind::output_format});
  }
  encoded.outputs = {{path, {encoded.owned.back()}}};
  return encoded;
}

}  // namespace crema::files
