// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace crema::cohort {

/// Where the parts of a run lie.
struct RunFolder {
  std::filesystem::path path;

  [[nodiscard]] std::filesystem::path settings() const { return path / "run.json"; }
  [[nodiscard]] std::filesystem::path manifest() const { return path / "manifest.tsv"; }
  [[nodiscard]] std::filesystem::path work() const { return path / ".work"; }
  [[nodiscard]] std::filesystem::path of_case(const std::string& name) const;
  [[nodiscard]] std::filesystem::path result(const std::string& name) const;
  [[nodiscard]] std::filesystem::path failure(const std::string& name) const;
  [[nodiscard]] std::filesystem::path times(const std::string& name) const;
  [[nodiscard]] std::filesystem::path report(const std::string& name) const;
  [[nodiscard]] std::filesystem::path page() const { return path / "cohort.html"; }
  /// The manifest of a shard, counted from 1.
  [[nodiscard]] std::filesystem::path shard(int number) const;
};

/// A folder's name for a case of any name, another one for each: letters, digits, dots, dashes and
/// underscores stay, other bytes become %XX, what is long is cut and gets a checksum.
std::string folder_name(const std::string& name);

/// Whether a run was or is to be made there.
bool is_run_folder(const std::filesystem::path& folder);

/// While it lives, no other run is at work in the folder: on all of it, or on that shard. Throws UsageError
/// where one is. What a killed run left unfinished is removed.
class RunLock {
 public:
  RunLock(const RunFolder& folder, std::optional<int> shard);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Where this run may keep what is unfinished.
  [[nodiscard]] const std::filesystem::path& work() const { return work_; }

 private:
  std::filesystem::path work_;
  int folder_lock_ = -1, shard_lock_ = -1;
};

}  // namespace crema::cohort
