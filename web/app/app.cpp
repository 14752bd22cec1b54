// SPDX-License-Identifier: Apache-2.0
#include "web/app/app.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/tables/citation.h"
#include "crema/tables/setting_values.h"
#include "files/format.h"
#include "files/parts.h"
#include "raters/open/names.h"
#include "raters/read/grey_image.h"
#include "raters/run/adjudicate.h"
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
          fmt::format("{} voxels exceed the limit of {} for this page; use the program: crema fuse, or crema "
                      "report for a page.",
                      voxels, kMaxPageVoxels));
  };
  return raters::load(
      {.paths = inputs, .settings = settings, .methods = methods, .needs = needs, .opened = check_size}, {});
}

Settings with_labels(Settings settings) {
  settings.labels = parse_labels("all");
  return settings;
}

/// What decisions keep of how to read the files.
std::vector<DecidedSetting> decided_settings(const Settings& settings) {
  std::vector<DecidedSetting> list;
  if (settings.labels) list.push_back({"labels", "all"});
  if (settings.threshold) list.push_back({"threshold", fmt::format("{}", *settings.threshold)});
  return list;
}

Shown show_case(const Dropped& dropped, const Settings& settings) {
  std::vector<const Method*> methods;
  for (const std::string& name : split(settings.probabilities ? kLevelMethods : kMethods, ','))
    methods.push_back(&find_method(name));
  Warnings warnings = keep_applicable(methods, settings);
  const raters::Case counted = counted_case(dropped.masks, settings, methods, Needs::distances);
  append(warnings, counted.warnings);
  methods = raters::keep_possible(counted, methods, warnings);
  append(warnings, raters::warnings_about_size(counted.reference));
  raters::GreyImage grey;
  PageFacts facts{.run = {}, .command = "", .methods = methods_sentence(methods), .bibtex = bibtex(methods)};
  if (!dropped.image.empty()) {
    const raters::GreyFile file = raters::open_grey(dropped.image, counted.reference, settings);
    grey = raters::read_grey(file, counted.counts.grid(), settings);
    append(warnings, grey.warnings);
    facts.image = &grey;
  }
  const std::vector<raters::Outcome> outcomes = raters::solve_methods(counted, methods, settings, warnings);
  // The page knows the sums of what was dropped: the path of each file stands in the place of its sum.
  for (const std::filesystem::path& mask : dropped.masks)
    for (const std::filesystem::path& part : files::parts_of_file(mask)) {
      const std::string path = part.lexically_normal().string();
      facts.masks.push_back({path, path});
    }
  facts.decided = decided_settings(settings);
  facts.photo = dropped.photo;
  facts.run.warnings = spelled(warnings, Spelling::program);
  Shown shown{.parts = lay_out(counted, outcomes, settings, facts, "Masks of this page", ""),
              .grey = {},
              .raters = counted.names,
              .settings = settings};
  shown.grey = grey_of_all(counted, facts);
  return shown;
}

std::vector<std::uint8_t> bytes_of(const std::string& name, const raters::Picture& picture) {
  const files::Encoded encoded = files::encode_image(name, picture.image, picture.reference);
  std::vector<std::uint8_t> bytes;
  for (const auto& piece : encoded.outputs.front().pieces)
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace

Dropped parse_dropped(std::string_view request) {
  Dropped dropped;
  Settings& settings = dropped.settings;
  settings.max_memory = kMemory;
  settings.options.threads = 1;
  settings.takes_levels = true;
  settings.offers_image = true;
  settings.measured = true;
  for (const std::string& line : split(request, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string name = line.substr(0, blank), value = line.substr(blank + 1);
    if (name == "mask")
      dropped.masks.emplace_back(value);
    else if (name == "image")
      dropped.image = value;
    else if (name == "photo")
      dropped.photo = true;
    else
      set(settings, name, value);
  }
  return dropped;
}

Shown show_files(const Dropped& dropped) {
  try {
    return show_case(dropped, dropped.settings);
  } catch (const LabelsError&) {
    return show_case(dropped, with_labels(dropped.settings));
  }
}

std::vector<std::uint8_t> apply_to_files(const Shown& shown, std::string_view text,
                                         const std::string& ending) {
  const Decisions decisions = parse_decisions(text);
  const Method& method = raters::method_of(decisions);
  const std::vector<const Method*> methods{&method};
  const std::vector<std::filesystem::path> inputs(shown.raters.begin(), shown.raters.end());
  const raters::Case counted = counted_case(inputs, shown.settings, methods, Needs::distances);
  const std::string name = "final" + ending;
  Warnings warnings;
  const raters::Adjudicated result = raters::adjudicate(counted, decisions, shown.settings, name, warnings);
  return bytes_of(name, result.picture);
}

std::vector<std::uint8_t> fuse_files(const Shown& shown, std::string_view request,
                                     const std::string& ending) {
  const std::vector<std::string>& raters = shown.raters;
  const Question question = parse_question(request, static_cast<int>(raters.size()));
  std::vector<std::filesystem::path> inputs;
  for (const int k : left_of(question.without, static_cast<int>(raters.size())))
    inputs.emplace_back(raters[static_cast<std::size_t>(k)]);
  const std::vector<const Method*> methods{question.method};
  Settings settings = shown.settings;
  settings.options = question.settings.options;
  settings.options.threads = 1;
  settings.widest_axis = question.settings.widest_axis;
  const raters::Case counted = counted_case(inputs, settings, methods, Needs::groups);
  raters::Outcome outcome = raters::solve_method(counted, *question.method, settings);
  const std::string name = "consensus" + ending;
  return bytes_of(name, raters::paint_outcome(counted, outcome, name));
}

std::vector<std::pair<std::string, std::string>> offers_of(const Sentence& refusal) {
  const std::string sample = Sentence::setting("x");
  const std::string& text = refusal.marked();
  std::vector<std::pair<std::string, std::string>> offers;
  for (std::size_t at = text.find(sample.front()); at != std::string::npos;
       at = text.find(sample.front(), at + 1)) {
    const std::size_t end = std::min(text.find(sample.back(), at), text.size());
    const std::string mark = text.substr(at + 1, end - at - 1);
    const std::size_t equals = std::min(mark.find('='), mark.size());
    const std::string name = mark.substr(0, equals), value = mark.substr(std::min(equals + 1, mark.size()));
    if (name == "image" || (!value.empty() && name != "like")) offers.emplace_back(name, value);
  }
  return offers;
}

}  // namespace crema::report
