// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/run/run_folder.h"

namespace crema::cohort {

/// A file as it was when its checksum was last compared.
struct FileStamp {
  std::string path;                      ///< absolute
  std::int64_t bytes = 0, modified = 0;  ///< nanoseconds

  bool operator==(const FileStamp&) const = default;
};

/// The files that a result was made of and that it made. It is of one result, which has that checksum.
struct CaseStamp {
  std::string result;
  std::vector<FileStamp> files;
};

/// Sizes and times of the files of cases, so that a run that goes on need not read all of them again. They
/// are a hint: without them, and with --verify, everything is read. May be used on several threads.
class Stamps {
 public:
  Stamps() = default;
  /// As an earlier run left them; empty where it left none, or they are damaged.
  explicit Stamps(const std::filesystem::path& file);

  /// Whether the case has this result, and its files are those that were stamped, unchanged.
  [[nodiscard]] bool vouch_for(const std::string& name, std::string_view result,
                               const std::vector<std::filesystem::path>& files) const;

  /// Remembers the files of a result, unless an input changed so lately that another change could have the
  /// same time.
  void set(const std::string& name, std::string result, const std::vector<std::filesystem::path>& inputs,
           const std::vector<std::filesystem::path>& outputs);
  void keep(const std::string& name, const Stamps& from);

  [[nodiscard]] std::string text() const;

 private:
  std::map<std::string, CaseStamp, std::less<>> cases_;
  std::mutex mutex_;
};

}  // namespace crema::cohort
