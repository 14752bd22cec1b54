// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/fuse_plan.h"

#include <fmt/format.h>

#include "crema/error.h"
#include "raters/labels.h"

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

/// Where the images go: with one method to a file, with several into a folder, named after the methods.
std::vector<fs::path> place_images(const FuseRequest& request, const files::Header& reference,
                                   files::OutputPlan& plan) {
  if (request.output.empty()) return {};
  if (request.methods.size() == 1) {
    const Method& method = *request.methods.front();
    require_image_name(request.output, method, reference);
    if (makes_levels(method, request) && !files::holds_levels(request.output))
      throw UsageError(fmt::format(
          "{}: {} makes levels, which a segment cannot hold; write .nrrd, or give {}.",
          files::printable(request.output), method.name, Sentence::setting("threshold_output", "0.5")));
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
  if (!request.settings.labels)
    throw UsageError(fmt::format("--levels goes with {}; {}.", Sentence::setting("labels"),
                                 request.settings.regions ? "regions are written as labels alone"
                                                          : "one mask's levels go where -o says"));
  const Method& method = *request.methods.front();
  if (request.methods.size() > 1 || method.kind != Kind::soft || method.aim == Aim::performance)
    throw UsageError("--levels needs one method that makes levels, such as --method tanimoto.");
  if (path.ends_with(".npz")) return plan.add_text(path, "the levels");
  if (!path.ends_with(".nii.gz") && !path.ends_with(".nii"))
    throw UsageError(fmt::format("{}: levels of several labels are written as .nii.gz, .nii or .npz.",
                                 files::printable(path)));
  plan.add_image(path, reference.grid, "the levels");
}

}  // namespace

Planned plan_run(FuseRequest& request, const files::Header& reference) {
  Planned planned{plan_for(request, {}), {}};
  planned.images = place_images(request, reference, planned.plan);
  for (const fs::path& image : planned.images) planned.plan.add_image(image, reference.grid);
  if (request.record.empty() && planned.images.size() > 1)
    request.record = (without_slash(request.output) / "record.json").string();
  if (!request.components.empty()) planned.plan.add_text(request.components, "the table of components");
  add_levels(planned.plan, request, reference);
  if (!request.page.output.empty()) add_page(planned.plan, request.page.output);
  add_record(planned.plan, request);
  planned.plan.check(request.write());
  return planned;
}

}  // namespace crema::cli
