// SPDX-License-Identifier: Apache-2.0
#include "files/io/atomic.h"

#include <cerrno>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "files/io/sentence.h"
#include "files/io/system/regular.h"
#include "files/io/system/temporary.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// A file that stood under a name to be given, and the hidden name it waits under.
struct Older {
  fs::path path;
  fs::path hidden;
};

std::vector<Older> find_older(std::span<const Temporary> written, const WriteOptions& options) {
  std::vector<Older> older;
  for (const Temporary& file : written) {
    check_replaceable(file.target(), options);
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(file.target(), ignored)))
      older.push_back({file.target(), hidden_name(file.target())});
  }
  return older;
}

int rename_over(const fs::path& from, const fs::path& to) {
  return unbroken([&] { return ::rename(from.c_str(), to.c_str()); });
}

/// Keeps other processes that write files belonging together into the same folder out of it. One that does
/// not let go, or a file system without locks, is waited for but not for ever.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr timespec moment{0, 2'000'000};
    for (int tries = 0; tries < 1000 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++tries) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;
      ::nanosleep(&moment, nullptr);
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

 private:
  int descriptor_;
};

/// Older files go away before newer ones come, the one that makes the others findable first, so that at no
/// time it finds parts of another image. On an error all is as before. Needs no memory once a name is given.
void publish_together(std::vector<Temporary>& written, const WriteOptions& options) {
  const FolderLock lock(folder_of(written.back().target()));
  const std::vector<Older> older = find_older(written, options);
  const Naming naming;
  std::size_t named = 0;
  try {
    for (std::size_t i = older.size(); i-- > 0;)
      if (rename_over(older[i].path, older[i].hidden) != 0) fail_writing(older[i].path, errno);
    for (; named < written.size(); ++named) written[named].publish(options);
  } catch (...) {
    for (std::size_t i = named; i-- > 0;) ::unlink(written[i].target().c_str());
    for (const Older& old : older) rename_over(old.hidden, old.path);
    throw;
  }
  for (const Older& old : older) ::unlink(old.hidden.c_str());
}

}  // namespace

void stage(std::span<const Output> outputs, std::vector<Temporary>& written) {
  for (const Output& output : outputs) {
    Temporary& file = written.emplace_back(output.path);
    for (const auto piece : output.pieces) file.write(piece);
    file.close();
  }
}

void publish_staged(std::vector<Temporary>& written, const WriteOptions& options) {
  if (written.size() == 1) {
    written.front().publish(options);
  } else {
    publish_together(written, options);
  }
  fs::path synced;
  for (const Temporary& file : written) {
    const fs::path folder = folder_of(file.target());
    if (folder != synced) sync_folder(folder);
    synced = folder;
  }
}

void write_atomically(std::span<const Output> outputs, const WriteOptions& options) {
  std::vector<Temporary> written;
  for (const Output& output : outputs) check_replaceable(output.path, options);
  stage(outputs, written);
  publish_staged(written, options);
}

}  // namespace crema::files
