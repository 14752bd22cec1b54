// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "crema/base/warning.h"
#include "files/io/gzip/gzip.h"
#include "files/values/map.h"
#include "files/values/values.h"

namespace crema::files {

enum class Writing : std::uint8_t { binary, text };

/// Where the voxels of an image lie, and how they are stored.
struct VoxelStore {
  std::filesystem::path path;  ///< the file they lie in
  Section section;
  Writing writing = Writing::binary;
  std::int64_t skip = 0;  ///< bytes to pass over once unpacked
  ValueType type;
  std::int64_t values = 0;
  std::int64_t group = 1;  ///< values that are handed over together, such as the layers of a voxel
};

/// Refuses, before anything is allocated, when the file cannot hold what its header declares.
void check_store(const VoxelStore& store, const Source& data);

/// The type of the values as they are handed over: where they are written as text, 64-bit floats, but for
/// whole numbers of 64 bits, which stay what they are.
ValueType taken_type(const VoxelStore& store);

using Take = std::function<void(std::span<const std::uint8_t>)>;

/// Hands all values over piece by piece, whole groups at a time. Refuses a file that holds fewer or more.
/// Returns warnings.
Warnings read_store(const VoxelStore& store, const Source& data, const Take& take);

/// All of it into what `builder` makes.
template <class Builder>
auto read_whole(const VoxelStore& store, const Source& data, Builder builder, const Header& header) {
  auto warnings = read_store(store, data, [&](auto stored) { builder.take(stored); });
  auto file = std::move(builder).finish(header.path, header.grid);
  file.warnings.insert(file.warnings.begin(), warnings.begin(), warnings.end());
  return file;
}

/// "uint8", "float32 big-endian", "int16 as text".
std::string type_text(const VoxelStore& store);

/// The voxels as they lie in memory.
std::span<const std::uint8_t> bytes_of(const Image& image);

/// The same, to be packed.
Piece piece_of(const Image& image);

}  // namespace crema::files
