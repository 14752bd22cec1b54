// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "files/io/source.h"

struct tiff;

namespace crema::files {

/// What libtiff said while it worked; it prints nothing itself.
struct TiffWords {
  std::string error;          ///< the first one
  std::string warning;        ///< the first one
  std::string guess;          ///< the first warning that sizes were made up
  std::string orientation;    ///< an error, but only about the tag of that name
  std::exception_ptr thrown;  ///< by the disk, carried past libtiff
};

struct TiffClose {
  void operator()(tiff* handle) const;
};

/// A TIFF file open in libtiff, with the state its callbacks need.
struct OpenTiff {
  std::unique_ptr<TiffWords> words = std::make_unique<TiffWords>();
  std::shared_ptr<void> state;                ///< where the callbacks read or write; outlives the handle
  std::unique_ptr<tiff, TiffClose> handle{};  ///< declared last: closed first
};

/// Opens for reading, at no directory yet; `most` is the most libtiff may allocate at once, in bytes.
/// Throws InputError when it is no TIFF file.
OpenTiff open_tiff(const Source& source, std::int64_t most);

/// Opens for writing into memory; the bytes are complete when the handle has been reset.
OpenTiff open_tiff(std::vector<std::uint8_t>& out, const char* mode);

/// Throws what was thrown in a callback, and bad_alloc when libtiff found no memory.
void throw_others(const TiffWords& words);

/// Throws the same, or InputError with libtiff's own words.
[[noreturn]] void refuse_tiff(const TiffWords& words, const std::filesystem::path& path);

}  // namespace crema::files
