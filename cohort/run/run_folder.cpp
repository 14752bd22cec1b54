// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/files.h"
#include "files/io/checksum.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 200, kKept = 150;

constexpr std::size_t kFewCases = 10'000, kManyCasesInFolders = 1'000'000;

std::string sha256_of_name(const std::string& name) {
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  return files::sha256_of(std::span(&bytes, 1));
}

bool stays(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
         c == '_';
}

/// Whether a part of a path below a folder is a link, or cannot be looked at; what is not there is none.
bool has_link(const fs::path& folder, const fs::path& below) {
  fs::path at = folder;
  for (const fs::path& part : below) {
    at /= part;
    std::error_code failed;
    const fs::file_type type = fs::symlink_status(at, failed).type();
    if (type == fs::file_type::not_found) return false;
    if (type != fs::file_type::directory && type != fs::file_type::regular) return true;
  }
  return false;
}

/// Tries again and again: whoever holds a lock may be on another machine, and a signal ends the waiting.
void wait_for_lock(int descriptor, int kind, const LockOptions& options) {
  if (options.waiting) options.waiting();
  constexpr std::chrono::milliseconds kFirst{20}, kLast{2000};
  for (auto pause = kFirst;; pause = std::min(2 * pause, kLast)) {
    std::this_thread::sleep_for(pause);
    if (::flock(descriptor, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  }
}

/// A lock that goes with the process, however it ends.
int take_lock(const fs::path& file, int kind, const std::string& taken, const LockOptions& options) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw FileError(fmt::format("{}: cannot be written: {}.", files::printable(file), std::strerror(errno)));
  // A file system without locks is trusted: there is nothing to ask.
  if (::flock(descriptor, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK) return descriptor;
  if (options.when_busy == WhenBusy::wait) {
    wait_for_lock(descriptor, kind, options);
    return descriptor;
  }
  ::close(descriptor);
  throw UsageError(taken);
}

}  // namespace

std::string folder_name(const std::string& name) {
  std::string text;
  for (const char c : name)
    text += stays(c) && !(text.empty() && c == '.') ? std::string(1, c)
                                                    : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  if (text.size() <= kLongest) return text;
  return text.substr(0, kKept) + "~" + sha256_of_name(name).substr(0, 32);
}

int fan_out_of(std::size_t cases) { return cases <= kFewCases ? 0 : cases <= kManyCasesInFolders ? 1 : 2; }

fs::path RunFolder::of_case(const std::string& name) const {
  fs::path folder = path / "cases";
  if (fan_out > 0) {
    const std::string sum = sha256_of_name(name);
    for (int level = 0; level < fan_out; ++level)
      folder /= sum.substr(2 * static_cast<std::size_t>(level), 2);
  }
  return folder / folder_name(name);
}

std::vector<fs::path> RunFolder::above(const std::vector<std::string>& names) const {
  std::set<fs::path> found{path / "cases"};
  if (fan_out > 0)
    for (const std::string& name : names)
      for (fs::path at = of_case(name).parent_path(); found.insert(at).second;) at = at.parent_path();
  return {found.begin(), found.end()};
}

fs::path RunFolder::result(const std::string& name) const { return of_case(name) / "result.json"; }
fs::path RunFolder::failure(const std::string& name) const { return of_case(name) / "failure.json"; }
fs::path RunFolder::times(const std::string& name) const { return of_case(name) / "times.csv"; }
fs::path RunFolder::report(const std::string& name) const { return of_case(name) / "report.html"; }
fs::path RunFolder::stamps(int shard) const { return path / ".stamps" / fmt::format("{:05}.jsonl", shard); }
fs::path RunFolder::shard(int number) const { return path / "plan" / fmt::format("{:05}.tsv", number); }
fs::path RunFolder::pack(int shard) const { return path / "packs" / fmt::format("{:05}.tar", shard); }
fs::path RunFolder::pack_index(int shard) const { return path / "packs" / fmt::format("{:05}.json", shard); }
fs::path RunFolder::part(int shard) const { return path / "parts" / fmt::format("{:05}", shard); }

std::set<int> numbered(const fs::path& folder) {
  std::set<int> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string stem = entry.path().stem().string();
    int shard = 0;
    if (std::from_chars(stem.data(), stem.data() + stem.size(), shard).ec == std::errc() && shard > 0)
      found.insert(shard);
  }
  return found;
}

fs::path inside(const RunFolder& folder, std::string_view named, const fs::path& by) {
  const fs::path path(named);
  bool stays_in = !path.empty() && path.is_relative() &&
                  std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
  if (stays_in && !has_link(folder.path, path)) return folder.path / path;
  if (stays_in) {
    std::error_code failed;
    const fs::path root = fs::weakly_canonical(folder.path, failed);
    const fs::path there = failed ? fs::path() : fs::weakly_canonical(folder.path / path, failed);
    stays_in =
        !failed && std::mismatch(root.begin(), root.end(), there.begin(), there.end()).first == root.end();
  }
  if (!stays_in)
    throw InputError(
        fmt::format("{}: names {}, which is not in the folder of the run; the file was edited. Remove that "
                    "file if the case is to be done again.",
                    files::printable(by), printable(named)));
  return folder.path / path;
}

bool is_run_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "run.json", ignored) && fs::exists(folder / "manifest.tsv", ignored);
}

void check_link(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(path, failed)))
    throw UsageError(
        fmt::format("{}: is a link, and results would be written where it leads; remove it, or name "
                    "another folder for the results.",
                    files::printable(path)));
}

void check_links(const RunFolder& folder) {
  for (const char* part : {"cases", "plan", "parts", "packs", "logs", ".work", ".stamps", ".lock"})
    check_link(folder.path / part);
}

RunLock::RunLock(const RunFolder& folder, std::optional<int> shard, const LockOptions& options) {
  check_links(folder);
  const std::string busy = fmt::format(
      "{}: another run is at work in this folder; wait for it to end (crema cohort run and merge do "
      "with --wait), or name another folder.",
      files::printable(folder.path));
  folder_lock_ = take_lock(folder.path / ".lock", shard ? LOCK_SH : LOCK_EX, busy, options);
  work_ = shard ? folder.work() / fmt::format("{:05}", *shard) : folder.work();
  if (shard) {
    try {
      shard_lock_ =
          take_lock(folder.path / "plan" / fmt::format(".{:05}.lock", *shard), LOCK_EX, busy, options);
    } catch (...) {
      ::close(folder_lock_);
      throw;
    }
  }
  std::error_code ignored;
  fs::remove_all(work_, ignored);
}

RunLock::~RunLock() {
  std::error_code ignored;
  fs::remove_all(work_, ignored);
  // The folder that shards share stays until a merge, which is alone: another shard may be about to use it.
  if (shard_lock_ >= 0) ::close(shard_lock_);
  if (folder_lock_ >= 0) ::close(folder_lock_);
}

}  // namespace crema::cohort
