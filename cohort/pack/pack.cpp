// SPDX-License-Identifier: Apache-2.0
#include "cohort/pack/pack.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cohort/pack/archive.h"
#include "cohort/pack/tar.h"
#include "cohort/run/result.h"
#include "crema/base/text.h"
#include "files/io/checksum.h"
#include "files/io/system/regular.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;

fs::path packs_of(const RunFolder& folder) { return folder.pack(1).parent_path(); }

/// An archive that grows.
class ArchiveWriter {
 public:
  ArchiveWriter(const fs::path& path, files::StagedSet& staged)
      : staged_(staged), file_(staged.begin_text(path)) {}

  PackedFile put(const RunFolder& folder, const fs::path& path) {
    const OpenFile source(path);
    PackedFile entry{path.filename().string(), 0, source.bytes(), source.modified(), {}};
    append(tar_head(path.lexically_relative(folder.path).generic_string(), entry.bytes,
                    entry.modified / kSecond));
    entry.offset = bytes_;
    files::RunningSha256 sum;
    source.read(0, entry.bytes, [&](std::string_view piece) {
      sum.add(piece);
      append(piece);
    });
    append(tar_padding(entry.bytes));
    entry.sha256 = sum.digits();
    return entry;
  }

  void finish() {
    append(tar_end());
    flush();
  }

 private:
  void append(std::string_view piece) {
    constexpr std::size_t kLarge = 1 << 20;
    waiting_ += piece;
    bytes_ += std::ssize(piece);
    if (waiting_.size() >= kLarge) flush();
  }
  void flush() {
    staged_.append(file_, waiting_);
    waiting_.clear();
  }

  files::StagedSet& staged_;
  std::size_t file_;
  std::string waiting_;
  std::int64_t bytes_ = 0;
};

/// All files of a case that is done; none of one that is not, or that lacks a file.
std::vector<fs::path> whole_case(const ReadyRun& ready, const std::string& name) {
  const CaseState state = state_of(ready.folder, name, ready.identity);
  if (state.kind != CaseState::Kind::done || state.failure) return {};
  std::vector<fs::path> files = output_paths(state.result, ready.folder);
  files.push_back(ready.folder.times(name));
  files.push_back(ready.folder.result(name));
  const bool whole = std::all_of(files.begin(), files.end(), [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(fs::symlink_status(path, ignored));
  });
  return whole ? files : std::vector<fs::path>();
}

[[noreturn]] void fail_writing(const fs::path& path) {
  throw FileError(fmt::format("{}: cannot be written: {}.", files::printable(path), std::strerror(errno)));
}

/// A file that is new; an older one of its name goes.
class NewFile {
 public:
  explicit NewFile(const fs::path& path) : path_(path) {
    ::unlink(path.c_str());
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) fail_writing(path_);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t put = ::write(descriptor_, text.data(), text.size());
      if (put == 0 || (put < 0 && errno != EINTR)) fail_writing(path_);
      if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
    }
  }

  void close(std::int64_t modified) {
    const timespec time{modified / kSecond, modified % kSecond};
    const std::array<timespec, 2> both{time, time};
    ::futimens(descriptor_, both.data());  // so that a run that goes on need not read it again
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail_writing(path_);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail_writing(path_);
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
};

bool is_as_packed(const OpenFile& archive, const PackedFile& file) {
  try {
    files::RunningSha256 sum;
    archive.read(file.offset, file.bytes, [&](std::string_view piece) { sum.add(piece); });
    return sum.digits() == file.sha256;
  } catch (const InputError&) {  // shorter than it was
    return false;
  }
}

void put_back(const RunFolder& folder, const OpenFile& archive, const PackedCase& one, int shard) {
  if (!std::all_of(one.files.begin(), one.files.end(),
                   [&](const PackedFile& file) { return is_as_packed(archive, file); }))
    return;
  const fs::path target = folder.of_case(one.name);
  inside(folder, target.lexically_relative(folder.path).string(), folder.pack_index(shard));
  std::error_code failed;
  fs::create_directories(target, failed);
  for (const PackedFile& file : one.files) {
    NewFile entry(target / file.name);
    archive.read(file.offset, file.bytes, [&](std::string_view piece) { entry.write(piece); });
    entry.close(file.modified);
  }
  files::sync_folder(target);
  files::sync_folder(target.parent_path());
}

std::string read_all(const OpenFile& file, std::int64_t offset, std::int64_t bytes) {
  std::string text;
  file.read(offset, bytes, [&](std::string_view piece) { text += piece; });
  return text;
}

/// The case in an archive of the run.
std::optional<CaseFiles> files_in_packs(const RunFolder& folder, const std::string& name) {
  for (const int s : numbered(packs_of(folder))) {
    const std::optional<std::vector<PackedCase>> cases = read_index(folder.pack_index(s), name);
    if (!cases) continue;
    const auto one =
        std::find_if(cases->begin(), cases->end(), [&](const PackedCase& own) { return own.name == name; });
    if (one == cases->end()) continue;
    CaseFiles found;
    for (const PackedFile& file : one->files)
      found.files.push_back(
          {file.name, [path = folder.pack(s), file] {
             const OpenFile archive(path);
             if (!is_as_packed(archive, file))
               throw InputError(fmt::format("{}: is damaged where {} of this case is; run its shard again.",
                                            files::printable(path), file.name));
             return read_all(archive, file.offset, file.bytes);
           }});
    return found;
  }
  return std::nullopt;
}

}  // namespace

void pack_shard(const ReadyRun& ready, int shard, const fs::path& work) {
  std::vector<PackedCase> packed;
  {
    files::StagedSet staged(work / "pack");
    ArchiveWriter archive(ready.folder.pack(shard), staged);
    for (const CohortCase& one : ready.cohort.cases) {
      const std::vector<fs::path> files = whole_case(ready, one.name);
      if (files.empty()) continue;
      PackedCase& own = packed.emplace_back(PackedCase{one.name, {}});
      for (const fs::path& path : files) own.files.push_back(archive.put(ready.folder, path));
    }
    if (packed.empty()) return;
    archive.finish();
    staged.publish();
  }
  files::StagedSet index(work / "index");
  index.put_text(ready.folder.pack_index(shard), index_text(packed));
  index.publish();
  files::sync_folder(packs_of(ready.folder));  // nothing goes before what takes its place is there to stay
  std::error_code ignored;
  for (const PackedCase& one : packed) {
    const fs::path folder = ready.folder.of_case(one.name);
    for (const PackedFile& file : one.files) fs::remove(folder / file.name, ignored);
    fs::remove(folder, ignored);  // unless somebody has put something there
  }
}

void unpack_shard(const RunFolder& folder, int shard) {
  const std::optional<std::vector<PackedCase>> cases = read_index(folder.pack_index(shard));
  if (cases)
    if (const OpenFile archive(folder.pack(shard)); archive.is_open())
      for (const PackedCase& one : *cases) put_back(folder, archive, one, shard);
  std::error_code ignored;
  fs::remove(folder.pack_index(shard), ignored);
  fs::remove(folder.pack(shard), ignored);
}

void unpack_all(const RunFolder& folder) {
  const fs::path packs = packs_of(folder);
  for (const int shard : numbered(packs)) unpack_shard(folder, shard);
  std::error_code ignored;
  fs::remove(packs, ignored);
}

std::set<std::string> packed_cases(const RunFolder& folder, int shard) {
  std::set<std::string> names;
  std::optional<std::vector<PackedCase>> cases = read_index(folder.pack_index(shard));
  if (!cases) return names;
  const OpenFile archive(folder.pack(shard));
  const std::int64_t size = archive.is_open() ? archive.bytes() : -1;
  for (PackedCase& one : *cases)
    if (std::all_of(one.files.begin(), one.files.end(),
                    [&](const PackedFile& file) { return file.bytes <= size - file.offset; }))
      names.insert(std::move(one.name));
  return names;
}

CaseFiles files_of_case(const ReadyRun& ready, const std::string& name) {
  if (std::optional<CaseFiles> packed = files_in_packs(ready.folder, name)) return std::move(*packed);
  const CaseState state = state_of(ready.folder, name, ready.identity);
  if (state.kind == CaseState::Kind::failed)
    throw InputError(fmt::format("case {}: failed ({}): {}", printable(name), state.failure->kind,
                                 state.failure->message));
  if (state.kind != CaseState::Kind::done)
    throw InputError(
        fmt::format("{}: has no result of a case {}; if it is one of those in manifest.tsv, run it again.",
                    files::printable(ready.folder.path), printable(name)));
  std::vector<fs::path> paths = sound_outputs(state.result, ready.folder);
  paths.push_back(ready.folder.times(name));
  paths.push_back(ready.folder.result(name));
  CaseFiles found;
  for (const fs::path& path : paths)
    found.files.push_back({path.filename().string(), [path] {
                             const OpenFile file(path);
                             return read_all(file, 0, file.bytes());
                           }});
  return found;
}

}  // namespace crema::cohort
