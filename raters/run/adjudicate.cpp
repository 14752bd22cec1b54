// SPDX-License-Identifier: Apache-2.0
#include "raters/run/adjudicate.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/text.h"

namespace crema::raters {
namespace {

/// A sentence of the library about what a file says is about that file.
template <class Step>
void of_the_file(const Step& step) {
  try {
    step();
  } catch (const UsageError& error) {
    throw InputError(error.sentence);
  }
}

std::string text_of(const SettingValue& value) {
  struct Spell {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool on) const { return on ? "True" : "False"; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<double>& list) const {
      return fmt::format("{}", fmt::join(list, ","));
    }
  };
  return std::visit(Spell(), value);
}

/// Settings that say how a run is done and not what comes of it.
bool changes_nothing(std::string_view name) {
  constexpr std::array<std::string_view, 7> list{"threads", "max_memory", "low_memory",    "gap",
                                                 "certify", "provenance", "budget_seconds"};
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

const Method& method_of(const Decisions& decisions) {
  const Method* method = nullptr;
  of_the_file([&] { method = &find_method(printable(decisions.method)); });
  if (!takes_masks(*method))
    throw InputError(fmt::format(
        "\"method\" is {}, which takes probability maps; decisions require masks or labels", method->name));
  return *method;
}

Settings settings_of(const Decisions& decisions) {
  Settings settings;
  of_the_file([&] {
    for (const DecidedSetting& one : decisions.settings) set(settings, one.name, one.text);
  });
  return settings;
}

Adjudicated adjudicate(const Case& counted, const Decisions& decisions, const Settings& settings,
                       const std::filesystem::path& path, Warnings& warnings) {
  if (counted.counts.nested() || counted.counts.overlapping())
    throw UsageError("decisions apply to masks and to labels that do not overlap, not to regions.");
  const Grid& grid = counted.counts.grid();
  if (grid.size != decisions.size)
    throw InputError(
        fmt::format("the decisions are of {} voxels, but the raters have {}; they are of another "
                    "case",
                    fmt::join(decisions.size, " × "), fmt::join(grid.size, " × ")));
  Outcome outcome = solve_method(counted, method_of(decisions), settings);
  append(warnings, outcome.warnings);
  Adjudicated result;
  const std::vector<Solution> solutions = outcome.structures;
  counted.options.memory->require("the consensus before and after the decisions",
                                  2 * grid.voxels() * std::int64_t{sizeof(float)}, "crop the images");
  const bool labelled = counted.labelled();
  // In 16 bits until the end: a decision may bring a label above 255 that the consensus lacks.
  Image image = labelled ? Image(outcome.joint->image) : Image();
  result.picture = paint_outcome(counted, outcome, path);
  if (!labelled) image = std::move(result.picture.image);
  const Image consensus = image;
  std::vector<DecidedStructure> structures;
  for (std::size_t s = 0; s < counted.structures(); ++s)
    structures.push_back({&counted.reduction(s), &solutions[s], counted.label(s),
                          labelled ? static_cast<double>(counted.counts.structures[s].structure.value) : 1});
  apply_verdicts(structures, decisions.list, consensus, image);
  result.applied = compare_images(consensus, image);
  if (labelled) image = files::label_image(path, std::get<LabelImage>(std::move(image)));
  result.picture.image = std::move(image);
  return result;
}

std::optional<std::vector<DecidedSetting>> decided_settings(const Settings& settings) {
  std::vector<DecidedSetting> list;
  for (const Setting* setting : settings.given) {
    if (changes_nothing(setting->name) || setting->group == "Measures" || setting->group == "Confidence")
      continue;
    if (!is_kept_by_decisions(setting->name)) return std::nullopt;
    const bool found = setting->name == "weights" && settings.search_weights;
    list.push_back({std::string(setting->name), found ? "auto" : text_of(setting->get(settings))});
  }
  return list;
}

}  // namespace crema::raters
