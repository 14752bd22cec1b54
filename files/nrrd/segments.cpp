// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/segments.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "files/affine.h"
#include "files/io/sentence.h"
#include "files/values/collect.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxLayers = 65536;

/// An error or warning about a segment names it behind the file.
fs::path named(const Header& header) { return header.path.string() + "#" + header.name; }

/// Where the stored image lies on a grid with the same axes.
Placement placement_of(const Grid& stored, const Grid& whole) {
  Placement placement;
  const Vec corner = (*inverse(affine_of(whole)))(stored.origin);
  for (std::size_t a = 0; a < 3; ++a) placement.offset[a] = static_cast<std::int32_t>(std::lround(corner[a]));
  placement.identity = stored.size == whole.size;
  return placement;
}

/// A segmentation in which nothing is drawn is stored as one voxel of background.
bool stands_for_nothing(const VoxelStore& store, const Grid& stored) {
  if (stored.voxels() != 1) return false;
  double most = 0;
  const ValueType type = taken_type(store);
  std::vector<double> values(static_cast<std::size_t>(store.group));
  const Source data(store.path);
  read_store(store, data, [&](auto bytes) {
    read_values(bytes, type, values);
    for (const double value : values) most = std::max(most, std::abs(value));
  });
  return most == 0;
}

/// What all segments of a file have in common.
Header common_header(const Source& source, const std::shared_ptr<NrrdNative>& native, const NrrdAxes& axes) {
  const NrrdGeometry geometry = nrrd_geometry(native->header, axes, source.path());
  Header header;
  header.path = source.path();
  header.format = Format::seg_nrrd;
  header.grid = geometry.grid;
  header.positioned = geometry.positioned;
  header.measured = geometry.measured;
  header.consensus = find_entry(native->header.pairs, kNrrdMarkKey) == kConsensusMark;
  header.type = type_text(native->store);
  header.warnings = native->header.warnings;
  header.warnings.insert(header.warnings.end(), geometry.warnings.begin(), geometry.warnings.end());
  return header;
}

void warn_of_reference(Header& header, const Header& stored, const Placement& placement) {
  if (placement.identity) return;
  header.warnings.push_back(
      {sentence(header.path,
                "{} is a part of {} at voxel ({}, {}, {}) of the image it was drawn on; padded "
                "with background",
                shape(stored.grid), shape(header.grid), placement.offset[0], placement.offset[1],
                placement.offset[2]),
       WarningKind::padded});
}

/// Takes one layer out of values that lie layer by layer, voxel after voxel.
struct LayerPicker {
  MaskBuilder& builder;
  std::size_t bytes = 1, layers = 1, layer = 0;
  std::vector<std::uint8_t> picked = {};

  void take(std::span<const std::uint8_t> stored) {
    if (layers == 1) return builder.take(stored);
    const std::size_t step = bytes * layers, voxels = stored.size() / step;
    picked.resize(voxels * bytes);
    for (std::size_t i = 0; i < voxels; ++i)
      std::memcpy(&picked[i * bytes], &stored[i * step + layer * bytes], bytes);
    builder.take(picked);
  }
};

/// The segment's voxels as they are stored.
Checked read_stored(const SegmentNative& native, const fs::path& name, const ReadOptions& options,
                    const MaskSink& sink) {
  const VoxelStore& store = native.file->store;
  const ReadOptions by_label{
      .threshold = {}, .label = native.segment.label, .max_memory = options.max_memory};
  const ValueType type = taken_type(store);
  MaskBuilder builder(type, by_label, sink);
  LayerPicker picker{builder, bytes_of(type.number), static_cast<std::size_t>(store.group),
                     static_cast<std::size_t>(native.segment.layer)};
  const Source data(store.path);
  auto warnings = read_store(store, data, [&](auto stored) { picker.take(stored); });
  Checked checked = builder.finish(name, native.stored.grid);
  checked.warnings.insert(checked.warnings.begin(), warnings.begin(), warnings.end());
  return checked;
}

/// One layer with the labels of all its segments, on the whole image.
Checked read_layer(const SegmentNative& native, const Header& header, const ReadOptions& options) {
  const VoxelStore& store = native.file->store;
  std::vector<std::uint16_t> stored;
  const bool placed = !native.placement.identity;
  if (placed) stored.resize(static_cast<std::size_t>(native.stored.grid.voxels()));
  const LabelSink collect = [&](std::int64_t first, std::span<const std::uint16_t> part) {
    std::copy(part.begin(), part.end(), stored.begin() + first);
  };
  const MaskSink nobody = [](std::int64_t, Mask) {};
  ReadOptions own = options;
  if (placed) own.labels = &collect;
  const ValueType type = taken_type(store);
  MaskBuilder builder(type, own, nobody);
  LayerPicker picker{builder, bytes_of(type.number), static_cast<std::size_t>(store.group),
                     static_cast<std::size_t>(options.layer)};
  const Source data(store.path);
  Checked checked{read_store(store, data, [&](auto bytes) { picker.take(bytes); })};
  append(checked.warnings, builder.finish(header.path, native.stored.grid).warnings);
  if (placed)
    (*options.labels)(0, apply(native.placement, header.grid, native.stored.grid, std::move(stored)));
  return checked;
}

/// The segment's voxels on the whole image.
Checked read_placed(const SegmentNative& native, const Header& header, const ReadOptions& options,
                    const MaskSink& sink) {
  if (native.placement.identity) return read_stored(native, named(header), options, sink);
  MaskCollector stored(native.stored.grid.voxels());
  Checked checked = read_stored(native, named(header), options, stored.sink());
  const auto placed = apply(native.placement, header.grid, native.stored.grid, std::move(stored).take());
  sink(0, placed);
  return checked;
}

const SegmentNative& segments_of(const Header& header) {
  return *static_cast<const SegmentNative*>(header.native.get());
}

}  // namespace

std::vector<Header> segment_headers(const Source& source, NrrdHeader parsed, const ReadOptions& options) {
  const NrrdAxes axes = nrrd_axes(parsed, Layers::allowed, source.path());
  if (axes.layers > kMaxLayers)
    refuse(source.path(), "has {} layers, but at most {} are allowed; it is damaged: copy or save it again",
           axes.layers, kMaxLayers);
  const auto native = std::make_shared<NrrdNative>(open_nrrd(source, std::move(parsed)));
  native->store.group = axes.layers;
  const Header stored = common_header(source, native, axes);
  Header common = stored;
  Placement placement;
  if (const auto whole = reference_grid(native->header, stored.grid)) {
    common.grid = *whole;
    placement = placement_of(stored.grid, *whole);
    warn_of_reference(common, stored, placement);
  }
  common.blank = stands_for_nothing(native->store, stored.grid);
  check_memory(source.path(), static_cast<double>(stored.grid.voxels() + common.grid.voxels()), options);
  const std::vector<Segment> segments = parse_segments(native->header, axes.layers, source.path());
  for (const Segment& segment : segments)
    common.segments.push_back(
        {segment.name, segment.id, segment.colour, segment.layer, static_cast<std::int64_t>(segment.label)});
  std::vector<Header> headers;
  for (const Segment& segment : segments) {
    Header header = common;
    header.name = segment.name;
    header.native = std::make_shared<SegmentNative>(SegmentNative{native, segment, stored, placement});
    headers.push_back(std::move(header));
    common.warnings.clear();  // what is true of the file is said once
  }
  return headers;
}

Checked seg_nrrd_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const SegmentNative& native = segments_of(header);
  check_unchanged(*native.file);
  check_memory(header.path, static_cast<double>(native.stored.grid.voxels() + header.grid.voxels()), options);
  if (options.labels != nullptr) return read_layer(native, header, options);
  Checked checked = read_placed(native, header, options, sink);
  if (options.label || options.threshold)
    checked.warnings.push_back(
        {sentence(named(header), "segments have their own label values; {} is not used",
                  Sentence::setting(options.label ? "label" : "threshold")),
         WarningKind::setting});
  return checked;
}

MapFile seg_nrrd_read_map(const Header& header, const ReadOptions& options) {
  MapFile map{std::vector<float>(static_cast<std::size_t>(header.grid.voxels())), {}};
  const MaskSink sink = [&](std::int64_t first, Mask part) {
    std::copy(part.begin(), part.end(), map.levels.begin() + first);
  };
  const ReadOptions plain{.threshold = {}, .label = {}, .max_memory = options.max_memory};
  map.warnings = seg_nrrd_read_mask(header, plain, sink).warnings;
  return map;
}

}  // namespace crema::files
