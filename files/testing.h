// SPDX-License-Identifier: Apache-2.0
// Builders for tests: files made byte by byte, so that every field can be wrong.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "crema/base/error.h"
#include "crema/base/sentence.h"
#include "crema/base/warning.h"
#include "files/files.h"
#include "files/io/gzip/gzip.h"
#include "files/nifti/field.h"

namespace crema::files::testing {

using Bytes = std::vector<std::uint8_t>;

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline const WriteOptions kForce{.overwrite = true};

inline ReadOptions threshold(double value) { return {.threshold = value, .label = {}, .max_memory = 0}; }

/// A folder of its own, gone with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "crema-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file here and returns its path.
  std::filesystem::path put(const std::string& name, const Bytes& bytes) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw std::runtime_error("cannot write " + name);
    return path_ / name;
  }
  std::filesystem::path put(const std::string& name, const std::string& text) const {
    return put(name, Bytes(text.begin(), text.end()));
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// While it lives, root may do no more than others: the process is nobody's, to whom the folder then belongs.
class AsNobody {
 public:
  explicit AsNobody(const Folder& folder) {
    if (::geteuid() != 0) return;
    constexpr uid_t kNobody = 65534;
    bool given = ::chown((folder / "").c_str(), kNobody, kNobody) == 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / ""))
      given = ::chown(entry.path().c_str(), kNobody, kNobody) == 0 && given;
    was_root_ = given && ::setresuid(kNobody, kNobody, 0) == 0;
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() {
    if (was_root_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }

 private:
  bool was_root_ = false;
};

inline Bytes slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline Bytes cut(Bytes bytes, std::size_t size) {
  bytes.resize(size);
  return bytes;
}

inline Bytes zipped(const Bytes& bytes) {
  const Piece piece(bytes);
  return gzip({&piece, 1});
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline bool has(const char* text, const std::string& part) { return has(std::string(text), part); }
inline bool has(const Sentence& sentence, const std::string& part) { return has(sentence.text(), part); }

inline bool has(const Warning& warning, const std::string& part) { return has(warning.text(), part); }
inline bool any_has(const Warnings& warnings, const std::string& part) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const Warning& reported) { return has(reported.text(), part); });
}

/// A NIfTI file being made; fields are set in its byte order and layout.
struct Nifti {
  int version = 1;
  bool big_endian = false;
  Bytes header;
  Bytes voxels;

  [[nodiscard]] const NiftiLayout& at() const { return nifti_layout(version); }

  Nifti& set(const NiftiField& field, double value, std::size_t index = 0) {
    put_real(header, field, index, value);
    return flip(field, index);
  }
  Nifti& set_integer(const NiftiField& field, std::int64_t value, std::size_t index = 0) {
    put_integer(header, field, index, value);
    return flip(field, index);
  }
  Nifti& flip(const NiftiField& field, std::size_t index) {
    const auto first = header.begin() + static_cast<std::ptrdiff_t>(field.offset + index * field.width);
    if (big_endian) std::reverse(first, first + static_cast<std::ptrdiff_t>(field.width));
    return *this;
  }
  Nifti& srow(const std::array<double, 12>& rows, int code = 1) {
    for (std::size_t i = 0; i < 12; ++i) set(at().srow, rows[i], i);
    return set_integer(at().sform_code, code);
  }
  Nifti& type(int code, int bits) { return set_integer(at().datatype, code).set_integer(at().bitpix, bits); }
  Nifti& magic(const std::string& text) {
    std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at().magic.offset));
    return *this;
  }
  /// Values in this file's byte order.
  template <class T>
  Nifti& values(const std::vector<double>& list) {
    voxels.clear();
    for (const double value : list) {
      auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(static_cast<T>(value));
      if (big_endian) std::reverse(bytes.begin(), bytes.end());
      voxels.insert(voxels.end(), bytes.begin(), bytes.end());
    }
    return *this;
  }
  [[nodiscard]] Bytes bytes() const { return joined({header, voxels}); }
};

/// A sound uint8 file of 4×3×2 voxels at a plain sform, with a mask of two voxels.
inline Nifti sound_nifti(int version = 1, bool big_endian = false) {
  Nifti file{version, big_endian, Bytes(nifti_layout(version).size + 4), {}};
  const NiftiLayout& at = file.at();
  file.set_integer({0, 4, 1, false}, static_cast<std::int64_t>(at.size));
  file.set_integer(at.dim, 3);
  for (std::size_t i = 1; i < 8; ++i) file.set_integer(at.dim, i < 4 ? std::array{4, 3, 2}[i - 1] : 1, i);
  for (std::size_t i = 0; i < 8; ++i) file.set(at.pixdim, 1, i);
  file.type(2, 8).set(at.vox_offset, static_cast<double>(file.header.size()));
  file.set_integer(at.units, 2).srow({1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7});
  file.magic(version == 2 ? std::string("n+2\0\r\n\032\n", 8) : "n+1");
  file.voxels = Bytes(24);
  file.voxels[5] = file.voxels[23] = 1;
  return file;
}

/// The mask of sound_nifti().
inline Bytes sound_mask() { return sound_nifti().voxels; }

/// What reading a file ends with: the refusal, or "" when it was read.
inline std::string refusal(const std::filesystem::path& path, const ReadOptions& options = {}) {
  try {
    read_mask(read_header(path, options), options);
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), printable(path.stem().stem()))) << error.what();
    return error.what();
  }
  return "";
}

/// Warnings of header and mask together; the file must be accepted.
inline Warnings warnings_of(const std::filesystem::path& path, const ReadOptions& options = {}) {
  const Header header = read_header(path, options);
  Warnings warnings = header.warnings;
  const MaskFile mask = read_mask(header, options);
  warnings.insert(warnings.end(), mask.warnings.begin(), mask.warnings.end());
  return warnings;
}

inline Bytes voxels_of(const std::filesystem::path& path, const ReadOptions& options = {}) {
  return read_mask(read_header(path, options), options).voxels;
}

}  // namespace crema::files::testing
