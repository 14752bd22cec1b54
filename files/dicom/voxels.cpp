// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/voxels.h"

#include <array>

#include "files/dicom/elements/attributes.h"
#include "files/dicom/elements/bytes.h"
#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

/// How the pixels of one image are stored, and what their numbers mean.
struct Stored {
  std::string instance;
  std::uint16_t rows = 0, columns = 0, samples = 1, bits = 0, stored = 0, high = 0, is_signed = 0;
  double slope = 1, intercept = 0;
  std::int64_t offset = 0, length = 0;
};

void take_element(Stored& image, ElementReader& reader, const Element& own) {
  const std::array<std::pair<Tag, std::uint16_t*>, 7> numbers{{{kSamplesPerPixel, &image.samples},
                                                               {kRows, &image.rows},
                                                               {kColumns, &image.columns},
                                                               {kBitsAllocated, &image.bits},
                                                               {kBitsStored, &image.stored},
                                                               {kHighBit, &image.high},
                                                               {kPixelSigned, &image.is_signed}}};
  for (const auto& [tag, number] : numbers)
    if (own.tag == tag) *number = short_of(reader, own);
  if (own.tag == kSopInstance) image.instance = text_of(reader, own);
  if (own.tag == kRescaleSlope && own.length > 0) image.slope = numbers_of(reader, own, 1).front();
  if (own.tag == kRescaleIntercept && own.length > 0) image.intercept = numbers_of(reader, own, 1).front();
  if (own.tag != kPixelData) return;
  image.offset = own.offset;
  image.length = own.length;
}

Stored stored_in(const Source& source) {
  ElementReader reader(source);
  std::int64_t first = 0;
  const std::string syntax = read_meta(reader, first);
  check_syntax(syntax, source.path());
  Stored image;
  const auto value = [&](const Path& around, const Element& own) {
    if (around.empty()) take_element(image, reader, own);
  };
  walk(reader, first, syntax, {}, {.value = value, .item = [](const Path&) {}});
  return image;
}

void check_stored(const Stored& image, const Instance& instance, const Grid& grid) {
  if (image.instance != instance.sop_instance || image.columns != grid.size[0] || image.rows != grid.size[1])
    refuse(instance.path, "changed while it was being read; try again");
  if (image.samples != 1 || (image.bits != 8 && image.bits != 16) || image.stored < 1 ||
      image.stored > image.bits || image.high + 1 != image.stored)
    refuse(
        instance.path,
        "has pixels of {} samples and {} bits ({} stored, the highest at {}), but grey ones of 8 or 16 bits "
        "are read; convert the series to NIfTI",
        image.samples, image.bits, image.stored, image.high);
  const std::int64_t bytes = std::int64_t{image.rows} * image.columns * (image.bits / 8);
  if (image.length != bytes && image.length != bytes + bytes % 2)
    refuse(instance.path,
           "{}×{} pixels take {} bytes, but it has {}; it is cut short or damaged: copy or download it again",
           image.columns, image.rows, bytes, image.length);
}

/// Bits above the stored ones may hold anything.
double value_of(unsigned bits, const Stored& image) {
  const int whole = 1 << image.stored;
  int number = static_cast<int>(bits & static_cast<unsigned>(whole - 1));
  if (image.is_signed != 0 && number >= whole / 2) number -= whole;
  return image.slope * number + image.intercept;
}

}  // namespace

void read_voxels(const Series& series, const TakeValues& take) {
  const Grid& grid = series.stack.grid;
  std::vector<double> values(static_cast<std::size_t>(grid.size[0]) * static_cast<std::size_t>(grid.size[1]));
  std::vector<std::uint8_t> bytes;
  for (const Instance& instance : series.slices) {
    const Source source(instance.path);
    const Stored image = stored_in(source);
    check_stored(image, instance, grid);
    const std::size_t step = image.bits / 8;
    bytes.resize(values.size() * step);
    if (source.read(image.offset, bytes) < bytes.size())
      refuse(instance.path, "is cut short; copy or download it again");
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = value_of(step == 1 ? bytes[i] : get16(bytes, 2 * i), image);
    take(values);
  }
}

}  // namespace crema::files::dicom
