// SPDX-License-Identifier: Apache-2.0
// Which labels the segments of several raters are.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"
#include "raters/open/segments.h"

namespace crema::raters {
namespace {

using files::Header;
using files::printable;

constexpr std::int64_t kMaxLabel = 65535;

/// One name, and the label value it has in the files.
struct Named {
  files::SegmentInfo segment;  ///< of the first file that has it
  const Header* first = nullptr;
  const Header* differs = nullptr;  ///< a file in which it has another value
  std::int64_t other = 0;           ///< that value
};

/// Places in a list of names.
using NameTable = std::unordered_map<std::string, std::size_t>;

void add_names(std::vector<Named>& names, NameTable& places, const Header& header) {
  std::set<std::string> own;
  for (const files::SegmentInfo& segment : header.segments) {
    if (!own.insert(segment.name).second)
      throw InputError(fmt::format("{}: has two segments named '{}'; rename one.", printable(header.path),
                                   printable(segment.name)));
    const auto [known, fresh] = places.try_emplace(segment.name, names.size());
    if (fresh) {
      names.push_back({segment, &header});
      continue;
    }
    Named& named = names[known->second];
    if (named.segment.value == segment.value || named.differs != nullptr) continue;
    named.differs = &header;
    named.other = segment.value;
  }
}

std::string list(const std::vector<Named>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + printable(names[i].segment.name);
  return text;
}

/// Why the values of the files cannot be the labels: each name must have one, and each value one name. Empty
/// where they can.
std::string disagreement(const std::vector<Named>& names) {
  std::map<std::int64_t, const Named*> by_value;
  std::string reason;
  for (const Named& named : names) {
    const std::string own = printable(named.segment.name);
    if (named.differs != nullptr)
      return fmt::format("segment '{}' has the label value {} in {} and {} in {}", own, named.segment.value,
                         printable(named.first->path), named.other, printable(named.differs->path));
    const std::int64_t value = named.segment.value;
    const auto [other, fresh] = by_value.try_emplace(value, &named);
    if (!reason.empty()) continue;
    if (value < 1 || value > kMaxLabel)
      reason = fmt::format("segment '{}' has the label value {}, which is not a valid label", own, value);
    else if (!fresh)
      reason = fmt::format("segments '{}' and '{}' have the same label value {}",
                           printable(other->second->segment.name), own, value);
  }
  return reason;
}

bool is_named(const LabelChoice& choice, const std::string& name) {
  return std::any_of(choice.chosen.begin(), choice.chosen.end(),
                     [&](const NamedLabels& named) { return named.name == name; });
}

/// Gives each name its number: the one it was given, the file's own where all agree, or the next that is
/// free.
void number_names(std::vector<Named>& names, const LabelChoice& choice, std::string_view setting,
                  Warnings& warnings) {
  std::map<std::string, std::uint16_t> given;
  bool by_number = false;
  for (const NamedLabels& named : choice.chosen) {
    if (!named.name.empty() && named.labels.size() == 1 && setting == "labels")
      given[named.name] = named.labels.front();
    by_number = by_number || setting == "regions" || named.name.empty();
  }
  const std::string reason = disagreement(names);
  const bool agree = reason.empty();
  if (!agree && by_number)
    throw InputError(
        fmt::format("{}: {}; choose segments by name.", Sentence::setting(setting, choice.text), reason));
  std::set<std::int64_t> taken;
  for (const auto& [name, value] : given) taken.insert(value);
  std::string reported;
  std::int64_t next = 1;
  for (Named& named : names) {
    const auto own = given.find(named.segment.name);
    if (own != given.end()) {
      named.segment.value = own->second;
      continue;
    }
    if (!agree || taken.contains(named.segment.value)) {
      while (taken.contains(next)) ++next;
      if (next > kMaxLabel)
        throw InputError(fmt::format("the files hold {} different segments, but at most {} can be fused.",
                                     names.size(), kMaxLabel));
      named.segment.value = next;
    }
    taken.insert(named.segment.value);
    if (choice.all || is_named(choice, named.segment.name))
      reported += fmt::format("{}{} {}", reported.empty() ? "" : ", ", named.segment.value,
                              printable(named.segment.name));
  }
  if (!agree && !reported.empty())
    warnings.push_back({fmt::format("{}; the labels are {}.", reason, reported), WarningKind::labels});
}

/// Names become numbers; a name that no file has is refused, or left out where it need not occur.
void resolve(LabelChoice& choice, const std::vector<Named>& names, bool some_without, Warnings& warnings) {
  std::vector<NamedLabels> kept;
  for (NamedLabels& chosen : choice.chosen) {
    const auto known = std::find_if(names.begin(), names.end(),
                                    [&](const Named& named) { return named.segment.name == chosen.name; });
    if (!chosen.name.empty() && known != names.end())
      chosen.labels = {static_cast<std::uint16_t>(known->segment.value)};
    if (chosen.name.empty() || known != names.end() || (some_without && !chosen.labels.empty())) {
      kept.push_back(std::move(chosen));
      continue;
    }
    const std::string text =
        fmt::format("{}: no rater has a segment '{}'; segments in use: {}.",
                    Sentence::setting("labels", choice.text), printable(chosen.name), list(names));
    if (!choice.preset) throw InputError(text);
    warnings.emplace_back(text, WarningKind::missing_label);
  }
  if (kept.empty() && !choice.all)
    throw InputError(fmt::format("{}: no rater has any of these segments; segments in use: {}.",
                                 Sentence::setting("labels", choice.text), list(names)));
  choice.chosen = std::move(kept);
}

/// Whether its labels have no names; somebody without a file has neither.
bool is_plain(const Header& header) { return header.segments.empty() && !header.absent; }

/// Files with names and files with numbers go together where the choice says which is which.
void check_mixture(std::span<const Header> headers, const LabelChoice& choice, std::string_view setting) {
  const auto plain =
      std::find_if(headers.begin(), headers.end(), [](const Header& header) { return is_plain(header); });
  const auto segmented = std::find_if(headers.begin(), headers.end(),
                                      [](const Header& header) { return !header.segments.empty(); });
  if (plain == headers.end() || segmented == headers.end() || setting == "regions") return;
  for (const NamedLabels& named : choice.chosen)
    if (!named.name.empty() && named.labels.empty())
      throw InputError(fmt::format("{}: holds labels without names; map '{}' to one, such as {}.",
                                   printable(plain->path), printable(named.name),
                                   Sentence::setting("labels", named.name + "=1")));
  if (choice.all)
    throw InputError(
        fmt::format("{}: holds labels without names, but {} holds segments; map names to labels, such as {}.",
                    printable(plain->path), printable(segmented->path),
                    Sentence::setting("labels", segmented->segments.front().name + "=1")));
}

void refuse_names(const LabelChoice& choice) {
  for (const NamedLabels& named : choice.chosen)
    if (named.labels.empty())
      throw InputError(fmt::format("{}: the files hold labels without names; map '{}' to one, such as {}.",
                                   Sentence::setting("labels", choice.text), printable(named.name),
                                   Sentence::setting("labels", named.name + "=1")));
}

/// A table of the labels that were chosen.
std::vector<bool> chosen_labels(const LabelChoice& choice) {
  std::vector<bool> chosen(static_cast<std::size_t>(kMaxLabel) + 1, choice.all);
  for (const NamedLabels& named : choice.chosen)
    for (const Label label : named.labels) chosen[label] = true;
  return chosen;
}

}  // namespace

void take_common_codes(files::SegmentInfo& to, std::span<const Header> headers) {
  const files::SegmentInfo* known = nullptr;
  to.category = to.type = {};
  for (const Header& header : headers)
    for (const files::SegmentInfo& own : header.segments) {
      if (own.name != to.name || own.type.value.empty()) continue;
      if (known != nullptr && !(own.category == known->category && own.type == known->type)) return;
      if (known == nullptr) known = &own;
    }
  if (known == nullptr) return;
  to.category = known->category;
  to.type = known->type;
}

SegmentLabels name_segments(std::span<const Header> headers, Settings& settings, Warnings& warnings) {
  SegmentLabels found{
      .labels = {}, .of_rater = std::vector<std::vector<StoredLabel>>(headers.size()), .left_out = {}};
  const std::string_view setting = settings.regions ? "regions" : "labels";
  LabelChoice& choice = settings.regions ? *settings.regions : *settings.labels;
  std::vector<Named> names;
  NameTable places;
  for (const Header& header : headers) add_names(names, places, header);
  if (names.empty()) {
    refuse_names(choice);
    return found;
  }
  check_mixture(headers, choice, setting);
  number_names(names, choice, setting, warnings);
  const bool some_without = std::any_of(headers.begin(), headers.end(), is_plain);
  if (!settings.regions) resolve(choice, names, some_without, warnings);
  const std::vector<bool> chosen = chosen_labels(choice);
  for (const Named& named : names) {
    if (!chosen[static_cast<std::size_t>(named.segment.value)]) {
      found.left_out.push_back(named.segment.name);
      continue;
    }
    found.labels.push_back(named.segment);
    take_common_codes(found.labels.back(), headers);
  }
  for (std::size_t k = 0; k < headers.size(); ++k)
    for (const files::SegmentInfo& segment : headers[k].segments) {
      const std::int64_t label = names[places.at(segment.name)].segment.value;
      if (chosen[static_cast<std::size_t>(label)])
        found.of_rater[k].push_back(
            {segment.layer, static_cast<Label>(segment.value), static_cast<Label>(label)});
    }
  return found;
}

}  // namespace crema::raters
