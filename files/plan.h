// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/warning.h"
#include "files/files.h"

namespace crema::files {

/// All files an input consists of, as far as they are there: what its header names, and what goes by its
/// name.
std::vector<std::filesystem::path> parts_of(const std::filesystem::path& path);

/// All files that one run reads and all that it will write, known before anything is computed.
class OutputPlan {
 public:
  /// A file that is read, with all its parts.
  void add_input(const std::filesystem::path& path);
  /// An image of that grid, with all its parts; `role` says what it is, such as "the image".
  void add_image(const std::filesystem::path& path, const Grid& grid, const std::string& role = "the image");
  /// A record, a table or a picture.
  void add_text(const std::filesystem::path& path, const std::string& role);
  /// A folder for what was added; it is made when it is missing and its parent is there or was added before.
  void add_folder(const std::filesystem::path& path);
  /// A folder of which everything below may be written or replaced, so that no input may lie there.
  void add_tree(const std::filesystem::path& path);
  /// A folder of data: nothing that is there below it may be replaced.
  void add_input_tree(const std::filesystem::path& path);

  /// Checks all outputs against the inputs and against each other, and that each can be written, in time that
  /// grows with their number alone. Throws UsageError, or FileError for what the disk refuses.
  void check(const WriteOptions& options) const;

  /// The folders that are still to be made, in that order.
  [[nodiscard]] const std::vector<std::filesystem::path>& missing_folders() const { return missing_; }

 private:
  struct Part {
    std::filesystem::path path;
    std::string role;
  };

  void add_part(const std::filesystem::path& path, const std::string& role);
  void check_trees() const;
  void check_input_trees() const;
  void check_inputs() const;
  void check_part(const Part& part, const WriteOptions& options) const;
  void check_pairs() const;
  [[nodiscard]] bool is_missing(const std::filesystem::path& folder) const;

  std::vector<std::filesystem::path> inputs_;
  std::vector<Part> parts_;
  std::vector<std::filesystem::path> missing_;
  std::vector<std::filesystem::path> trees_, input_trees_;
};

/// The files of one run. Each is written under a temporary name as soon as it is known; all get their names
/// together, in the order in which they were put. Until then, and on any error, all names lead to what they
/// led to before.
class OutputSet {
 public:
  explicit OutputSet(WriteOptions options);
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  /// Format by the ending of the name; returns warnings of what the format cannot hold. Images may be put on
  /// several threads, as long as nothing else is.
  Warnings put_image(const std::filesystem::path& path, const Image& image, const Header& reference);
  void put_text(const std::filesystem::path& path, const std::string& text);
  /// Written as it is made: `make` hands over one piece after the other.
  using TakePiece = std::function<void(std::string_view)>;
  void put_pieces(const std::filesystem::path& path, const std::function<void(const TakePiece&)>& make);

  /// Gives all files their names.
  void publish();

 private:
  struct Written;
  std::unique_ptr<Written> written_;
};

}  // namespace crema::files
