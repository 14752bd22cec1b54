// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/nifti.h"

#include <algorithm>

#include "files/io/sentence.h"
#include "files/io/stream.h"
#include "files/io/system/held.h"
#include "files/nifti/geometry.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// Header extensions are far smaller; more would only make a damaged file slow to refuse.
constexpr std::int64_t kMaxOffset = std::int64_t{1} << 28;

std::vector<std::uint8_t> read_start(Stream& stream, std::size_t count) {
  std::vector<std::uint8_t> start(count);
  start.resize(stream.read(start));
  return start;
}

/// The other half of a pair: hdr for img and the other way round, in the same case, compressed or not.
std::optional<fs::path> other_half(const fs::path& path, std::string_view from, std::string_view to) {
  const bool zipped = ends_with(path, ".gz");
  const fs::path plain = zipped ? fs::path(path).replace_extension() : path;
  if (!ends_with(plain, from)) return {};
  std::string ending(to);
  if (plain.extension().string()[1] < 'a') {
    for (char& c : ending) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  const fs::path half = fs::path(plain).replace_extension(ending);
  const fs::path half_zipped = half.string() + ".gz";
  const fs::path& usual = zipped ? half_zipped : half;
  const fs::path& rare = zipped ? half : half_zipped;
  return !is_there(usual) && is_there(rare) ? rare : usual;
}

fs::path find_data(const NiftiHeader& header, const fs::path& path) {
  if (!header.pair) return path;
  const auto data = other_half(path, ".hdr", ".img");
  if (!data)
    refuse(path, "is the header of a .hdr/.img pair (magic ni{}), but is not named .hdr", header.version);
  if (!is_there(*data))
    refuse(path, "its voxels should be in {}, which is missing; copy it here too", printable(*data));
  return *data;
}

/// The file that holds the voxels, and where in it they lie.
VoxelStore open_store(const NiftiHeader& header, const Source& data) {
  VoxelStore store;
  store.path = data.path();
  store.section.packing = looks_gzipped(data.start(2)) ? Packing::gzip : Packing::none;
  store.skip = header.data_offset;
  store.type = header.type;
  store.values = header.data_bytes / static_cast<std::int64_t>(bytes_of(header.type.number));
  check_store(store, data);
  if (store.skip > kMaxOffset) {
    refuse(data.path(),
           "states that voxels start at byte {} (vox_offset); it is damaged: copy or save it again",
           header.data_offset);
  }
  return store;
}

void note_name(const fs::path& path, bool compressed, Warnings& warnings) {
  const bool named = ends_with(path, ".gz");
  if (compressed && !named) {
    warnings.push_back({sentence(path, "is gzip although its name does not end in .gz"), WarningKind::file});
  } else if (!compressed && named) {
    warnings.push_back({sentence(path, "is not gzip although its name ends in .gz"), WarningKind::file});
  }
}

/// The voxels, when the header is still what it was and there is memory for `each` bytes of a voxel.
const VoxelStore& reopen(const Header& header, std::size_t each, const ReadOptions& options) {
  const auto& native = *static_cast<const NiftiNative*>(header.native.get());
  const Source source(native.header_path);
  Stream stream(source);
  if (read_start(stream, native.header.raw.size()) != native.header.raw)
    refuse(native.header_path, "changed while it was being read; try again");
  const std::int64_t values = native.store.values / native.header.channels;
  check_memory(native.store.path, static_cast<double>(values) * static_cast<double>(each), options);
  return native.store;
}

}  // namespace

bool nifti_recognises(const Start& start) { return looks_like_nifti(start.bytes); }

bool nifti_claims(const fs::path& path) {
  return ends_with(path, ".nii") || ends_with(path, ".nii.gz") || ends_with(path, ".hdr") ||
         ends_with(path, ".hdr.gz");
}

fs::path nifti_header_path(const fs::path& path) {
  const auto header = other_half(path, ".img", ".hdr");
  if (!header || !is_there(path)) return path;
  if (!is_there(*header))
    refuse(path, "its header should be in {}, which is missing; copy it here too", printable(*header));
  return *header;
}

/// Whether its description is the mark alone.
bool is_marked(const NiftiHeader& header) {
  const NiftiField& field = nifti_layout(header.version).descrip;
  const std::string_view text(reinterpret_cast<const char*>(header.raw.data()) + field.offset, field.count);
  return text.substr(0, text.find('\0')) == kConsensusMark;
}

Header nifti_read_header(const Source& source, const ReadOptions& options) {
  Stream stream(source);
  auto native = std::make_shared<NiftiNative>();
  native->header = parse_nifti(read_start(stream, kNiftiLargestHeader), source.path(), options);
  native->header_path = source.path();
  const fs::path data_path = find_data(native->header, source.path());
  const NiftiGeometry geometry = nifti_geometry(native->header, source.path());
  Header header;
  header.path = source.path();
  header.format = Format::nifti;
  header.grid = geometry.grid;
  header.channels = native->header.channels;
  header.positioned = geometry.positioned;
  header.measured = geometry.measured;
  header.consensus = is_marked(native->header);
  note_name(source.path(), stream.compressed(), header.warnings);
  append(header.warnings, native->header.warnings);
  append(header.warnings, geometry.warnings);
  native->store = open_store(native->header, Source(data_path));
  header.type = type_text(native->store);
  if (native->header.pair)
    note_name(data_path, native->store.section.packing == Packing::gzip, header.warnings);
  const auto values = native->store.values / header.channels;  // of a channel, which is read alone
  check_memory(source.path(), static_cast<double>(values), options);
  header.native = std::move(native);
  return header;
}

Checked nifti_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const VoxelStore& store = reopen(header, sizeof(std::uint8_t), options);
  return read_whole(store, Source(store.path), MaskBuilder(store.type, options, sink), header);
}

MapFile nifti_read_map(const Header& header, const ReadOptions& options) {
  const VoxelStore& store = reopen(header, sizeof(float), options);
  return read_whole(store, Source(store.path), MapBuilder(store.type, store.values, options), header);
}

}  // namespace crema::files
