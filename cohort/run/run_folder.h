// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace crema::cohort {

/// Where the parts of a run lie.
struct RunFolder {
  std::filesystem::path path;
  /// So many folders stand between cases/ and that of a case: none, "ab" or "ab/cd", the first digits of the
  /// checksum of its name. run.json says it.
  int fan_out = 0;

  [[nodiscard]] std::filesystem::path settings() const { return path / "run.json"; }
  [[nodiscard]] std::filesystem::path schema() const { return path / "schema.json"; }
  [[nodiscard]] std::filesystem::path manifest() const { return path / "manifest.tsv"; }
  [[nodiscard]] std::filesystem::path work() const { return path / ".work"; }
  [[nodiscard]] std::filesystem::path of_case(const std::string& name) const;
  [[nodiscard]] std::filesystem::path result(const std::string& name) const;
  [[nodiscard]] std::filesystem::path failure(const std::string& name) const;
  [[nodiscard]] std::filesystem::path times(const std::string& name) const;
  [[nodiscard]] std::filesystem::path report(const std::string& name) const;
  /// cases/, and the folders in it that have folders of these cases.
  [[nodiscard]] std::vector<std::filesystem::path> above(const std::vector<std::string>& names) const;
  [[nodiscard]] std::filesystem::path page() const { return path / "cohort.html"; }
  /// The manifest of a shard, counted from 1.
  [[nodiscard]] std::filesystem::path shard(int number) const;
  /// Sizes and times of the files of a shard's cases; 0: of a run without shards.
  [[nodiscard]] std::filesystem::path stamps(int shard) const;
  /// The tables of a shard.
  [[nodiscard]] std::filesystem::path part(int shard) const;
  /// The files of a shard's cases in one archive, and where each lies in it.
  [[nodiscard]] std::filesystem::path pack(int shard) const;
  [[nodiscard]] std::filesystem::path pack_index(int shard) const;
  /// What all shards share.
  [[nodiscard]] std::filesystem::path plan() const { return path / "plan" / "plan.json"; }
  /// How large the shards are.
  [[nodiscard]] std::filesystem::path sizes() const { return path / "plan" / "sizes.json"; }
};

/// File systems, and people, have a hard time with a folder of a million others.
int fan_out_of(std::size_t cases);

/// A folder's name for a case of any name, another one for each: letters, digits, dots, dashes and
/// underscores stay, other bytes become %XX, what is long is cut and gets a checksum.
std::string folder_name(const std::string& name);

/// The numbers of shards by which files and folders in there are named.
std::set<int> numbered(const std::filesystem::path& folder);

/// The one way from a path that a file of a run's folder names to the disk: what is named there lies in the
/// folder. Throws InputError for an absolute path, for "..", and for a link that leads out; `by` is the file.
std::filesystem::path inside(const RunFolder& folder, std::string_view named,
                             const std::filesystem::path& by);

/// Whether a run was or is to be made there.
bool is_run_folder(const std::filesystem::path& folder);

/// What to do where another run is at work: give up, or wait until it has ended.
enum class WhenBusy : std::uint8_t { refuse, wait };

struct LockOptions {
  WhenBusy when_busy = WhenBusy::refuse;
  std::function<void()> waiting = {};  ///< called once where there is something to wait for
};

/// What is written lies below the folder. Throws UsageError where one of the folders in it is a link.
void check_links(const RunFolder& folder);
/// The same of one path.
void check_link(const std::filesystem::path& path);

/// While it lives, no other run is at work in the folder: on all of it, or on that shard. Throws UsageError
/// where one is and nobody wants to wait, and for links. What a killed run left unfinished is removed.
class RunLock {
 public:
  RunLock(const RunFolder& folder, std::optional<int> shard, const LockOptions& options = {});
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
