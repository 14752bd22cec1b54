// SPDX-License-Identifier: Apache-2.0
#include "report/app/app.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/citation.h"
#include "crema/error.h"
#include "crema/text.h"
#include "files/format.h"
#include "raters/names.h"
#include "report/sections.h"
#include "report/wasm/what_if.h"

namespace crema::report {
namespace {

/// A page has four gigabytes at most, for files and all else.
constexpr std::int64_t kMemory = std::int64_t{3} << 30;

raters::Case counted_case(const std::vector<std::filesystem::path>& inputs, const Settings& settings,
                          Needs needs) {
  raters::RaterFiles files = raters::open_raters(inputs, settings);
  if (const std::int64_t voxels = files.reference.grid.voxels(); voxels > kMostVoxels)
    throw InputError(
        fmt::format("{} voxels are more than the {} that this page takes; fuse these masks with the "
                    "program: crema fuse, or crema report for a page.",
                    voxels, kMostVoxels));
  return raters::count(raters::from_files(std::move(files)), settings, needs, {});
}

Settings page_settings(Settings settings = {}) {
  settings.max_memory = kMemory;
  settings.options.threads = 1;
  return settings;
}

}  // namespace

Shown show_files(const std::vector<std::filesystem::path>& inputs) {
  std::vector<const Method*> methods;
  for (const std::string& name : split(kMethods, ',')) methods.push_back(&find_method(name));
  const Settings settings = page_settings();
  const raters::Case counted =
      counted_case(inputs, settings, std::max(raters::needs_of(methods), Needs::distances));
  if (counted.reduction->crowns.empty())
    throw InputError("no rater drew anything, so that there is nothing to show; give other masks.");
  Warnings warnings = counted.warnings;
  append(warnings, raters::warnings_about_size(counted));
  std::vector<raters::Outcome> outcomes = raters::solve_methods(counted, methods, settings, warnings);
  const Findings findings = find_out(counted, std::move(outcomes), settings, "Masks of this page");
  PageFacts facts{.methods = methods_sentence(methods), .bibtex = bibtex(methods)};
  facts.run.warnings = texts(warnings, Spelling::program);
  const Material material{counted, findings, settings, facts};
  return {
      .payload = make_payload(counted, findings, facts), .html = body(material, ""), .raters = counted.names};
}

std::vector<std::uint8_t> fuse_files(const std::vector<std::string>& raters, std::string_view request) {
  const Question question = parse_question(request, static_cast<int>(raters.size()));
  std::vector<std::filesystem::path> inputs;
  for (const int k : left_of(question.without, static_cast<int>(raters.size())))
    inputs.emplace_back(raters[static_cast<std::size_t>(k)]);
  const std::vector<const Method*> methods{question.method};
  const Settings settings = page_settings(question.settings);
  check(settings, methods);
  const raters::Case counted = counted_case(inputs, settings, raters::needs_of(methods));
  raters::Outcome outcome = raters::solve_method(counted, *question.method, settings);
  const Image image = raters::paint_outcome(counted, outcome);
  files::Header reference = counted.reference;
  reference.consensus = true;
  const files::Encoded encoded = files::encode_image("consensus.nii", image, reference);
  std::vector<std::uint8_t> bytes;
  for (const auto& piece : encoded.outputs.front().pieces)
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace crema::report
