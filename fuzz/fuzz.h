// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: a place for files, a way to spend bytes, and what every reader promises.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include <unistd.h>

#include "crema/base/error.h"
#include "files/files.h"

/// The entry point of libFuzzer; fuzz/replay.cpp calls it too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

namespace fs = std::filesystem;
using Bytes = std::span<const std::uint8_t>;

/// Ends the program with a sentence: the target found something.
[[noreturn]] inline void finding(const std::string& what) {
  std::fprintf(stderr, "FINDING: %s\n", what.c_str());
  std::abort();
}

inline void promise(bool kept, const std::string& what) {
  if (!kept) finding(what);
}

/// A folder of this process, gone at its end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("crema-fuzz-" + std::to_string(::getpid()))) {
    fs::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] fs::path put(const std::string& name, Bytes bytes) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline const Folder& folder() {
  static const Folder one;
  return one;
}

/// Bytes one after the other; zeros when they are spent.
class Purse {
 public:
  explicit Purse(Bytes bytes) : bytes_(bytes) {}
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  /// A number in [low, high].
  int roll(int low, int high) { return low + byte() % (high - low + 1); }
  bool flip() { return (byte() & 1) != 0; }

 private:
  Bytes bytes_;
};

inline bool fit_for_a_terminal(const std::string& text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20; }) &&
         text.find('\x7f') == std::string::npos;
}

/// What readers may allocate here; scripts/fuzz sets the limit of the process above it.
inline constexpr std::int64_t kMemory = std::int64_t{32} << 20;

inline void check_sentence(const std::string& text) {
  promise(fit_for_a_terminal(text), "a sentence with control characters: " + text);
  promise(text.find(folder().path().string()) != std::string::npos, "a sentence that names no file: " + text);
}

inline void check_header(const crema::files::Header& header) {
  const crema::Grid& grid = header.grid;
  for (const std::int32_t size : grid.size) promise(size > 0, "a size that is not positive");
  for (const double spacing : grid.spacing)
    promise(std::isfinite(spacing) && spacing > 0, "a spacing that is not positive");
  for (const double x : grid.origin) promise(std::isfinite(x), "an origin that is not finite");
  for (const double x : grid.direction) promise(std::isfinite(x), "a direction that is not finite");
  for (const crema::Warning& warning : header.warnings) check_sentence(warning.text());
}

/// Calls f; errors that are foreseen are fine as long as they are sentences.
template <class F>
void expecting_errors(F&& f) {
  try {
    f();
  } catch (const crema::InputError& e) {
    check_sentence(e.what());
  } catch (const crema::ResourceError& e) {
    check_sentence(e.what());
  }
}

inline void check_mask(const crema::files::Header& header, const crema::files::ReadOptions& options) {
  const crema::files::MaskFile file = crema::files::read_mask(header, options);
  const auto voxels = static_cast<std::size_t>(header.grid.voxels());
  promise(file.voxels.size() == voxels || header.blank, "a mask of another size than its grid");
  promise(std::all_of(file.voxels.begin(), file.voxels.end(), [](auto v) { return v <= 1; }),
          "a mask that is not 0 and 1");
  for (const crema::Warning& warning : file.warnings) check_sentence(warning.text());
}

inline void check_map(const crema::files::Header& header, const crema::files::ReadOptions& options) {
  const crema::files::MapFile file = crema::files::read_map(header, options);
  promise(std::all_of(file.levels.begin(), file.levels.end(), [](float v) { return v >= 0 && v <= 1; }),
          "a map with levels outside [0,1]");
}

/// Reads a file in every way there is.
inline void read_everything(const fs::path& path) {
  const crema::files::ReadOptions plain{.max_memory = kMemory};
  expecting_errors([&] {
    for (const crema::files::Header& header : crema::files::read_headers(path, plain)) {
      check_header(header);
      expecting_errors([&] { check_mask(header, plain); });
      expecting_errors([&] { check_mask(header, {.threshold = 0.5, .max_memory = kMemory}); });
      expecting_errors([&] { check_mask(header, {.label = 1, .max_memory = kMemory}); });
      expecting_errors([&] { check_map(header, plain); });
    }
  });
}

}  // namespace fuzz
