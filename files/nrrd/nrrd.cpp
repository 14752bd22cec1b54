// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/nrrd.h"

#include <algorithm>

#include "files/io/detached.h"
#include "files/io/sentence.h"
#include "files/nrrd/segments.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// Where the first byte behind so many lines stands.
std::int64_t behind_lines(const Source& data, std::int64_t offset, std::int64_t count) {
  std::vector<std::uint8_t> piece(64 * 1024);
  while (count > 0) {
    const std::size_t got = data.read(offset, piece);
    if (got == 0) refuse(data.path(), "ends before the {} lines to be skipped", count);
    const auto end = piece.begin() + static_cast<std::ptrdiff_t>(got);
    auto at = piece.begin();
    for (; count > 0 && at != end; --count) {
      at = std::find(at, end, std::uint8_t{'\n'});
      if (at == end) break;
      ++at;
    }
    offset += at - piece.begin();
  }
  return offset;
}

void place_voxels(VoxelStore& store, const NrrdHeader& header, const Source& data) {
  const std::int64_t start = header.data_file ? 0 : static_cast<std::int64_t>(header.raw.size());
  store.section = {start, -1, header.packing};
  if (header.byte_skip < 0) {
    const auto bytes = static_cast<double>(store.values) * static_cast<double>(bytes_of(store.type.number));
    if (bytes > static_cast<double>(data.size() - start)) return check_store(store, data);
    store.section.offset = data.size() - static_cast<std::int64_t>(bytes);
    return;
  }
  store.section.offset = behind_lines(data, start, header.line_skip);
  store.skip = header.byte_skip;
}

Header header_of(const NrrdNative& native, const NrrdGeometry& geometry) {
  Header header;
  header.path = native.header_path;
  header.format = Format::nrrd;
  header.grid = geometry.grid;
  header.positioned = geometry.positioned;
  header.measured = geometry.measured;
  header.consensus = find_entry(native.header.pairs, kNrrdMarkKey) == kConsensusMark;
  header.type = type_text(native.store);
  header.warnings = native.header.warnings;
  header.warnings.insert(header.warnings.end(), geometry.warnings.begin(), geometry.warnings.end());
  return header;
}

Header plain_header(const Source& source, NrrdHeader parsed, const ReadOptions& options) {
  const NrrdAxes axes = nrrd_axes(parsed, Layers::refused, source.path());
  const auto native = std::make_shared<NrrdNative>(open_nrrd(source, std::move(parsed)));
  check_memory(source.path(), static_cast<double>(native->store.values), options);
  Header header = header_of(*native, nrrd_geometry(native->header, axes, source.path()));
  header.native = native;
  return header;
}

const NrrdNative& native_of(const Header& header) {
  return *static_cast<const NrrdNative*>(header.native.get());
}

}  // namespace

bool nrrd_recognises(const Start& start) { return looks_like_nrrd(start.bytes); }

bool nrrd_claims(const fs::path& path) { return ends_with(path, ".nrrd") || ends_with(path, ".nhdr"); }

NrrdNative open_nrrd(const Source& source, NrrdHeader header) {
  NrrdNative native;
  native.header_path = source.path();
  native.store.path = header.data_file ? detached_file(source.path(), *header.data_file) : source.path();
  native.store.type = header.type;
  native.store.writing = header.writing;
  native.store.values = checked_product(header.sizes, source.path());
  const Source data(native.store.path);
  place_voxels(native.store, header, data);
  check_store(native.store, data);
  native.header = std::move(header);
  return native;
}

void check_unchanged(const NrrdNative& native) {
  const Source source(native.header_path);
  if (start_text(source, native.header.raw.size()) != native.header.raw)
    refuse(native.header_path, "changed while it was being read; try again");
}

std::vector<Header> nrrd_read_headers(const Source& source, const ReadOptions& options) {
  if (looks_gzipped(source.start(2)))
    refuse(source.path(), "is an NRRD file inside a gzip file; unpack it first");
  NrrdHeader parsed = parse_nrrd(source);
  if (has_segments(parsed)) return segment_headers(source, std::move(parsed), options);
  return {plain_header(source, std::move(parsed), options)};
}

Header nrrd_read_header(const Source& source, const ReadOptions& options) {
  std::vector<Header> headers = nrrd_read_headers(source, options);
  if (headers.size() == 1) return std::move(headers.front());
  std::string names;
  for (const Header& header : headers) names += (names.empty() ? "" : ", ") + printable(header.name);
  refuse(source.path(), "holds {} segments ({}), but one mask is needed here; save that segment separately",
         headers.size(), names);
}

Checked nrrd_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const NrrdNative& native = native_of(header);
  check_unchanged(native);
  check_memory(header.path, static_cast<double>(native.store.values), options);
  const Source data(native.store.path);
  return read_whole(native.store, data, MaskBuilder(taken_type(native.store), options, sink), header);
}

MapFile nrrd_read_map(const Header& header, const ReadOptions& options) {
  const NrrdNative& native = native_of(header);
  check_unchanged(native);
  check_memory(header.path, static_cast<double>(native.store.values) * sizeof(float), options);
  const Source data(native.store.path);
  return read_whole(native.store, data, MapBuilder(taken_type(native.store), native.store.values, options),
                    header);
}

std::vector<fs::path> nrrd_sources(const fs::path& path) { return header_and_data(path, parse_nrrd); }

}  // namespace crema::files
