// SPDX-License-Identifier: Apache-2.0
#include "cli/places.h"

#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/shell/signals.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;
using files::printable;

constexpr std::string_view kSegmentation = ".seg.nrrd";

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

/// "results/" names the folder "results".
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

/// The file itself, or either half of a .hdr/.img pair.
bool is_part_of(const fs::path& path, const fs::path& input) {
  fs::path header = input, voxels = input;
  header.replace_extension(".hdr");
  voxels.replace_extension(".img");
  return same_file(path, input) || same_file(path, header) || same_file(path, voxels);
}

void require_folder(const fs::path& folder, const fs::path& wanted) {
  if (is_folder(folder)) return;
  throw FileError(is_there(folder) ? fmt::format("{}: cannot be made, because {} is not a folder.",
                                                 printable(wanted), printable(folder))
                                   : fmt::format("{}: the folder {} does not exist; make it first.",
                                                 printable(wanted), printable(folder)));
}

void require_image_name(const fs::path& output, const Method& method, const files::Header& reference) {
  if (output.has_filename() && !is_folder(output)) return;
  const fs::path example = output / (std::string(method.name) + files::ending_of(reference));
  throw UsageError(fmt::format("{}: is a folder, but one method makes one file; write -o {}.",
                               printable(output), printable(example)));
}

void refuse_image_name(const fs::path& output) {
  for (const char* ending : {".nii", ".gz", ".img", ".hdr", ".png", ".nrrd", ".nhdr", ".mha", ".mhd"}) {
    if (output.extension() == ending)
      throw UsageError(fmt::format("{}: looks like an image, but several methods make a folder; write -o {}.",
                                   printable(output), printable(parent_of(output) / "results")));
  }
}

bool makes_levels(const Method& method, const Wishes& wishes) {
  return method.kind == Kind::soft && !wishes.threshold;
}

/// A segment holds no levels; told before any work is done.
void refuse_levels(const Method& method, const Wishes& wishes) {
  if (!makes_levels(method, wishes) || !wishes.output.filename().string().ends_with(kSegmentation)) return;
  throw UsageError(
      fmt::format("{}: {} makes levels, which a segment cannot hold; write .nrrd, or give "
                  "--threshold-output 0.5.",
                  printable(wishes.output), method.name));
}

void place_in_folder(Places& places, const Wishes& wishes, const std::vector<const Method*>& methods,
                     const files::Header& reference) {
  const fs::path folder = without_slash(wishes.output);
  refuse_image_name(folder);
  if (folder_is_missing(folder)) places.folder = folder;
  for (const Method* method : methods) {
    const std::string ending = files::ending_of(reference);
    const bool levels = ending == kSegmentation && makes_levels(*method, wishes);
    places.images.push_back(folder / (std::string(method->name) + (levels ? ".nrrd" : ending)));
  }
}

void check_record(const Places& places, const std::vector<fs::path>& inputs,
                  const files::WriteOptions& write) {
  for (const fs::path& image : places.images)
    if (image.lexically_normal() == places.record->lexically_normal())
      throw UsageError(fmt::format("{}: cannot hold both the image and the record; give --json another name.",
                                   printable(image)));
  const bool new_folder = places.folder && parent_of(*places.record) == *places.folder;
  if (!new_folder) check_text_output(*places.record, inputs, write);
}

}  // namespace

bool folder_is_missing(const fs::path& folder) {
  if (is_folder(folder)) return false;
  if (is_there(folder))
    throw UsageError(fmt::format("{}: is a file, but a folder is needed.", printable(folder)));
  const fs::path parent = parent_of(folder);
  require_folder(parent, folder);
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    throw FileError(fmt::format("{}: the folder {} may not be written to; choose another place.",
                                printable(folder), printable(parent)));
  return true;
}

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed)
    throw FileError(fmt::format("{}: the folder cannot be made ({}); choose another place.",
                                printable(folder), failed.message()));
  remove_on_signal(folder);
}

void check_text_output(const fs::path& path, const std::vector<fs::path>& inputs,
                       const files::WriteOptions& write) {
  require_folder(parent_of(path), path);
  if (is_folder(path))
    throw UsageError(fmt::format("{}: is a folder; give the name of a file.", printable(path)));
  for (const fs::path& input : inputs)
    if (is_part_of(path, input))
      throw UsageError(fmt::format("{}: is one of the inputs; choose another name.", printable(path)));
  if (is_there(path) && !write.overwrite)
    throw UsageError(
        fmt::format("{}: exists already; choose another name, or --force to replace it.", printable(path)));
}

Places choose_places(const Wishes& wishes, const std::vector<const Method*>& methods,
                     const files::Header& reference, const std::vector<fs::path>& inputs) {
  Places places;
  if (methods.size() == 1) {
    require_image_name(wishes.output, *methods.front(), reference);
    refuse_levels(*methods.front(), wishes);
    places.images = {wishes.output};
  } else {
    place_in_folder(places, wishes, methods, reference);
    places.record = without_slash(wishes.output) / "record.json";
  }
  if (!wishes.record.empty()) places.record = wishes.record;
  // In a folder that is yet to be made nothing can be in the way.
  if (!places.folder)
    for (const fs::path& image : places.images)
      files::check_output(image, reference.grid, inputs, wishes.write);
  if (places.record && *places.record != "-") check_record(places, inputs, wishes.write);
  return places;
}

}  // namespace crema::cli
