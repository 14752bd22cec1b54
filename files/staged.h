// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "files/files.h"

namespace crema::files {

/// Files that belong together, written into a folder where nobody looks and then given their names in the
/// order in which they were put. Only the last one is flushed to the disk: it is the one that says that the
/// others are there, and with which checksums, so that a reader can check whether they survived a
/// power cut. What stands under a name is replaced. What a killed process leaves lies in the one folder.
class StagedSet {
 public:
  /// What was put, for the file that lists it.
  struct Fact {
    std::filesystem::path path;
    std::int64_t bytes = 0;
    std::string sha256;
  };

  /// `folder` is on the same disk as what is to be written, belongs to this set alone and is made and removed
  /// here.
  explicit StagedSet(std::filesystem::path folder);
  ~StagedSet();
  StagedSet(const StagedSet&) = delete;
  StagedSet& operator=(const StagedSet&) = delete;

  /// Format by the ending of the name; returns warnings of what the format cannot hold.
  Warnings put_image(const std::filesystem::path& path, const Image& image, const Header& reference);
  void put_text(const std::filesystem::path& path, std::string_view text);
  /// A file that grows: its number, for append().
  std::size_t begin_text(const std::filesystem::path& path);
  void append(std::size_t file, std::string_view text);

  [[nodiscard]] const std::vector<Fact>& facts() const { return facts_; }

  /// Flushes the last file and gives all of them their names, whose folders are made where they are missing.
  void publish();

 private:
  struct File {
    std::filesystem::path target, hidden;
    int descriptor = -1;
    bool whole = false;  ///< nothing more is appended
  };

  File& open(const std::filesystem::path& target);
  static void close(File& file, bool flush);

  std::filesystem::path folder_;
  std::vector<File> files_;
  std::vector<Fact> facts_;
};

}  // namespace crema::files
