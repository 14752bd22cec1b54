// SPDX-License-Identifier: Apache-2.0
#include "annotations/import_folder.h"

#include <fmt/format.h>

#include "cohort/find/manifest.h"
#include "cohort/run/run_folder.h"
#include "crema/base/error.h"

namespace crema::annotations {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 256;
constexpr const char *kMasks = "masks", *kManifest = "manifest.tsv";

[[noreturn]] void fail_folder(const fs::path& path, const std::error_code& why) {
  throw FileError(fmt::format("{}: cannot be written: {}.", files::printable(path), why.message()));
}

/// What a killed import left unfinished does not count.
bool holds_nothing(const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().filename() != ".work") return false;
  if (failed) fail_folder(folder, failed);
  return true;
}

void move_to(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::rename(from, to, failed);
  if (failed) fail_folder(to, failed);
}

}  // namespace

ImportFolder::ImportFolder(fs::path folder) : folder_(std::move(folder)), work_(folder_ / ".work") {
  std::error_code failed;
  if (fs::exists(folder_, failed) && !fs::is_directory(folder_, failed))
    throw UsageError(
        fmt::format("{}: is a file, but a folder is needed; name another.", files::printable(folder_)));
  made_ = fs::create_directory(folder_, failed);
  if (failed) fail_folder(folder_, failed);
  if (!made_ && !holds_nothing(folder_))
    throw UsageError(fmt::format("{}: is not empty; name another folder.", files::printable(folder_)));
  if (fs::is_symlink(work_, failed)) fs::remove(work_, failed);
  fs::remove_all(work_, failed);
  fs::create_directories(work_ / kMasks, failed);
  if (failed) fail_folder(work_, failed);
}

ImportFolder::~ImportFolder() {
  batch_.reset();
  std::error_code ignored;
  fs::remove_all(work_, ignored);
  if (made_) fs::remove(folder_, ignored);  // stays where it has become a cohort
}

void ImportFolder::flush() {
  if (batch_) batch_->publish();
  batch_.reset();
  in_batch_ = 0;
}

void ImportFolder::put(const std::string& case_name, const std::string& rater, const Drawing& drawing) {
  if (!batch_) batch_ = std::make_unique<files::StagedSet>(work_ / "batch");
  const std::string ending = drawing.reference.segments.empty() ? ".png" : ".seg.nrrd";
  const fs::path path =
      fs::path(kMasks) / cohort::folder_name(case_name) / (cohort::folder_name(rater) + ending);
  batch_->put_image(work_ / path, drawing.image, drawing.reference);
  entries_.push_back({case_name, rater, path.string()});
  if (++in_batch_ == kBatch) flush();
}

void ImportFolder::put_text(const std::string& name, const std::string& text) {
  files::write_text(work_ / name, text);
  texts_.push_back(name);
}

void ImportFolder::publish(const Record& record) {
  flush();
  put_text(std::string(kRecordFile), record_text(record));
  cohort::Cohort found;
  cohort::sort_into_cases(std::move(entries_), found);
  std::string manifest;
  cohort::write_manifest(cohort::all_cases(found), [&](std::string_view piece) { manifest += piece; });
  put_text(kManifest, manifest);
  move_to(work_ / kMasks, folder_ / kMasks);
  for (const std::string& name : texts_) move_to(work_ / name, folder_ / name);
}

}  // namespace crema::annotations
