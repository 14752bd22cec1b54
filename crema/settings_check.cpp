// SPDX-License-Identifier: Apache-2.0
// Settings against methods, and against each other.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/settings.h"

namespace crema {
namespace {

using Chosen = std::span<const Method* const>;

std::string spelled(std::string_view name) { return find_setting(name).marked(); }

std::vector<const Method*> filter(Chosen from, Accept kind, bool wanted) {
  std::vector<const Method*> found;
  std::copy_if(from.begin(), from.end(), std::back_inserter(found),
               [&](const Method* method) { return accepts(*method, kind) == wanted; });
  return found;
}

std::vector<const Method*> all_that_accept(Accept kind) {
  std::vector<const Method*> all;
  for (const Method& method : methods()) all.push_back(&method);
  return filter(all, kind, true);
}

/// What to do about a result that no method proves.
std::string advice(const Setting& setting) {
  if (setting.name != "certify") return "";
  return fmt::format(" {} certifies any result, in a distance of your choice.", Sentence::command("certify"));
}

/// Refuses a setting that none of the methods accepts, and warns where only some do.
void check_one(const Setting& setting, Chosen chosen, Warnings& warnings) {
  const auto others = filter(chosen, setting.applies_to, false);
  if (others.empty()) return;
  if (others.size() == chosen.size())
    throw UsageError(fmt::format("{} applies to {} only, not to {}.{}", setting.marked(),
                                 list_names(all_that_accept(setting.applies_to), " and "),
                                 list_names(others, " or "), advice(setting)));
  warnings.push_back(fmt::format("{} does not apply to {}.{}", setting.marked(), list_names(others, " and "),
                                 advice(setting)));
}

/// A preset is another package's STAPLE, whole; with several labels ITK's vote is one, too.
void check_preset(const Settings& settings, Chosen chosen) {
  if (settings.preset.empty()) return;
  auto others = filter(chosen, Accept::preset, false);
  if (settings.labels)
    std::erase_if(others, [](const Method* method) { return method->name == std::string_view("majority"); });
  if ((settings.labels || settings.regions) && settings.preset != "itk")
    throw UsageError(fmt::format("{}: {} knows of one label only; of the presets itk knows of several.",
                                 spelled("preset"), settings.preset));
  if (!others.empty())
    throw UsageError(fmt::format("{} applies to {} only, not to {}.", spelled("preset"),
                                 list_names(all_that_accept(Accept::preset), " and "),
                                 list_names(others, " or ")));
  for (const std::string_view name : {"prior", "region", "margin", "tolerance", "max_iterations"})
    if (was_given(settings, name))
      throw UsageError(fmt::format("{}: the preset {} settles that; leave one of them out.", spelled(name),
                                   settings.preset));
}

void check_proof(const Settings& settings) {
  if (settings.options.certify == Certify::yes || settings.options.blocks == Blocks::group) return;
  for (const std::string_view name : {"budget", "budget_seconds"})
    if (was_given(settings, name))
      throw UsageError(fmt::format("{}: there is nothing to prove without {} or {}.", spelled(name),
                                   Sentence::setting("certify", "True"),
                                   Sentence::setting("blocks", "group")));
}

void check_region(const Settings& settings, Chosen chosen) {
  const Region::Kind kind = settings.options.region.kind;
  if (was_given(settings, "margin") && kind != Region::Kind::box && kind != Region::Kind::near_union)
    throw UsageError(fmt::format("{} goes with {} or {}.", spelled("margin"),
                                 Sentence::setting("region", "box"), Sentence::setting("region", "union")));
  const auto others = filter(chosen, Accept::region, false);
  if (kind == Region::Kind::mask && !others.empty())
    throw UsageError(
        fmt::format("{}: a mask takes part of the raters' masks away, but {} {} no region; run {} "
                    "without it.",
                    spelled("region"), list_names(others, " and "), others.size() == 1 ? "has" : "have",
                    others.size() == 1 ? "it" : "them"));
}

/// Several labels go their own way, on which some settings make no sense.
void check_labels(const Settings& settings, Chosen chosen) {
  if (!settings.labels && !settings.regions) {
    if (was_given(settings, "undecided"))
      throw UsageError(fmt::format("{} goes with {}.", spelled("undecided"), spelled("labels")));
    return;
  }
  const std::string own = spelled(settings.regions ? "regions" : "labels");
  if (settings.labels && settings.regions)
    throw UsageError(fmt::format("{} and {} exclude each other; give one of them.", spelled("labels"),
                                 spelled("regions")));
  for (const std::string_view name :
       {"label", "segment", "threshold", "threshold_output", "region", "margin", "prior"})
    if (was_given(settings, name))
      throw UsageError(fmt::format("{} and {} exclude each other; give one of them.", own, spelled(name)));
  if (settings.search_weights)
    throw UsageError(fmt::format("{}: weights are not searched for with {}; give them as numbers.",
                                 spelled("weights"), own));
  auto others = filter(chosen, Accept::labels, false);
  for (const Method* method : chosen)
    if (settings.regions && (method->aim == Aim::performance || method->aim == Aim::shape))
      others.push_back(method);
  if (!others.empty())
    throw UsageError(fmt::format("{} applies to {} only, not to {}.", own,
                                 list_names(all_that_accept(Accept::labels), " and "),
                                 list_names(others, " or ")));
}

}  // namespace

Warnings check(const Settings& settings, Chosen methods) {
  Warnings warnings;
  check_labels(settings, methods);
  check_preset(settings, methods);
  for (const Setting* setting : settings.given)
    if (setting->name != "preset") check_one(*setting, methods, warnings);
  check_proof(settings);
  check_region(settings, methods);
  return warnings;
}

}  // namespace crema
