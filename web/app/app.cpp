// SPDX-License-Identifier: Apache-2.0
#include "web/app/app.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/tables/citation.h"
#include "files/format.h"
#include "raters/open/names.h"
#include "report/case/sections.h"
#include "web/wasm/what_if.h"

namespace crema::report {
namespace {

/// A page has four gigabytes at most, for files and all else.
constexpr std::int64_t kMemory = std::int64_t{3} << 30;

raters::Case counted_case(const std::vector<std::filesystem::path>& inputs, const Settings& settings,
                          std::span<const Method* const> methods, Needs needs) {
  const auto check_size = [](const files::Header& reference) {
    if (const std::int64_t voxels = reference.grid.voxels(); voxels > kMaxPageVoxels)
      throw InputError(
          fmt::format("{} voxels are more than the {} that this page takes; fuse these masks with the "
                      "program: crema fuse, or crema report for a page.",
                      voxels, kMaxPageVoxels));
  };
  return raters::load(
      {.paths = inputs, .settings = settings, .methods = methods, .needs = needs, .opened = check_size}, {});
}

Settings page_settings(Settings settings = {}) {
  settings.max_memory = kMemory;
  settings.options.threads = 1;
  return settings;
}

Settings with_labels(Settings settings) {
  settings.labels = parse_labels("all");
  return settings;
}

Shown show_case(const std::vector<std::filesystem::path>& inputs, const Settings& settings) {
  std::vector<const Method*> methods;
  for (const std::string& name : split(kMethods, ',')) methods.push_back(&find_method(name));
  Warnings warnings = keep_applicable(methods, settings);
  const raters::Case counted = counted_case(inputs, settings, methods, Needs::distances);
  append(warnings, counted.warnings);
  append(warnings, raters::warnings_about_size(counted.reference));
  const std::vector<raters::Outcome> outcomes = raters::solve_methods(counted, methods, settings, warnings);
  PageFacts facts{.methods = methods_sentence(methods), .bibtex = bibtex(methods)};
  for (const std::filesystem::path& input : inputs) facts.masks.push_back({input.string(), ""});
  facts.decided.emplace();
  if (counted.labelled()) facts.decided->push_back({"labels", "all"});
  facts.run.warnings = spelled(warnings, Spelling::program);
  return {.parts = lay_out(counted, outcomes, settings, facts, "Masks of this page", ""),
          .raters = counted.names,
          .labelled = counted.labelled()};
}

}  // namespace

Shown show_files(const std::vector<std::filesystem::path>& inputs) {
  try {
    return show_case(inputs, page_settings());
  } catch (const LabelsError&) {
    return show_case(inputs, with_labels(page_settings()));
  }
}

std::vector<std::uint8_t> fuse_files(const Shown& shown, std::string_view request) {
  const std::vector<std::string>& raters = shown.raters;
  const Question question = parse_question(request, static_cast<int>(raters.size()));
  std::vector<std::filesystem::path> inputs;
  for (const int k : left_of(question.without, static_cast<int>(raters.size())))
    inputs.emplace_back(raters[static_cast<std::size_t>(k)]);
  const std::vector<const Method*> methods{question.method};
  Settings settings = page_settings(question.settings);
  if (shown.labelled) settings = with_labels(settings);
  const raters::Case counted = counted_case(inputs, settings, methods, Needs::groups);
  raters::Outcome outcome = raters::solve_method(counted, *question.method, settings);
  const raters::Picture picture = raters::paint_outcome(counted, outcome, "consensus.nii");
  const files::Encoded encoded = files::encode_image("consensus.nii", picture.image, picture.reference);
  std::vector<std::uint8_t> bytes;
  for (const auto& piece : encoded.outputs.front().pieces)
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace crema::report
