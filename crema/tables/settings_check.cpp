// SPDX-License-Identifier: Apache-2.0
// Settings against methods, and against each other.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"

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

/// Those for what is given: those for levels alone are no help where masks are.
std::vector<const Method*> all_methods(const Settings& settings) {
  std::vector<const Method*> all;
  for (const Method& method : methods())
    if (settings.probabilities || takes_masks(method)) all.push_back(&method);
  return all;
}

std::vector<const Method*> all_that_accept(Accept kind, const Settings& settings) {
  return filter(all_methods(settings), kind, true);
}

/// Whether an exact tie can come up in such a run: in the method, between labels, or where levels are cut.
bool meets_ties(const Settings& settings, const Method& method) {
  const bool soft = method.kind == Kind::soft;
  if (settings.labels && !settings.probabilities)
    return method.several != Several::staple && method.several != Several::simple;
  if (soft && (settings.labels || settings.threshold_output || settings.cut_later)) return true;
  if (soft && settings.regions) return method.aim != Aim::performance;
  return accepts(method, Accept::tie);
}

/// Whether a setting can change what the method gives in such a run.
bool applies(const Setting& setting, const Settings& settings, const Method& method) {
  if (setting.applies_to == Accept::tie) return meets_ties(settings, method);
  return accepts(method, setting.applies_to);
}

/// Whether measures read it, or classes of levels are chosen by it, whatever the methods do.
bool read_anyway(const Settings& settings, const Setting& setting) {
  if (settings.probabilities && setting.name == "labels") return true;
  return settings.measured && setting.read_by == ReadBy::measures;
}

/// What to do about a result that no method proves.
std::string advice(const Setting& setting) {
  if (setting.name != "certify") return "";
  return fmt::format(" {} certifies any result, in a distance of your choice.", Sentence::command("certify"));
}

/// Refuses a setting that none of the methods accepts, and warns where only some do.
void check_one(const Setting& setting, const Settings& settings, Chosen chosen, Warnings& warnings) {
  const auto fits = [&](const Method* method) { return applies(setting, settings, *method); };
  std::vector<const Method*> others(chosen.begin(), chosen.end()), all = all_methods(settings);
  std::erase_if(others, fits);
  if (others.empty()) return;
  std::erase_if(all, [&](const Method* method) { return !fits(method); });
  if (others.size() == chosen.size())
    throw UsageError(fmt::format("{} applies to {} only, not to {}.{}", setting.marked(),
                                 list_names(all, " and "), list_names(others, " or "), advice(setting)));
  warnings.push_back({fmt::format("{} does not apply to {}.{}", setting.marked(), list_names(others, " and "),
                                  advice(setting)),
                      WarningKind::setting});
}

/// The preset that is about regions of levels.
bool is_of_levels(std::string_view preset) { return preset == "nnunet"; }

/// A preset is another package's STAPLE, whole; with several labels ITK's vote is one, too.
void check_preset(const Settings& settings, Chosen chosen) {
  if (settings.preset.empty() || is_of_levels(settings.preset)) return;
  auto others = filter(chosen, Accept::preset, false);
  if (settings.labels)
    std::erase_if(others, [](const Method* method) { return method->several == Several::plurality; });
  if ((settings.labels || settings.regions) && settings.preset != "itk")
    throw UsageError(fmt::format("{}: {} handles one label only; of the presets only itk handles several.",
                                 spelled("preset"), settings.preset));
  if (!others.empty())
    throw UsageError(fmt::format("{} applies to {} only, not to {}.", spelled("preset"),
                                 list_names(all_that_accept(Accept::preset, settings), " and "),
                                 list_names(others, " or ")));
  for (const std::string_view name : {"prior", "roi", "margin", "tolerance", "max_iterations"})
    if (was_given(settings, name))
      throw UsageError(
          fmt::format("{}: the preset {} sets it; give one of them.", spelled(name), settings.preset));
}

void check_proof(const Settings& settings) {
  if (settings.probabilities || settings.options.certify == Certify::yes ||
      settings.options.blocks == Blocks::group)
    return;
  for (const std::string_view name : {"budget", "budget_seconds"})
    if (was_given(settings, name))
      throw UsageError(fmt::format("{}: requires {} or {}.", spelled(name),
                                   Sentence::setting("certify", "True"),
                                   Sentence::setting("blocks", "group")));
}

void check_margin(const Settings& settings) {
  const Region::Kind kind = settings.options.region.kind;
  if (was_given(settings, "margin") && kind != Region::Kind::box && kind != Region::Kind::near_union)
    throw UsageError(
        fmt::format("{} requires {} or union.", spelled("margin"), Sentence::setting("roi", "box")));
}

void check_roi(const Settings& settings, Chosen chosen) {
  const auto others = filter(chosen, Accept::region, false);
  if (settings.options.region.kind == Region::Kind::mask && !others.empty())
    throw UsageError(fmt::format(
        "{}: a mask as region crops the raters' masks, which {} {} not support; run {} without it.",
        spelled("roi"), list_names(others, " and "), others.size() == 1 ? "does" : "do",
        others.size() == 1 ? "it" : "them"));
}

void check_measures(const Settings& settings) {
  if (was_given(settings, "seed") && settings.measures.replicates == 0)
    throw UsageError(fmt::format("{} requires {}.", spelled("seed"), spelled("bootstrap")));
}

/// A mask has nothing to cut.
void check_cut(const Settings& settings, Chosen chosen) {
  const bool soft = std::any_of(chosen.begin(), chosen.end(),
                                [](const Method* method) { return method->kind == Kind::soft; });
  if (was_given(settings, "threshold_output") && !chosen.empty() && !soft)
    throw UsageError(fmt::format("{} applies to soft methods only, not to {}.", spelled("threshold_output"),
                                 list_names(chosen, " or ")));
}

/// Colours stand for labels, which lie on no scale.
void check_palette(const Settings& settings) {
  if (!settings.palette.empty() && settings.threshold)
    throw UsageError(fmt::format("{} and {} exclude each other; give one of them.", spelled("palette"),
                                 spelled("threshold")));
}

/// Several labels are fused in a way that leaves nothing to do for some settings.
void check_labels(const Settings& settings, Chosen chosen) {
  if (!settings.labels && was_given(settings, "undecided") && !settings.probabilities)
    throw UsageError(fmt::format("{} requires {}.", spelled("undecided"), spelled("labels")));
  if (!settings.labels && !settings.regions) return;
  const std::string own = spelled(settings.regions ? "regions" : "labels");
  if (settings.labels && settings.regions)
    throw UsageError(fmt::format("{} and {} exclude each other; give one of them.", spelled("labels"),
                                 spelled("regions")));
  for (const std::string_view name :
       {"label", "segment", "threshold", "threshold_output", "consensus_threshold", "roi", "margin", "prior"})
    if (was_given(settings, name) && (settings.labels || name != "prior"))
      throw UsageError(fmt::format("{} and {} exclude each other; give one of them.", own, spelled(name)));
  if (settings.segments_are_raters)
    throw UsageError(fmt::format("{} and {} exclude each other; give one of them.", own,
                                 Sentence::setting("segments_are", "raters")));
  if (settings.search_weights)
    throw UsageError(
        fmt::format("{}: weights cannot be derived with {}; give them as numbers.", spelled("weights"), own));
  const auto others = filter(chosen, Accept::labels, false);
  if (settings.labels && !settings.probabilities && !others.empty())
    throw UsageError(fmt::format("{} applies to {} only, not to {}.", own,
                                 list_names(all_that_accept(Accept::labels, settings), " and "),
                                 list_names(others, " or ")));
}

/// Leaves out who does not accept what a setting wants, where others do.
Warnings keep_accepting(std::vector<const Method*>& methods, Accept kind, std::string_view setting) {
  const auto others = filter(methods, kind, false);
  if (others.empty() || others.size() == methods.size()) return {};
  methods = filter(methods, kind, true);
  return {{fmt::format("{} cannot be used with {} and {} left out.", list_names(others, " and "),
                       spelled(setting), others.size() == 1 ? "is" : "are"),
           WarningKind::setting}};
}

/// As people switch it on.
std::string levels_wanted() { return Sentence::setting("probabilities", "True"); }

/// Levels are not masks, and their blocks are what the method makes of them.
void check_levels(const Settings& settings, Chosen chosen) {
  if (!settings.probabilities) {
    for (const std::string_view name : {"floor", "logits"})
      if (was_given(settings, name))
        throw UsageError(fmt::format("{} requires {}.", spelled(name), levels_wanted()));
    if (is_of_levels(settings.preset))
      throw UsageError(
          fmt::format("{} requires {}.", Sentence::setting("preset", settings.preset), levels_wanted()));
    const bool none = !chosen.empty() && std::none_of(chosen.begin(), chosen.end(), [](const Method* method) {
      return takes_masks(*method);
    });
    if (none)
      throw UsageError(fmt::format("{} {} probability maps; give {}.", list_names(chosen, " and "),
                                   chosen.size() == 1 ? "takes" : "take", levels_wanted()));
    return;
  }
  for (const std::string_view name :
       {"threshold", "undecided", "palette", "blocks", "gap", "roi", "margin", "prior", "preset"})
    if (was_given(settings, name) && !(name == "preset" && is_of_levels(settings.preset)))
      throw UsageError(
          fmt::format("{} and {} exclude each other; give one of them.", levels_wanted(), spelled(name)));
  for (const std::string_view name : {"flip_weights", "uniqueness"})
    if (was_given(settings, name))
      throw UsageError(fmt::format("{} requires masks; leave it out, or cut the maps with {}.", spelled(name),
                                   Sentence::setting("threshold", "0.5")));
  if (is_of_levels(settings.preset) && !settings.labels && !settings.regions)
    throw UsageError(fmt::format("{}: requires regions; give {} or {}.",
                                 Sentence::setting("preset", settings.preset),
                                 Sentence::setting("labels", "all"), Sentence::setting("regions")));
  if (settings.logits == Logits::softmax && !settings.labels)
    throw UsageError(fmt::format("{}: a softmax needs all channels; give {}.",
                                 Sentence::setting("logits", "softmax"), Sentence::setting("labels", "all")));
  if (settings.search_weights)
    throw UsageError(fmt::format("{}: weights cannot be derived with {}; give them as numbers.",
                                 spelled("weights"), levels_wanted()));
  const auto unproven = filter(chosen, Accept::proof, false);
  if (settings.options.certify == Certify::yes && !chosen.empty() && unproven.size() == chosen.size())
    throw UsageError(fmt::format(
        "{}: with {} there is a proof for {} only, not for {}.", spelled("certify"), levels_wanted(),
        list_names(all_that_accept(Accept::proof, settings), " and "), list_names(unproven, " or ")));
}

/// Methods for probability maps, where masks are given: "all" stands for the others.
Warnings drop_level_methods(std::vector<const Method*>& chosen) {
  const auto for_levels = [](const Method* method) { return !takes_masks(*method); };
  std::vector<const Method*> dropped;
  std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(dropped), for_levels);
  if (dropped.empty() || dropped.size() == chosen.size()) return {};
  const bool all = chosen.size() == methods().size();
  std::erase_if(chosen, for_levels);
  if (all) return {};
  return {{fmt::format("{} {} probability maps and {} left out; give {}.", list_names(dropped, " and "),
                       dropped.size() == 1 ? "takes" : "take", dropped.size() == 1 ? "is" : "are",
                       levels_wanted()),
           WarningKind::setting}};
}

}  // namespace

Warnings keep_applicable(std::vector<const Method*>& methods, const Settings& settings) {
  if (settings.probabilities) return keep_accepting(methods, Accept::levels, "probabilities");
  Warnings warnings = drop_level_methods(methods);
  if (settings.labels) append(warnings, keep_accepting(methods, Accept::labels, "labels"));
  return warnings;
}

Warnings check(const Settings& settings, Chosen methods) {
  Warnings warnings;
  check_levels(settings, methods);
  check_labels(settings, methods);
  check_palette(settings);
  check_margin(settings);
  check_measures(settings);
  check_cut(settings, methods);
  if (methods.empty()) return warnings;
  check_preset(settings, methods);
  for (const Setting* setting : settings.given)
    if (setting->name != "preset" && !read_anyway(settings, *setting))
      check_one(*setting, settings, methods, warnings);
  check_proof(settings);
  check_roi(settings, methods);
  return warnings;
}

}  // namespace crema
