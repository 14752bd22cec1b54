// SPDX-License-Identifier: Apache-2.0
#include "files/atomic.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "files/sentence.h"
#include "files/temporary.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// Makes new names in the folder last through a power cut.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder may be writable without being readable
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error == EIO || error == ENOSPC) fail(folder, "cannot be written: {}", std::strerror(error));
}

void publish(std::vector<Temporary>& written, const WriteOptions& options) {
  std::vector<fs::path> fresh;
  try {
    for (Temporary& file : written) {
      std::error_code ignored;
      const bool is_new = !fs::exists(fs::symlink_status(file.target(), ignored));
      file.publish(options);
      if (is_new) fresh.push_back(file.target());
    }
  } catch (...) {
    for (const fs::path& path : fresh) ::unlink(path.c_str());
    throw;
  }
}

}  // namespace

void write_atomically(std::span<const Output> outputs, const WriteOptions& options) {
  std::vector<Temporary> written;
  written.reserve(outputs.size());
  for (const Output& output : outputs) {
    check_replaceable(output.path, options);
    Temporary& file = written.emplace_back(output.path);
    for (const auto piece : output.pieces) file.write(piece);
    file.close();
  }
  publish(written, options);
  for (const Output& output : outputs) sync_folder(folder_of(output.path));
}

}  // namespace crema::files
