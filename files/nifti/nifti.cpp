// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/nifti.h"

#include <algorithm>

#include "files/io/sentence.h"
#include "files/io/stream.h"
#include "files/nifti/geometry.h"
#include "files/values/map.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 256 * 1024;
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
  std::error_code ignored;
  return !fs::exists(usual, ignored) && fs::exists(rare, ignored) ? rare : usual;
}

fs::path find_data(const NiftiHeader& header, const fs::path& path) {
  if (!header.pair) return path;
  const auto data = other_half(path, ".hdr", ".img");
  if (!data)
    refuse(path, "is the header of a .hdr/.img pair (magic ni{}), but is not named .hdr", header.version);
  std::error_code ignored;
  if (!fs::exists(*data, ignored))
    refuse(path, "its voxels should lie in {}, which is missing; copy it here too", printable(*data));
  return *data;
}

void check_extent(const NiftiHeader& header, const Source& data, const Stream& stream) {
  const double declared = static_cast<double>(header.data_offset) + static_cast<double>(header.data_bytes);
  if (declared > stream.max_bytes()) {
    refuse(data.path(),
           "is cut short or damaged: its header declares {} of data, but its {}{} hold at most {}; "
           "copy or download it again",
           bytes_text(declared), bytes_text(static_cast<double>(data.size())),
           stream.compressed() ? " of gzip" : "", bytes_text(stream.max_bytes()));
  }
  if (header.data_offset > kMaxOffset) {
    refuse(data.path(),
           "says that voxels start at byte {} (vox_offset); it is damaged: copy or save it again",
           header.data_offset);
  }
}

/// `each` is what one voxel takes in memory, in bytes.
void check_memory_for(const Source& source, const NiftiHeader& header, std::size_t each,
                      const ReadOptions& options) {
  const double voxels =
      static_cast<double>(header.data_bytes) / static_cast<double>(bytes_of(header.type.number));
  check_memory(source.path(), voxels * static_cast<double>(each), options);
}

void note_name(const Source& source, const Stream& stream, Warnings& warnings) {
  const bool named = ends_with(source.path(), ".gz");
  if (stream.compressed() && !named) {
    warnings.push_back(sentence(source.path(), "is gzip although its name does not end in .gz"));
  } else if (!stream.compressed() && named) {
    warnings.push_back(sentence(source.path(), "is not gzip although its name ends in .gz"));
  }
}

std::string type_text(const NiftiHeader& header) {
  return std::string(name_of(header.type.number)) + (header.big_endian ? " big-endian" : "");
}

/// Hands the voxels over piece by piece.
template <class Builder>
void feed(Stream& stream, const fs::path& path, std::int64_t bytes, Builder& builder) {
  std::vector<std::uint8_t> piece(kPiece);
  for (std::int64_t left = bytes; left > 0;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(left, kPiece));
    if (stream.read(std::span(piece).first(wanted)) < wanted) {
      refuse(path,
             "is cut short: its header declares {} bytes of voxels, but it ends before; copy or download it "
             "again",
             bytes);
    }
    builder.take(std::span(piece).first(wanted));
    left -= static_cast<std::int64_t>(wanted);
  }
}

/// The stream of the voxels, placed at the first one; refuses when the header is no longer what it was.
Stream open_voxels(const NiftiNative& native, const Source& header_source, const Source& data_source) {
  Stream stream(header_source);
  if (read_start(stream, native.header.raw.size()) != native.header.raw) {
    refuse(native.header_path, "changed while it was being read; try again");
  }
  if (native.header.pair) {
    Stream data(data_source);
    check_extent(native.header, data_source, data);
    data.skip(native.header.data_offset);
    return data;
  }
  check_extent(native.header, header_source, stream);
  stream.skip(native.header.data_offset - static_cast<std::int64_t>(native.header.raw.size()));
  return stream;
}

/// Reads the voxels into what `make` gives, which is not made before there is memory for it.
template <class Make>
auto read_into(const Header& header, const ReadOptions& options, std::size_t each, Make make) {
  const auto& native = *static_cast<const NiftiNative*>(header.native.get());
  const Source header_source(native.header_path);
  const Source data_source(native.data_path);
  check_memory_for(data_source, native.header, each, options);
  Stream stream = open_voxels(native, header_source, data_source);
  auto builder = make();
  feed(stream, native.data_path, native.header.data_bytes, builder);
  auto warnings = stream.finish();
  auto file = std::move(builder).finish(header.path, header.grid);
  file.warnings.insert(file.warnings.begin(), warnings.begin(), warnings.end());
  return file;
}

}  // namespace

bool nifti_recognises(const Start& start) { return looks_like_nifti(start.bytes); }

bool nifti_claims(const fs::path& path) {
  return ends_with(path, ".nii") || ends_with(path, ".nii.gz") || ends_with(path, ".hdr") ||
         ends_with(path, ".hdr.gz");
}

fs::path nifti_header_path(const fs::path& path) {
  const auto header = other_half(path, ".img", ".hdr");
  std::error_code ignored;
  if (!header || !fs::exists(path, ignored)) return path;
  if (!fs::exists(*header, ignored))
    refuse(path, "its header should lie in {}, which is missing; copy it here too", printable(*header));
  return *header;
}

Header nifti_read_header(const Source& source, const ReadOptions& options) {
  Stream stream(source);
  auto native = std::make_shared<NiftiNative>();
  native->header = parse_nifti(read_start(stream, kNiftiLargestHeader), source.path());
  native->header_path = source.path();
  native->data_path = find_data(native->header, source.path());
  const NiftiGeometry geometry = nifti_geometry(native->header, source.path());
  Header header;
  header.path = source.path();
  header.format = Format::nifti;
  header.grid = geometry.grid;
  header.type = type_text(native->header);
  header.positioned = geometry.positioned;
  header.measured = geometry.measured;
  note_name(source, stream, header.warnings);
  header.warnings.insert(header.warnings.end(), native->header.warnings.begin(),
                         native->header.warnings.end());
  header.warnings.insert(header.warnings.end(), geometry.warnings.begin(), geometry.warnings.end());
  if (native->header.pair) {
    const Source data(native->data_path);
    const Stream voxels(data);
    note_name(data, voxels, header.warnings);
    check_extent(native->header, data, voxels);
  } else {
    check_extent(native->header, source, stream);
  }
  check_memory_for(source, native->header, sizeof(std::uint8_t), options);
  header.native = std::move(native);
  return header;
}

Judged nifti_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const auto& type = static_cast<const NiftiNative*>(header.native.get())->header.type;
  return read_into(header, options, sizeof(std::uint8_t), [&] { return MaskBuilder(type, options, sink); });
}

MapFile nifti_read_map(const Header& header, const ReadOptions& options) {
  const auto& type = static_cast<const NiftiNative*>(header.native.get())->header.type;
  return read_into(header, options, sizeof(float), [&] { return MapBuilder(type, header.grid.voxels()); });
}

}  // namespace crema::files
