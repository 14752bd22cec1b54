// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/header.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "files/io/sentence.h"
#include "files/nifti/field.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;
using Path = std::filesystem::path;

constexpr NiftiField kSize{0, 4, 1, false};

struct Datatype {
  int code;
  std::string_view name;
  int bits;
  bool readable;
  Number number;
};

constexpr std::array kDatatypes{
    Datatype{1, "1-bit binary", 1, false, {}},          Datatype{2, "uint8", 8, true, Number::uint8},
    Datatype{4, "int16", 16, true, Number::int16},      Datatype{8, "int32", 32, true, Number::int32},
    Datatype{16, "float32", 32, true, Number::float32}, Datatype{32, "complex64", 64, false, {}},
    Datatype{64, "float64", 64, true, Number::float64}, Datatype{128, "RGB colour", 24, false, {}},
    Datatype{256, "int8", 8, true, Number::int8},       Datatype{512, "uint16", 16, true, Number::uint16},
    Datatype{768, "uint32", 32, true, Number::uint32},  Datatype{1024, "int64", 64, true, Number::int64},
    Datatype{1280, "uint64", 64, true, Number::uint64}, Datatype{1536, "float128", 128, false, {}},
    Datatype{1792, "complex128", 128, false, {}},       Datatype{2048, "complex256", 256, false, {}},
    Datatype{2304, "RGBA colour", 32, false, {}},
};

/// A header being read: its bytes, and how to read them.
struct Reading {
  std::span<const std::uint8_t> raw;
  const NiftiLayout& layout;
  bool big_endian;
  const Path& path;

  [[nodiscard]] std::int64_t integer(const NiftiField& field, std::size_t i = 0) const {
    return integer_at(raw, field, i, big_endian);
  }
  [[nodiscard]] double real(const NiftiField& field, std::size_t i = 0) const {
    return real_at(raw, field, i, big_endian);
  }
};

std::string_view text_at(std::span<const std::uint8_t> raw, std::size_t offset, std::size_t size) {
  if (raw.size() < offset + size) return {};
  return {reinterpret_cast<const char*>(raw.data()) + offset, size};
}

/// Magic 'n+' keeps the voxels in the same file, 'ni' in a pair.
bool is_magic(std::string_view magic, std::string_view ending) {
  return magic.size() == ending.size() + 2 && magic[0] == 'n' && (magic[1] == '+' || magic[1] == 'i') &&
         magic.substr(2) == ending;
}

bool magic_one(std::span<const std::uint8_t> raw) { return is_magic(text_at(raw, 344, 4), "1\0"sv); }
bool magic_two(std::span<const std::uint8_t> raw) { return is_magic(text_at(raw, 4, 8), "2\0\r\n\032\n"sv); }

std::int64_t declared_size(std::span<const std::uint8_t> raw, bool big_endian) {
  return raw.size() < 4 ? 0 : integer_at(raw, kSize, 0, big_endian);
}

bool has_size(std::span<const std::uint8_t> raw, std::int64_t size) {
  return declared_size(raw, false) == size || declared_size(raw, true) == size;
}

[[noreturn]] void refuse_magic(std::span<const std::uint8_t> raw, const Path& path, std::size_t at) {
  const std::string_view magic = text_at(raw, at, 4);
  const bool blank = std::all_of(magic.begin(), magic.end(), [](char c) { return c == 0; });
  if (at == 344 && blank) {
    refuse(path, "is an Analyze 7.5 image, which does not state which side is left; convert it to NIfTI");
  }
  refuse(path,
         "has the magic '{}', not n+1, ni1, n+2 or ni2; it is damaged or in another format: copy it again or "
         "convert it",
         printable(std::string(magic)));
}

/// Which layout the bytes are in; refuses when size and magic do not both say so.
const NiftiLayout& find_layout(std::span<const std::uint8_t> raw, const Path& path) {
  if (raw.empty()) refuse(path, "is empty once unpacked (0 bytes); copy or download it again");
  const int version = has_size(raw, 540) || magic_two(raw) ? 2 : 1;
  const NiftiLayout& layout = nifti_layout(version);
  if (!has_size(raw, static_cast<std::int64_t>(layout.size))) {
    if (!magic_one(raw) && !magic_two(raw))
      refuse(path, "is not NIfTI: neither its first bytes nor its magic are; copy it again or convert it");
    refuse(path, "declares a header of {} bytes, but NIfTI-{} has {}; it is damaged: copy or save it again",
           declared_size(raw, false), version, layout.size);
  }
  if (raw.size() < layout.size) {
    refuse(path, "is cut short: {} of {} header bytes; copy or download it again", raw.size(), layout.size);
  }
  if (!(version == 2 ? magic_two(raw) : magic_one(raw))) refuse_magic(raw, path, layout.magic.offset);
  return layout;
}

/// Volumes may be the probabilities of classes.
std::string classes_advice(const ReadOptions& options) {
  return fmt::format(", or, if they are maps of classes, give {} and {}{}",
                     Sentence::setting("probabilities", "True"), Sentence::setting("labels", "all"),
                     options.threshold ? " in place of " + Sentence::setting("threshold") : "");
}

void read_sizes(const Reading& from, const ReadOptions& options, NiftiHeader& header) {
  const std::int64_t dimensions = from.integer(from.layout.dim);
  if (dimensions < 1 || dimensions > 7)
    refuse(from.path, "declares {} dimensions, but 1 to 7 are possible; it is damaged: copy or save it again",
           dimensions);
  header.dimensions = static_cast<int>(dimensions);
  for (std::size_t i = 1; i <= static_cast<std::size_t>(dimensions); ++i) {
    const std::int64_t size = from.integer(from.layout.dim, i);
    if (size < 1)
      refuse(from.path, "declares size {} along dimension {}; it is damaged: copy or save it again", size, i);
    if (size > std::numeric_limits<std::int32_t>::max()) {
      refuse(from.path,
             "declares size {} along dimension {}, which is too large; it is damaged: copy or save it again",
             size, i);
    }
    if (i > 3 && size > 1 && options.channels && header.channels == 1) {
      header.channels = static_cast<std::int32_t>(size);
    } else if (i > 3 && size > 1) {
      refuse(from.path,
             "has {} volumes (size {} along dimension {}), but a mask has one; split it and name one{}", size,
             size, i, options.takes_levels ? classes_advice(options) : "");
    }
    if (i <= 3) header.size[i - 1] = static_cast<std::int32_t>(size);
  }
}

void read_type(const Reading& from, NiftiHeader& header) {
  const std::int64_t code = from.integer(from.layout.datatype);
  const auto* const type =
      std::find_if(kDatatypes.begin(), kDatatypes.end(), [&](const Datatype& d) { return d.code == code; });
  if (type == kDatatypes.end())
    refuse(from.path, "has datatype {}, which NIfTI does not define; it is damaged: copy or save it again",
           code);
  if (!type->readable) {
    refuse(from.path, "holds {} values (datatype {}), not a mask; convert it to uint8", type->name, code);
  }
  const std::int64_t bits = from.integer(from.layout.bitpix);
  if (bits != type->bits) {
    refuse(from.path, "declares {} bits per voxel, but {} has {}; it is damaged: copy or save it again", bits,
           type->name, type->bits);
  }
  header.type.number = type->number;
  header.type.swapped = from.big_endian != (std::endian::native == std::endian::big);
}

void read_scaling(const Reading& from, NiftiHeader& header) {
  const double slope = from.real(from.layout.slope);
  const double intercept = from.real(from.layout.intercept);
  if (slope == 0 || !std::isfinite(slope)) return;
  header.type.slope = slope;
  if (std::isfinite(intercept)) {
    header.type.intercept = intercept;
  } else {
    header.warnings.push_back(
        {sentence(from.path, "scl_inter is {}; 0 is used", intercept), WarningKind::values});
  }
}

/// Offset and length of the voxels, of which the header alone decides.
void read_extent(const Reading& from, NiftiHeader& header) {
  const double offset = from.real(from.layout.vox_offset);
  const auto least = header.pair ? 0.0 : static_cast<double>(from.layout.size + 4);
  const bool unset = offset == 0 && !header.pair;
  const bool sound = offset >= least && offset == std::floor(offset) && offset < 9e15;
  if (!sound && !unset) {
    refuse(from.path,
           "states that voxels start at byte {} (vox_offset), but that must be a whole number from {}; it is "
           "damaged: copy or save it again",
           offset, least);
  }
  header.data_offset = static_cast<std::int64_t>(unset ? least : offset);
  if (unset)
    header.warnings.push_back(
        {sentence(from.path, "vox_offset is 0; voxels are read from byte {}", least), WarningKind::file});
  auto bytes = static_cast<std::int64_t>(bytes_of(header.type.number));
  for (const std::int64_t size : {header.size[0], header.size[1], header.size[2], header.channels}) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) {
      refuse(from.path,
             "declares {}×{}×{} voxels, more than any file can hold; it is damaged: copy or save it again",
             header.size[0], header.size[1], header.size[2]);
    }
  }
  header.data_bytes = bytes;
}

void read_geometry(const Reading& from, NiftiHeader& header) {
  const NiftiLayout& at = from.layout;
  header.units = static_cast<int>(from.integer(at.units)) & 7;
  header.qform_code = static_cast<int>(from.integer(at.qform_code));
  header.sform_code = static_cast<int>(from.integer(at.sform_code));
  for (std::size_t i = 0; i < header.pixdim.size(); ++i) header.pixdim[i] = from.real(at.pixdim, i);
  for (std::size_t i = 0; i < header.quatern.size(); ++i) header.quatern[i] = from.real(at.quatern, i);
  for (std::size_t i = 0; i < header.qoffset.size(); ++i) header.qoffset[i] = from.real(at.qoffset, i);
  for (std::size_t i = 0; i < header.srow.size(); ++i) header.srow[i] = from.real(at.srow, i);
}

}  // namespace

bool looks_like_nifti(std::span<const std::uint8_t> start) {
  return has_size(start, 348) || has_size(start, 540) || magic_one(start) || magic_two(start);
}

NiftiHeader parse_nifti(std::span<const std::uint8_t> start, const Path& path, const ReadOptions& options) {
  const NiftiLayout& layout = find_layout(start, path);
  NiftiHeader header;
  header.raw.assign(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(layout.size));
  header.version = layout.version;
  header.big_endian = declared_size(header.raw, false) != static_cast<std::int64_t>(layout.size);
  header.pair = header.raw[layout.magic.offset + 1] == 'i';
  const Reading from{header.raw, layout, header.big_endian, path};
  read_sizes(from, options, header);
  read_type(from, header);
  read_scaling(from, header);
  read_extent(from, header);
  read_geometry(from, header);
  return header;
}

}  // namespace crema::files
