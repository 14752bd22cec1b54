// SPDX-License-Identifier: Apache-2.0
#include "crema/records/review_words.h"

#include <array>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "crema/records/units.h"

namespace crema {
namespace {

std::string list_of(Raters raters, std::span<const std::string> names) {
  std::string text;
  for (; raters != 0; raters &= raters - 1)
    text += (text.empty() ? "" : ", ") + names[static_cast<std::size_t>(std::countr_zero(raters))];
  return text;
}

std::string_view times(std::size_t count) {
  constexpr std::array<std::string_view, 4> words{"two", "three", "four", "five"};
  return count >= 2 && count < 6 ? words[count - 2] : "several";
}

std::string seen_words(const ReviewItem& item, std::size_t raters) {
  return fmt::format("{} of {} saw it", std::popcount(item.seen), raters);
}

std::string component_words(const ReviewItem& item, std::span<const std::string> raters) {
  const bool kept = item.inside > 0;
  std::string text = seen_words(item, raters.size()) + (kept ? "; kept" : "; left out");
  if (item.flips != 0)
    text += fmt::format(", but {} without {}", kept ? "left out" : "kept",
                        list_of(item.flips, raters) + (std::popcount(item.flips) > 1 ? " (each)" : ""));
  return text;
}

std::string zone_words(const ReviewItem& item, const Grid& grid, std::size_t raters) {
  if (item.apart) return fmt::format("border up to {:.1f} {} apart", *item.apart, length_unit(grid));
  if (!item.common) {
    const int seen = std::popcount(item.seen);
    const bool all = static_cast<std::size_t>(seen) == raters;
    return fmt::format("nothing in common of the {}{}", seen, all ? "" : " who saw it");
  }
  return "border disputed";
}

/// "labelled liver by A, B and spleen by C".
std::string label_words(const ReviewItem& item, std::span<const std::string> raters) {
  std::map<std::string, std::string> by_label;
  for (std::size_t k = 0; k < item.said.size(); ++k)
    if (!item.said[k].empty())
      by_label[item.said[k]] += (by_label[item.said[k]].empty() ? "" : ", ") + raters[k];
  if (by_label.size() < 2) return "";
  std::string text;
  for (const auto& [label, names] : by_label)
    text += fmt::format("{}{} by {}", text.empty() ? "labelled " : " and ", label, names);
  return text;
}

}  // namespace

std::string review_words(const ReviewItem& item, const Grid& grid, std::span<const std::string> raters) {
  std::string text = label_words(item, raters);
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (item.reason == ReviewReason::zone)
    add(zone_words(item, grid, raters.size()));
  else
    add(component_words(item, raters));
  if (item.merged_by >= 0)
    add(fmt::format("{} merged {} regions", raters[static_cast<std::size_t>(item.merged_by)],
                    times(item.merged)));
  return text;
}

}  // namespace crema
