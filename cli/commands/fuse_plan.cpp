// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/fuse_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "files/format.h"
#include "raters/run/write.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void require_image_name(const fs::path& output, const Method& method, const files::Header& reference) {
  if (output.has_filename() && !is_folder(output)) return;
  const fs::path example = output / (std::string(method.name) + files::ending_of(reference));
  throw UsageError(fmt::format("{}: is a folder, but one method makes one file; write -o {}.",
                               files::printable(output), files::printable(example)));
}

void refuse_image_name(const fs::path& output) {
  if (is_folder(output) || !files::names_an_image(output)) return;
  throw UsageError(fmt::format("{}: looks like an image, but several methods make a folder; write -o {}.",
                               files::printable(output), files::printable(output.parent_path() / "results")));
}

bool makes_levels(const Method& method, const FuseRequest& request) {
  return !raters::wants_labels(request.settings) && method.kind == Kind::soft &&
         !request.settings.threshold_output;
}

bool is_fractional(const std::string& path, const FuseRequest& request) {
  return request.fractional && files::ends_with(path, ".dcm");
}

/// Throws UsageError where nothing fractional is written.
void check_fractional(const FuseRequest& request) {
  if (!request.fractional || is_fractional(request.levels, request)) return;
  if (request.methods.size() == 1 && makes_levels(*request.methods.front(), request) &&
      is_fractional(request.output, request))
    return;
  throw UsageError(
      "--dicom-fractional requires levels in a .dcm: -o FILE.dcm with one method that makes levels, such as "
      "tanimoto, or --levels FILE.dcm.");
}

/// Throws UsageError where no DICOM segmentation is written.
void check_every_frame(const FuseRequest& request, const std::vector<fs::path>& images) {
  const auto is_dicom = [](const fs::path& path) { return files::ends_with(path, ".dcm"); };
  if (!request.every_frame || is_dicom(request.levels) || std::any_of(images.begin(), images.end(), is_dicom))
    return;
  throw UsageError("--dicom-empty-frames requires a .dcm: -o FILE.dcm with --like SERIES_FOLDER.");
}

/// Where the images go: with one method to a file, with several into a folder, named after the methods.
std::vector<fs::path> place_images(const FuseRequest& request, const files::Header& reference,
                                   files::OutputPlan& plan) {
  if (request.output.empty()) return {};
  if (request.methods.size() == 1) {
    const Method& method = *request.methods.front();
    require_image_name(request.output, method, reference);
    if (makes_levels(method, request) && !files::holds_levels(request.output) &&
        !is_fractional(request.output, request))
      throw UsageError(fmt::format(
          "{}: {} makes levels, which a segment cannot hold; write .nrrd, or give {}{}.",
          files::printable(request.output), method.name, Sentence::setting("threshold_output", "0.5"),
          files::ends_with(request.output, ".dcm") ? " or --dicom-fractional" : ""));
    return {request.output};
  }
  const fs::path folder = without_slash(request.output);
  refuse_image_name(folder);
  plan.add_folder(folder);
  std::vector<fs::path> images;
  for (const Method* method : request.methods) {
    const std::string ending = files::ending_of(reference);
    const bool fits = !makes_levels(*method, request) || files::holds_levels("image" + ending);
    images.push_back(folder / (std::string(method->name) + (fits ? ending : ".nrrd")));
  }
  return images;
}

/// One map per label: a file with one axis more, of one soft method.
void add_levels(files::OutputPlan& plan, const FuseRequest& request, const files::Header& reference) {
  const std::string& path = request.levels;
  if (path.empty()) return;
  if (!request.settings.labels && !(request.settings.regions && request.settings.probabilities))
    throw UsageError(fmt::format("--levels requires {}; {}.", Sentence::setting("labels"),
                                 request.settings.regions ? "regions are written as labels alone"
                                                          : "one mask's levels go where -o says"));
  check_makes_levels(request.methods, request.settings.probabilities);
  if (files::ends_with(path, ".npz")) return plan.add_text(path, "the levels");
  if (is_fractional(path, request)) files::check_reference(path, reference);
  if (!files::ends_with(path, ".nii.gz") && !files::ends_with(path, ".nii") && !is_fractional(path, request))
    throw UsageError(
        fmt::format("{}: levels of several labels are written as .nii.gz, .nii, .npz, or as .dcm with "
                    "--dicom-fractional.",
                    files::printable(path)));
  plan.add_image(path, reference.grid, "the levels");
}

}  // namespace

void check_makes_levels(std::span<const Method* const> methods, bool of_levels) {
  const Method& method = *methods.front();
  const bool makes = method.kind == Kind::soft && (method.aim != Aim::performance || of_levels);
  if (methods.size() > 1 || !makes)
    throw UsageError("--levels needs one method that makes levels, such as --method tanimoto.");
}

Planned plan_run(FuseRequest& request, const files::Header& reference) {
  check_fractional(request);
  Planned planned{plan_for(request, {}), {}};
  planned.images = place_images(request, reference, planned.plan);
  check_every_frame(request, planned.images);
  for (const fs::path& image : planned.images) {
    files::check_reference(image, reference);
    planned.plan.add_image(image, reference.grid);
  }
  if (request.record.empty() && planned.images.size() > 1)
    request.record = (without_slash(request.output) / "record.json").string();
  if (!request.components.empty()) planned.plan.add_text(request.components, "the table of components");
  add_levels(planned.plan, request, reference);
  if (!request.page.output.empty()) add_page(planned.plan, request.page.output);
  add_record(planned.plan, request);
  planned.plan.check(request.write());
  return planned;
}

void fit_to_overlaps(FuseRequest& request, const raters::Case& counted, Planned& planned,
                     Warnings& warnings) {
  for (const fs::path& image : planned.images) raters::check_overlaps(counted, image);
  const std::vector<const Method*> kept = raters::keep_possible(counted, request.methods, warnings);
  std::vector<fs::path> images;
  for (std::size_t m = 0; m < planned.images.size(); ++m)
    if (std::find(kept.begin(), kept.end(), request.methods[m]) != kept.end())
      images.push_back(planned.images[m]);
  planned.images = std::move(images);
  request.methods = kept;
}

}  // namespace crema::cli
