// SPDX-License-Identifier: Apache-2.0
#include "files/meta/meta.h"

#include "files/io/detached.h"
#include "files/io/sentence.h"
#include "files/meta/geometry.h"
#include "files/nrrd/header.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// Where compressed voxels end, held against what the header says of it.
void check_packed(const MetaHeader& header, const VoxelStore& store, const Source& data) {
  const std::int64_t there = data.size() - store.section.offset;
  if (header.packed_bytes && *header.packed_bytes != there)
    refuse(data.path(),
           "is cut short or damaged: its header declares {} bytes of compressed data "
           "(CompressedDataSize), but it has {}; copy or save it again",
           *header.packed_bytes, there);
}

void place_voxels(VoxelStore& store, const MetaHeader& header, const Source& data) {
  const std::int64_t start = header.data_file ? 0 : static_cast<std::int64_t>(header.raw.size());
  store.section = {start, -1, header.packing};
  if (header.header_size < 0) {
    const auto bytes = static_cast<double>(store.values) * static_cast<double>(bytes_of(store.type.number));
    if (bytes > static_cast<double>(data.size() - start)) return check_store(store, data);
    store.section.offset = data.size() - static_cast<std::int64_t>(bytes);
  } else if (header.header_size > 0) {
    if (header.header_size < start)
      refuse(data.path(),
             "states HeaderSize = {}, but its header has {} bytes; it is damaged: copy or save it again",
             header.header_size, start);
    store.section.offset = header.header_size;
  }
  if (header.packing == Packing::zlib) check_packed(header, store, data);
}

MetaNative open_meta(const Source& source) {
  MetaNative native;
  native.header = parse_meta(source);
  native.header_path = source.path();
  const MetaHeader& header = native.header;
  native.store.path = header.data_file ? detached_file(source.path(), *header.data_file) : source.path();
  native.store.type = header.type;
  native.store.writing = header.writing;
  native.store.values = checked_product(header.sizes, source.path());
  const Source data(native.store.path);
  place_voxels(native.store, header, data);
  check_store(native.store, data);
  return native;
}

const MetaNative& reopen(const Header& header, double bytes_each, const ReadOptions& options) {
  const auto& native = *static_cast<const MetaNative*>(header.native.get());
  const Source source(native.header_path);
  if (start_text(source, native.header.raw.size()) != native.header.raw)
    refuse(native.header_path, "changed while it was being read; try again");
  check_memory(header.path, static_cast<double>(native.store.values) * bytes_each, options);
  return native;
}

}  // namespace

bool meta_recognises(const Start& start) { return looks_like_meta(start.bytes); }

bool meta_claims(const fs::path& path) { return ends_with(path, ".mha") || ends_with(path, ".mhd"); }

Header meta_read_header(const Source& source, const ReadOptions& options) {
  if (looks_gzipped(source.start(2)))
    refuse(source.path(), "is a MetaImage inside a gzip file; unpack it first");
  auto native = std::make_shared<MetaNative>(open_meta(source));
  check_memory(source.path(), static_cast<double>(native->store.values), options);
  const MetaGeometry geometry = meta_geometry(native->header, source.path());
  Header header;
  header.path = source.path();
  header.format = Format::meta;
  header.grid = geometry.grid;
  header.positioned = geometry.positioned;
  header.measured = geometry.measured;
  header.consensus = native->header.entry("Comment") == kConsensusMark;
  header.type = type_text(native->store);
  header.warnings = native->header.warnings;
  header.warnings.insert(header.warnings.end(), geometry.warnings.begin(), geometry.warnings.end());
  header.native = std::move(native);
  return header;
}

Checked meta_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const VoxelStore& store = reopen(header, sizeof(std::uint8_t), options).store;
  const Source data(store.path);
  return read_whole(store, data, MaskBuilder(taken_type(store), options, sink), header);
}

MapFile meta_read_map(const Header& header, const ReadOptions& options) {
  const VoxelStore& store = reopen(header, sizeof(float), options).store;
  const Source data(store.path);
  return read_whole(store, data, MapBuilder(taken_type(store), store.values, options), header);
}

std::vector<fs::path> meta_sources(const fs::path& path) { return header_and_data(path, parse_meta); }

}  // namespace crema::files
