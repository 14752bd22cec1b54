// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "crema/gather.h"

namespace crema {
namespace {

bool drew(const Group& group, std::size_t k) { return (group.raters >> k & 1) != 0; }

std::vector<std::int64_t> sizes(const Groups& groups) {
  std::vector<std::int64_t> size(static_cast<std::size_t>(groups.raters), 0);
  for (const Group& row : groups.rows)
    for (std::size_t k = 0; k < size.size(); ++k)
      if (drew(row, k)) size[k] += row.voxels;
  return size;
}

/// Voxels that one of two raters drew and the other did not.
std::int64_t difference(const Groups& groups, std::size_t j, std::size_t k) {
  std::int64_t sum = 0;
  for (const Group& row : groups.rows)
    if (drew(row, j) != drew(row, k)) sum += row.voxels;
  return sum;
}

/// "3", "3 and 4", "3, 4 and 7".
std::string listed(const std::vector<std::size_t>& numbers) {
  std::string text = fmt::format("{}", fmt::join(numbers.begin(), numbers.end() - 1, ", "));
  return fmt::format("{}{}{}", text, text.empty() ? "" : " and ", numbers.back());
}

/// One sentence for all copies of a mask.
void find_duplicates(const Groups& groups, const std::vector<std::int64_t>& size, Warnings& warnings) {
  std::vector<bool> told(size.size(), false);
  for (std::size_t j = 0; j < size.size(); ++j) {
    if (told[j] || size[j] == 0) continue;
    std::vector<std::size_t> copies;
    for (std::size_t k = j + 1; k < size.size(); ++k) {
      if (size[j] != size[k] || difference(groups, j, k) != 0) continue;
      copies.push_back(k + 1);
      told[k] = true;
    }
    if (copies.size() == 1)
      warnings.push_back(fmt::format(
          "rater {} drew exactly what rater {} drew; if it is a copy, leave it out.", copies.front(), j + 1));
    if (copies.size() > 1)
      warnings.push_back(
          fmt::format("raters {} drew exactly what rater {} drew; leave out those that are copies.",
                      listed(copies), j + 1));
  }
}

/// How far a rater's voxels are shared by the mean of the others, compared with the voxels the rater left.
bool looks_inverted(const Groups& groups, std::size_t k) {
  double inside = 0, outside = 0, drawn = 0, left = 0;
  for (const Group& row : groups.rows) {
    const auto voxels = static_cast<double>(row.voxels);
    const double others = voxels * (std::popcount(row.raters) - (drew(row, k) ? 1 : 0));
    (drew(row, k) ? inside : outside) += others;
    (drew(row, k) ? drawn : left) += voxels;
  }
  return drawn > left && left > 0 && outside / left > inside / drawn;
}

void find_inverted(const Groups& groups, const std::vector<std::int64_t>& size, Warnings& warnings) {
  const std::int64_t all = groups.voxels();
  for (std::size_t k = 0; k < size.size(); ++k) {
    if (size[k] == all)
      warnings.push_back(fmt::format("rater {} drew every voxel of the image; is the mask inverted?", k + 1));
    else if (groups.raters > 1 && looks_inverted(groups, k))
      warnings.push_back(fmt::format(
          "rater {} drew {:.0f} % of the image, and mostly what the others left; the mask looks inverted.",
          k + 1, 100 * static_cast<double>(size[k]) / static_cast<double>(all)));
  }
}

/// True where the voxels above one half are exactly those a rater drew.
bool is_mask_of(std::size_t k, const Reduction& reduction, const Solution& solution) {
  std::int64_t inside = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::int64_t taken = solution.components[c].inside[r];
      if (taken != ((rows[r].raters >> k & 1) != 0 ? rows[r].voxels : 0)) return false;
      inside += taken;
    }
  }
  return inside == solution.voxels;  // nothing where nobody drew
}

/// What a method can be asked instead: presets and SIMPLE have no region and no prior of their own.
std::string advice(const Solution& solution) {
  const bool own_prior = solution.performance->prior.has_value();
  if (solution.method->heeds == Heeds::prior_and_region && own_prior)
    return fmt::format("compare with another {} or {}", Sentence::setting("region"),
                       Sentence::setting("prior"));
  if (solution.method->heeds == Heeds::region)
    return fmt::format("compare with another {}", Sentence::setting("region"));
  return fmt::format("compare with {}", Sentence::setting("method", "jaccard"));
}

/// Raters whose mask the result is, while others drew something else.
void find_dictator(const Reduction& reduction, const Solution& solution, Warnings& warnings) {
  constexpr double kPerfect = 1 - 1e-6;
  const Performance& found = *solution.performance;
  std::vector<std::size_t> perfect;
  for (std::size_t k = 0; k < found.sensitivity.size(); ++k)
    if (found.sensitivity[k] >= kPerfect && found.specificity[k] >= kPerfect &&
        is_mask_of(k, reduction, solution))
      perfect.push_back(k + 1);
  if (perfect.empty() || static_cast<int>(perfect.size()) == reduction.raters) return;
  const bool one = perfect.size() == 1;
  warnings.push_back(fmt::format(
      "rater{} {} {} sensitivity and specificity 1: the result is {} mask, and the other raters have no say; "
      "{}.",
      one ? "" : "s", listed(perfect), one ? "has" : "have", one ? "that" : "their", advice(solution)));
}

/// Worse than chance is a mask whose inside and outside changed places, or one that is somewhere else.
void find_worse_than_chance(const Reduction& reduction, const Performance& found, Warnings& warnings) {
  const Groups groups = gather(reduction, {});
  for (std::size_t k = 0; k < found.sensitivity.size(); ++k) {
    if (!(found.sensitivity[k] + found.specificity[k] < 1)) continue;
    warnings.push_back(fmt::format(
        "rater {} is taken to be worse than chance (sensitivity {:.4f} + specificity {:.4f} < 1): {}.", k + 1,
        found.sensitivity[k], found.specificity[k],
        looks_inverted(groups, k) ? "inside and outside may have changed places"
                                  : "it missed nearly all of what the result holds; look at that mask"));
  }
}

/// Voxels decided against more than half of the raters.
void find_contradictions(const Reduction& reduction, const Solution& solution, Warnings& warnings) {
  std::int64_t added = static_cast<float>(solution.background.level) > 0.5F && !solution.image
                           ? solution.background.voxels
                           : 0;
  std::int64_t left_out = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const int over = 2 * std::popcount(rows[r].raters) - reduction.raters;
      if (over > 0) left_out += rows[r].voxels - solution.components[c].inside[r];
      if (over < 0) added += solution.components[c].inside[r];
    }
  }
  if (left_out > 0)
    warnings.push_back(fmt::format("{} voxels that most raters drew are left out.", left_out));
  if (added > 0) warnings.push_back(fmt::format("{} voxels that most raters left out are taken in.", added));
}

void find_no_convergence(const Performance& found, Warnings& warnings) {
  if (found.converged) return;
  warnings.push_back(
      fmt::format("no convergence after {} iterations: a sensitivity, specificity or level still moved by "
                  "{:.2g}; the last "
                  "estimate is given.",
                  found.iterations, found.change));
}

}  // namespace

Warnings warnings_about_raters(const Reduction& reduction) {
  Warnings warnings;
  const Groups groups = gather(reduction, {});
  const auto size = sizes(groups);
  find_duplicates(groups, size, warnings);
  find_inverted(groups, size, warnings);
  return warnings;
}

Warnings warnings_about_estimate(const Reduction& reduction, const Solution& solution) {
  Warnings warnings = solution.warnings;
  if (solution.performance) {
    find_no_convergence(*solution.performance, warnings);
    find_dictator(reduction, solution, warnings);
    find_worse_than_chance(reduction, *solution.performance, warnings);
  }
  if (solution.method->aim == Aim::performance) find_contradictions(reduction, solution, warnings);
  for (Sentence& warning : warnings) warning = fmt::format("{}: {}", solution.method->name, warning.marked());
  return warnings;
}

}  // namespace crema
