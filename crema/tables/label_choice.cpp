// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/label_choice.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema {
namespace {

constexpr int kMaxLabel = 65535;

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool starts_a_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

std::uint16_t parse_label(std::string_view text) {
  int value = 0;
  if (is_number(text) && text.size() <= 5)
    for (const char c : text) value = 10 * value + (c - '0');
  if (value < 1 || value > kMaxLabel)
    throw UsageError(fmt::format("\"{}\" is not a valid label; labels are whole numbers from 1 to {}.",
                                 printable(text), kMaxLabel));
  return static_cast<std::uint16_t>(value);
}

/// The name before "=" and what stands behind it; the name is empty where there is no "=".
std::pair<std::string, std::string> name_and_rest(const std::string& item) {
  const std::size_t sign = item.find('=');
  if (sign == std::string::npos) return {"", std::string(trimmed(item))};
  const std::string name(trimmed(item.substr(0, sign)));
  if (name.empty()) throw UsageError(fmt::format("\"{}\" has no name before \"=\".", printable(item)));
  return {name, std::string(trimmed(item.substr(sign + 1)))};
}

void refuse_twice(const std::vector<NamedLabels>& chosen, const NamedLabels& fresh) {
  for (const NamedLabels& known : chosen) {
    if (!fresh.name.empty() && known.name == fresh.name)
      throw UsageError(fmt::format("{} is named twice.", printable(fresh.name)));
    if (!fresh.labels.empty() && known.labels == fresh.labels)
      throw UsageError(fmt::format("label {} is named twice.", fresh.labels.front()));
  }
}

/// Regions as they were typed, of which one may name another.
class RegionTable {
 public:
  explicit RegionTable(std::string_view text) {
    for (const std::string& item : split(text, ',')) {
      auto [name, rest] = name_and_rest(item);
      if (name.empty() || rest.empty())
        throw UsageError(
            fmt::format("\"{}\" is not a valid region; write its name, \"=\" and its labels, such as "
                        "whole=1+2+4.",
                        printable(item)));
      if (std::find(names_.begin(), names_.end(), name) != names_.end())
        throw UsageError(fmt::format("{} is named twice.", printable(name)));
      names_.push_back(name);
      terms_.push_back(split(rest, '+'));
    }
  }

  [[nodiscard]] std::vector<NamedLabels> resolve() const {
    std::vector<NamedLabels> regions;
    for (std::size_t r = 0; r < names_.size(); ++r) {
      std::vector<std::size_t> way;
      NamedLabels region{names_[r], labels_of(r, way)};
      std::sort(region.labels.begin(), region.labels.end());
      region.labels.erase(std::unique(region.labels.begin(), region.labels.end()), region.labels.end());
      regions.push_back(std::move(region));
    }
    return regions;
  }

 private:
  std::vector<std::uint16_t> labels_of(std::size_t region, std::vector<std::size_t>& way) const {
    if (std::find(way.begin(), way.end(), region) != way.end())
      throw UsageError(
          fmt::format("{} contains itself: the regions form a circle.", printable(names_[region])));
    way.push_back(region);
    std::vector<std::uint16_t> labels;
    for (const std::string& term : terms_[region]) {
      const std::string own(trimmed(term));
      const auto named = std::find(names_.begin(), names_.end(), own);
      if (named == names_.end() || is_number(own)) {
        labels.push_back(parse_label(own));
        continue;
      }
      const auto more = labels_of(static_cast<std::size_t>(named - names_.begin()), way);
      labels.insert(labels.end(), more.begin(), more.end());
    }
    way.pop_back();
    return labels;
  }

  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> terms_;
};

struct Table {
  std::string_view name, text;
};

constexpr std::array kTables{Table{"brats", "whole=1+2+4,core=1+4,enhancing=4"},
                             Table{"brats2023", "whole=1+2+3,core=1+3,enhancing=3"}};

}  // namespace

void check_nesting(const std::vector<NamedLabels>& regions) {
  for (std::size_t a = 0; a < regions.size(); ++a)
    for (std::size_t b = a + 1; b < regions.size(); ++b) {
      const auto &one = regions[a].labels, &other = regions[b].labels;
      if (one == other)
        throw UsageError(fmt::format("{} and {} hold the same labels, so each lies inside the other.",
                                     printable(regions[a].name), printable(regions[b].name)));
      std::vector<std::uint16_t> both;
      std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
      if (!both.empty() && both != one && both != other)
        throw UsageError(fmt::format("{} and {} overlap in label {}, but neither lies inside the other.",
                                     printable(regions[a].name), printable(regions[b].name), both.front()));
    }
}

LabelChoice parse_labels(std::string_view text) {
  LabelChoice choice{.text = std::string(text), .all = text == "all", .chosen = {}};
  if (choice.all) return choice;
  for (const std::string& item : split(text, ',')) {
    const auto [name, rest] = name_and_rest(item);
    if (rest.find('+') != std::string::npos)
      throw UsageError(
          fmt::format("\"{}\" joins labels; {} does that.", printable(item), Sentence::setting("regions")));
    const bool segment = name.empty() && !rest.empty() && !starts_a_number(rest.front());
    NamedLabels label = segment ? NamedLabels{rest, {}} : NamedLabels{name, {parse_label(rest)}};
    refuse_twice(choice.chosen, label);
    choice.chosen.push_back(std::move(label));
  }
  return choice;
}

LabelChoice parse_regions(std::string_view text) {
  LabelChoice choice{.text = std::string(text), .chosen = {}};
  const auto table =
      std::find_if(kTables.begin(), kTables.end(), [&](const Table& t) { return t.name == text; });
  choice.preset = table != kTables.end();
  choice.chosen = RegionTable(choice.preset ? table->text : text).resolve();
  check_nesting(choice.chosen);
  return choice;
}

}  // namespace crema
