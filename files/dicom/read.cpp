// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/read.h"

#include <algorithm>

#include "files/dicom/dicom.h"
#include "files/dicom/outlines/outlined.h"
#include "files/dicom/pixels.h"
#include "files/dicom/voxels.h"
#include "files/io/sentence.h"
#include "files/values/map.h"

namespace crema::files {

namespace {

using dicom::Kind;
using dicom::Native;
using dicom::Segmentation;

const dicom::SegmentNative& segment_of(const Header& header) {
  const auto& native = *static_cast<const dicom::SegmentNative*>(header.native.get());
  if (native.file == nullptr && native.outlined == nullptr)
    refuse(header.path, "is a folder with an image series, but a file is needed here");
  return native;
}

/// An error or warning about a segment names it behind the file.
std::filesystem::path named_segment(const Header& header) {
  return header.path.string() + (header.name.empty() ? "" : "#" + header.name);
}

const std::vector<dicom::Slice>& slices_of(const Native& native, std::size_t segment) {
  return native.stack.of_segment[native.file.kind == Kind::label_map ? 0 : segment];
}

/// Outlines are bits as soon as they are drawn.
Kind kind_of(const dicom::SegmentNative& native) {
  return native.outlined != nullptr ? Kind::binary : native.file->file.kind;
}

/// How stored pixels become values: levels are exact quotients, which a slope would not give.
ValueType value_type(const dicom::SegmentNative& native) {
  if (kind_of(native) == Kind::fractional) return {.number = Number::float64};
  const bool wide = native.outlined == nullptr && native.file->file.bits == 16;
  return {.number = wide ? Number::uint16 : Number::uint8};
}

/// Refuses labels that no segment describes, in which they would get lost.
class LabelCheck {
 public:
  explicit LabelCheck(const Segmentation& file) : known_(std::size_t{1} << file.bits, 0) {
    known_[0] = 1;
    for (const dicom::Segment& segment : file.segments)
      if (segment.number < known_.size()) known_[segment.number] = 1;
  }

  void look_at(std::span<const std::uint8_t> pixels, int bits, const std::filesystem::path& path) const {
    const std::size_t step = bits == 16 ? 2 : 1;
    for (std::size_t i = 0; i < pixels.size(); i += step) {
      const std::size_t label =
          step == 1 ? pixels[i] : pixels[i] | static_cast<std::size_t>(pixels[i + 1]) << 8;
      if (known_[label] == 0)
        refuse(path,
               "holds the label {}, but does not describe that segment; it is damaged: copy or save it again",
               label);
    }
  }

 private:
  std::vector<std::uint8_t> known_;
};

/// Refuses levels above 1, which a cut would hide.
void check_fractions(std::span<const std::uint8_t> stored, const Segmentation& file,
                     const std::filesystem::path& path) {
  const auto most = *std::max_element(stored.begin(), stored.end());
  if (most > file.maximum)
    refuse(path,
           "holds the fraction {}, but its largest fraction (0062,000E) is {}; it is damaged: copy or save "
           "it again",
           most, file.maximum);
}

/// What there is to say of outlines that were drawn.
Warnings drawing_warnings(const dicom::SegmentNative& native, std::size_t segment) {
  return native.outlined == nullptr ? Warnings() : native.outlined->structures[segment].warnings;
}

/// Hands values over slice by slice, as `value_type` says.
template <class Take>
void read_values_of(const Header& header, std::size_t segment, const Take& take) {
  if (const auto& outlined = segment_of(header).outlined) return dicom::draw_slices(*outlined, segment, take);
  const Native& native = *segment_of(header).file;
  const Segmentation& file = native.file;
  const Source source(header.path);
  if (dicom::mark_of(source, file) != native.mark)
    refuse(header.path, "changed while it was being read; try again");
  const auto pixels = static_cast<std::size_t>(file.frame_pixels());
  const std::size_t bytes = bytes_of(value_type(segment_of(header)).number);
  const std::vector<std::uint8_t> empty(pixels * bytes);
  std::vector<double> levels(file.kind == Kind::fractional ? pixels : 0);
  const LabelCheck labels(file);
  dicom::read_slices(file, slices_of(native, segment), native.stack.grid.size[2], source, [&](auto stored) {
    if (stored.empty()) return take(std::span(empty));
    if (file.kind == Kind::label_map) labels.look_at(stored, file.bits, header.path);
    if (file.kind != Kind::fractional) return take(stored);
    check_fractions(stored, file, header.path);
    for (std::size_t i = 0; i < pixels; ++i) levels[i] = stored[i] / file.maximum;
    take(std::span(reinterpret_cast<const std::uint8_t*>(levels.data()), pixels * bytes));
  });
}

/// Fractions as labels: all or nothing of the segment.
void take_fractions(std::span<const std::uint8_t> stored, std::uint16_t number,
                    std::vector<std::uint16_t>& labels, const std::filesystem::path& path) {
  labels.resize(stored.size() / sizeof(double));
  std::vector<double> levels(labels.size());
  read_values(stored, {.number = Number::float64}, levels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (levels[i] != 0 && levels[i] != 1)
      refuse(path,
             "holds levels between 0 and 1, such as {:.3g}, which cannot be fused as labels; fuse one "
             "segment with {}",
             levels[i], Sentence::setting("threshold", "0.5"));
    labels[i] = levels[i] == 0 ? std::uint16_t{0} : number;
  }
}

/// One segment as a layer of labels.
Checked read_layer_of(const Header& header, const ReadOptions& options) {
  const dicom::SegmentNative& native = segment_of(header);
  const auto segment = static_cast<std::size_t>(options.layer);
  const auto number = static_cast<std::uint16_t>(
      native.outlined != nullptr ? segment + 1 : native.file->file.segments[segment].number);
  std::vector<std::uint16_t> labels;
  std::int64_t first = 0;
  read_values_of(header, segment, [&](std::span<const std::uint8_t> stored) {
    if (kind_of(native) == Kind::fractional) {
      take_fractions(stored, number, labels, header.path);
    } else {
      labels.resize(stored.size());
      for (std::size_t i = 0; i < stored.size(); ++i)
        labels[i] = static_cast<std::uint16_t>(stored[i] * number);
    }
    (*options.labels)(first, labels);
    first += std::ssize(labels);
  });
  return {.warnings = drawing_warnings(native, segment)};
}

Checked read_segment(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const dicom::SegmentNative& native = segment_of(header);
  MaskBuilder builder(value_type(native), options, sink);
  read_values_of(header, native.segment, [&](std::span<const std::uint8_t> stored) { builder.take(stored); });
  Checked checked = builder.finish(named_segment(header), header.grid);
  append(checked.warnings, drawing_warnings(native, native.segment));
  return checked;
}

/// An image to be seen beneath masks.
MapFile read_series_voxels(const Header& header, const dicom::Series& series, const ReadOptions& options) {
  check_memory(header.path, static_cast<double>(header.grid.voxels()) * sizeof(float), options);
  MapBuilder builder({.number = Number::float64}, header.grid.voxels(), options);
  dicom::read_voxels(series, [&](std::span<const double> values) {
    builder.take(std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()));
  });
  return std::move(builder).finish(header.path, header.grid);
}

}  // namespace

namespace dicom {

std::uint64_t mark_of(const Source& source, const Segmentation& file) {
  std::uint64_t mark = static_cast<std::uint64_t>(source.size());
  std::vector<std::uint8_t> piece(std::size_t{64} * 1024);
  for (std::int64_t at = 0; at < file.pixels;) {
    const auto left = static_cast<std::size_t>(std::min<std::int64_t>(file.pixels - at, 64 * 1024));
    const std::size_t got = source.read(at, std::span(piece).first(left));
    if (got == 0) return 0;
    for (std::size_t i = 0; i < got; ++i) mark = (mark ^ piece[i]) * 0x100000001b3;
    at += static_cast<std::int64_t>(got);
  }
  return mark;
}

}  // namespace dicom

Checked dicom_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const dicom::SegmentNative& native = segment_of(header);
  const Kind kind = kind_of(native);
  check_memory(header.path, static_cast<double>(header.grid.voxels()), options);
  if (options.labels != nullptr) {
    if (kind == Kind::label_map) return read_segment(header, options, sink);
    return read_layer_of(header, options);
  }
  ReadOptions own = options;
  const bool levels = kind == Kind::fractional;
  if (!levels) own.threshold.reset();
  own.label.reset();
  if (kind == Kind::label_map) own.label = native.file->file.segments[native.segment].number;
  Checked checked = read_segment(header, own, sink);
  if (options.label || (options.threshold && !levels))
    checked.warnings.push_back(
        {sentence(named_segment(header), "segments have their own label values; {} is not used",
                  Sentence::setting(options.label ? "label" : "threshold")),
         WarningKind::setting});
  return checked;
}

MapFile dicom_read_map(const Header& header, const ReadOptions& options) {
  if (const auto& own = *static_cast<const dicom::SegmentNative*>(header.native.get());
      own.series != nullptr && options.map == MapValues::any)
    return read_series_voxels(header, *own.series, options);
  const dicom::SegmentNative& native = segment_of(header);
  check_memory(header.path, static_cast<double>(header.grid.voxels()) * sizeof(float), options);
  MapBuilder builder(value_type(native), header.grid.voxels(), options);
  if (kind_of(native) != Kind::label_map) {
    read_values_of(header, native.segment,
                   [&](std::span<const std::uint8_t> stored) { builder.take(stored); });
    return std::move(builder).finish(named_segment(header), header.grid);
  }
  MapFile map{std::vector<float>(static_cast<std::size_t>(header.grid.voxels())), {}};
  const MaskSink sink = [&](std::int64_t first, Mask part) {
    std::copy(part.begin(), part.end(), map.levels.begin() + first);
  };
  map.warnings =
      dicom_read_mask(header, {.threshold = {}, .label = {}, .max_memory = options.max_memory}, sink)
          .warnings;
  return map;
}

}  // namespace crema::files
