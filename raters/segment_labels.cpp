// SPDX-License-Identifier: Apache-2.0
// Which labels the segments of several raters are.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "crema/error.h"
#include "raters/segments.h"

namespace crema::raters {
namespace {

using files::Header;
using files::printable;

constexpr std::int64_t kMostLabel = 65535;

/// One name, and the label value it has in the files.
struct Named {
  files::SegmentInfo segment;  ///< of the first file that has it
  const Header* first = nullptr;
  const Header* differs = nullptr;  ///< a file in which it has another value
  std::int64_t other = 0;           ///< that value
};

void add_names(std::vector<Named>& names, const Header& header) {
  std::set<std::string> own;
  for (const files::SegmentInfo& segment : header.segments) {
    if (!own.insert(segment.name).second)
      throw InputError(fmt::format("{}: has two segments of the name '{}'; rename one.",
                                   printable(header.path), printable(segment.name)));
    const auto known = std::find_if(names.begin(), names.end(),
                                    [&](const Named& named) { return named.segment.name == segment.name; });
    if (known == names.end()) {
      names.push_back({segment, &header});
    } else if (known->segment.value != segment.value && known->differs == nullptr) {
      known->differs = &header;
      known->other = segment.value;
    }
  }
}

std::string list(const std::vector<Named>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + printable(names[i].segment.name);
  return text;
}

/// The values of the files, where each name has one and each value one name.
bool values_agree(const std::vector<Named>& names) {
  std::set<std::int64_t> values;
  return std::all_of(names.begin(), names.end(), [&](const Named& named) {
    const std::int64_t value = named.segment.value;
    return named.differs == nullptr && value >= 1 && value <= kMostLabel && values.insert(value).second;
  });
}

[[noreturn]] void refuse_numbers(const std::vector<Named>& names, std::string_view setting,
                                 const LabelChoice& choice) {
  for (const Named& named : names)
    if (named.differs != nullptr)
      throw InputError(fmt::format(
          "{}: segment '{}' has the label value {} in {} and {} in {}; choose segments by name.",
          Sentence::setting(setting, choice.text), printable(named.segment.name), named.segment.value,
          printable(named.first->path), named.other, printable(named.differs->path)));
  throw InputError(fmt::format("{}: several segments have one label value; choose segments by name.",
                               Sentence::setting(setting, choice.text)));
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
  const bool agree = values_agree(names);
  if (!agree && by_number) refuse_numbers(names, setting, choice);
  std::set<std::int64_t> taken;
  for (const auto& [name, value] : given) taken.insert(value);
  std::string told;
  std::int64_t next = 1;
  for (Named& named : names) {
    const auto own = given.find(named.segment.name);
    if (own != given.end()) {
      named.segment.value = own->second;
      continue;
    }
    if (!agree || taken.contains(named.segment.value)) {
      while (taken.contains(next)) ++next;
      named.segment.value = next;
    }
    taken.insert(named.segment.value);
    told +=
        fmt::format("{}{} {}", told.empty() ? "" : ", ", named.segment.value, printable(named.segment.name));
  }
  if (!agree && !told.empty())
    warnings.push_back(fmt::format("the files number their segments differently; the labels are {}.", told));
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
        fmt::format("{}: no rater has a segment '{}'; there are {}.",
                    Sentence::setting("labels", choice.text), printable(chosen.name), list(names));
    if (!choice.preset) throw InputError(text);
    warnings.emplace_back(text);
  }
  if (kept.empty() && !choice.all)
    throw InputError(fmt::format("{}: no rater has any of these segments; there are {}.",
                                 Sentence::setting("labels", choice.text), list(names)));
  choice.chosen = std::move(kept);
}

/// Files with names and files with numbers go together where the choice says which is which.
void check_mixture(std::span<const Header> headers, const LabelChoice& choice, std::string_view setting) {
  const auto plain = std::find_if(headers.begin(), headers.end(),
                                  [](const Header& header) { return header.segments.empty(); });
  const auto segmented = std::find_if(headers.begin(), headers.end(),
                                      [](const Header& header) { return !header.segments.empty(); });
  if (plain == headers.end() || segmented == headers.end() || setting == "regions") return;
  for (const NamedLabels& named : choice.chosen)
    if (!named.name.empty() && named.labels.empty())
      throw InputError(fmt::format("{}: holds labels without names; say which is '{}', such as {}.",
                                   printable(plain->path), printable(named.name),
                                   Sentence::setting("labels", named.name + "=1")));
  if (choice.all)
    throw InputError(
        fmt::format("{}: holds labels without names, but {} holds segments; say which is which, such as {}.",
                    printable(plain->path), printable(segmented->path),
                    Sentence::setting("labels", segmented->segments.front().name + "=1")));
}

void refuse_names(const LabelChoice& choice) {
  for (const NamedLabels& named : choice.chosen)
    if (named.labels.empty())
      throw InputError(fmt::format("{}: the files hold labels without names; say which is '{}', such as {}.",
                                   Sentence::setting("labels", choice.text), printable(named.name),
                                   Sentence::setting("labels", named.name + "=1")));
}

bool chosen(const LabelChoice& choice, std::int64_t value) {
  return choice.all || std::any_of(choice.chosen.begin(), choice.chosen.end(), [&](const NamedLabels& named) {
           return std::find(named.labels.begin(), named.labels.end(), value) != named.labels.end();
         });
}

}  // namespace

SegmentLabels name_segments(std::span<const Header> headers, Settings& settings, Warnings& warnings) {
  SegmentLabels found{
      .labels = {}, .of_rater = std::vector<std::vector<StoredLabel>>(headers.size()), .left_out = {}};
  const std::string_view setting = settings.regions ? "regions" : "labels";
  LabelChoice& choice = settings.regions ? *settings.regions : *settings.labels;
  std::vector<Named> names;
  for (const Header& header : headers) add_names(names, header);
  if (names.empty()) {
    refuse_names(choice);
    return found;
  }
  check_mixture(headers, choice, setting);
  number_names(names, choice, setting, warnings);
  const bool some_without =
      std::any_of(headers.begin(), headers.end(), [](const Header& h) { return h.segments.empty(); });
  if (!settings.regions) resolve(choice, names, some_without, warnings);
  for (const Named& named : names) {
    if (chosen(choice, named.segment.value))
      found.labels.push_back(named.segment);
    else
      found.left_out.push_back(named.segment.name);
  }
  for (std::size_t k = 0; k < headers.size(); ++k)
    for (const files::SegmentInfo& segment : headers[k].segments)
      for (const files::SegmentInfo& label : found.labels)
        if (label.name == segment.name)
          found.of_rater[k].push_back(
              {segment.layer, static_cast<Label>(segment.value), static_cast<Label>(label.value)});
  return found;
}

}  // namespace crema::raters
