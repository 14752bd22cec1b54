// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/temporary.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

enum SlotState : int { kFree, kClaimed, kLive };

struct Slot {
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> path{};
};

static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// Live temporaries, in memory that a signal handler may read.
std::array<Slot, 256>& slots() {
  static std::array<Slot, 256> list;
  return list;
}

/// Enters a path; -1 when the list is full or the path too long, which only costs the clean-up after a
/// signal.
int enter(const fs::path& path) {
  const std::string text = path.string();
  if (text.size() + 1 > PATH_MAX) return -1;
  for (std::size_t i = 0; i < slots().size(); ++i) {
    Slot& slot = slots()[i];
    int expected = kFree;
    if (!slot.state.compare_exchange_strong(expected, kClaimed)) continue;
    std::memcpy(slot.path.data(), text.c_str(), text.size() + 1);
    slot.state.store(kLive);
    return static_cast<int>(i);
  }
  return -1;
}

void leave(int slot) {
  if (slot >= 0) slots()[static_cast<std::size_t>(slot)].state.store(kFree);
}

/// Taken while files are created or change their names, by a Naming, and for good by remove_temporaries().
std::atomic<bool> naming{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void take_naming() {
  constexpr timespec moment{0, 100'000};
  while (naming.exchange(true)) ::nanosleep(&moment, nullptr);
}

[[noreturn]] void fail_creating(const fs::path& target, int error) {
  const std::string folder = printable(folder_of(target));
  if (error == ENOENT) fail(target, "folder {} does not exist; create it", folder);
  if (error == EACCES || error == EPERM || error == EROFS) {
    fail(target, "folder {} is not writable: {}; choose another", folder, std::strerror(error));
  }
  fail_writing(target, error);
}

[[noreturn]] void refuse_taken(const fs::path& path) {
  throw UsageError(sentence(path, "exists; use {} to overwrite it", Sentence::setting("overwrite", "True")));
}

/// Renames without replacing anything. Where the file system knows no such rename the old name stays too.
int rename_new(const fs::path& from, const fs::path& to) {
  const auto rename = [&] {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  };
  if (unbroken(rename) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return errno;
  return unbroken([&] { return ::link(from.c_str(), to.c_str()); }) == 0 ? 0 : errno;
}

}  // namespace

Naming::Naming() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  take_naming();
}

Naming::~Naming() {
  naming = false;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

fs::path hidden_name(const fs::path& target) {
  std::random_device random;
  return folder_of(target) / fmt::format(".crema-{:08x}{:08x}.tmp", random(), random());
}

void fail_writing(const fs::path& target, int error) {
  if (error == ENOSPC || error == EDQUOT) fail(target, "cannot be written: the disk is full; make room");
  fail(target, "cannot be written: {}", std::strerror(error));
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void check_replaceable(const fs::path& path, const WriteOptions& options) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) throw UsageError(sentence(path, "is a folder; name a file"));
  if (!options.overwrite) refuse_taken(path);
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
    throw UsageError(sentence(path, "is a device or a pipe; name a file"));
  }
}

Temporary::Temporary(fs::path target) : target_(std::move(target)), path_(hidden_name(target_)) {
  const Naming undisturbed;  // else a signal on another thread could look for the file before it is there
  slot_ = enter(path_);
  descriptor_ = unbroken(
      [&] { return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666); });
  if (descriptor_ >= 0) return;
  const int error = errno;
  leave(slot_);
  fail_creating(target_, error);
}

Temporary::Temporary(Temporary&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::exchange(other.path_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

Temporary::~Temporary() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!path_.empty()) ::unlink(path_.c_str());
  leave(slot_);
}

void Temporary::write(std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = unbroken([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (put < 0) fail_writing(target_, errno);
    if (put == 0) fail_writing(target_, EIO);  // said to be impossible, and would go on for ever
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void Temporary::close() {
  const int result = unbroken([&] { return ::fsync(descriptor_); });
  if (result != 0 && errno != EINVAL && errno != ENOTSUP) fail_writing(target_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail_writing(target_, errno);
}

void Temporary::publish(const WriteOptions& options) {
  check_replaceable(target_, options);
  const auto rename = [&] { return ::rename(path_.c_str(), target_.c_str()); };
  const int error = options.overwrite ? (unbroken(rename) == 0 ? 0 : errno) : rename_new(path_, target_);
  if (error == EEXIST) refuse_taken(target_);
  if (error != 0) fail_writing(target_, error);
}

void remove_temporaries() noexcept {
  take_naming();
  for (Slot& slot : slots()) {
    if (slot.state.load() == kLive) ::unlink(slot.path.data());
  }
}

}  // namespace crema::files
