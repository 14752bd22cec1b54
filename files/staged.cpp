// SPDX-License-Identifier: Apache-2.0
#include "files/staged.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/format.h"
#include "files/io/checksum.h"
#include "files/io/sentence.h"
#include "files/io/system/temporary.h"

namespace crema::files {
namespace {

namespace fs = std::filesystem;

void write_all(int descriptor, const fs::path& target, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = unbroken([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (put <= 0) fail_writing(target, put == 0 ? EIO : errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void make_folders(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0777) == 0) return;  // most are new, in one that is there
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) fail_writing(folder, failed.value());
}

}  // namespace

StagedSet::StagedSet(fs::path folder) : folder_(std::move(folder)) { make_folders(folder_); }

StagedSet::~StagedSet() {
  for (const File& file : files_) {
    if (file.descriptor >= 0) ::close(file.descriptor);
    if (!file.hidden.empty()) ::unlink(file.hidden.c_str());
  }
  ::rmdir(folder_.c_str());
}

StagedSet::File& StagedSet::open(const fs::path& target) {
  // Plans have thousands of files; the last one stays open to be flushed.
  if (!files_.empty() && files_.back().whole) close(files_.back(), false);
  const fs::path hidden = folder_ / std::to_string(files_.size());
  const int descriptor = unbroken(
      [&] { return ::open(hidden.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666); });
  if (descriptor < 0) fail_writing(target, errno);
  return files_.emplace_back(File{target, hidden, descriptor});
}

void StagedSet::close(File& file, bool flush) {
  if (file.descriptor < 0) return;
  if (flush && unbroken([&] { return ::fsync(file.descriptor); }) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail_writing(file.target, errno);
  if (::close(std::exchange(file.descriptor, -1)) != 0 && errno != EINTR) fail_writing(file.target, errno);
}

Warnings StagedSet::put_image(const fs::path& path, const Image& image, const Header& reference) {
  const Encoded encoded = encode_image(path, image, reference);
  for (const Output& output : encoded.outputs) {
    File& file = open(output.path);
    file.whole = true;
    Fact fact{output.path, 0, sha256_of(output.pieces)};
    for (const auto piece : output.pieces) {
      write_all(file.descriptor, file.target, piece);
      fact.bytes += std::ssize(piece);
    }
    facts_.push_back(std::move(fact));
  }
  return encoded.warnings;
}

void StagedSet::put_text(const fs::path& path, std::string_view text) {
  const std::span<const std::uint8_t> bytes = bytes_of(text);
  File& file = open(path);
  file.whole = true;
  write_all(file.descriptor, file.target, bytes);
  facts_.push_back({path, std::ssize(bytes), sha256_of(std::span(&bytes, 1))});
}

std::size_t StagedSet::begin_text(const fs::path& path) {
  open(path);
  return files_.size() - 1;
}

void StagedSet::append(std::size_t file, std::string_view text) {
  write_all(files_[file].descriptor, files_[file].target, bytes_of(text));
}

void StagedSet::publish() {
  for (File& file : files_) close(file, &file == &files_.back());
  fs::path result;
  for (File& file : files_) {
    const fs::path folder = folder_of(file.target);
    if (folder != result) make_folders(folder);
    result = folder;
    if (unbroken([&] { return ::rename(file.hidden.c_str(), file.target.c_str()); }) != 0)
      fail_writing(file.target, errno);
    file.hidden.clear();
  }
  files_.clear();
  facts_.clear();
}

}  // namespace crema::files
