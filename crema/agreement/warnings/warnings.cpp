// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/warnings.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/warnings/missing_slices.h"
#include "crema/agreement/warnings/who.h"
#include "crema/base/text.h"
#include "crema/counts/groups.h"
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

void find_inverted(const Groups& groups, const std::vector<std::int64_t>& size, Names names,
                   Warnings& warnings) {
  const std::int64_t all = groups.voxels();
  for (std::size_t k = 0; k < size.size(); ++k) {
    if (size[k] == all)
      warnings.push_back(
          {fmt::format("rater {} covers every voxel of the image; is the mask inverted?", who(k, names)),
           WarningKind::full_mask});
    else if (groups.raters > 1 && looks_inverted(groups, k))
      warnings.push_back(
          {fmt::format("rater {} covers {:.0f} % of the image, mostly what the others left out; the mask "
                       "looks inverted.",
                       who(k, names), 100 * static_cast<double>(size[k]) / static_cast<double>(all)),
           WarningKind::inverted});
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

/// What to use instead: presets, SIMPLE and estimates of several labels have no region and no prior of their
/// own, and regions take no part of the image.
std::string advice(const Solution& solution, const Performance& found) {
  const bool own_prior = found.prior.has_value() && accepts(*solution.method, Accept::prior);
  if (!solution.performance)
    return own_prior ? fmt::format("compare with another {}", Sentence::setting("prior"))
                     : "compare with the method jaccard";
  if (own_prior)
    return fmt::format("compare with another {} or {}", Sentence::setting("roi"), Sentence::setting("prior"));
  if (accepts(*solution.method, Accept::region))
    return fmt::format("compare with another {}", Sentence::setting("roi"));
  return "compare with the method jaccard";
}

/// Raters whose mask the result is, while others drew something else.
void find_dictator(const Reduction& reduction, const Solution& solution, const Performance& found,
                   Names names, Warnings& warnings) {
  constexpr double kPerfect = 1 - 1e-6;
  std::vector<std::size_t> perfect;
  for (std::size_t k = 0; k < found.sensitivity.size(); ++k)
    if (found.sensitivity[k] >= kPerfect && found.specificity[k] >= kPerfect &&
        is_mask_of(k, reduction, solution))
      perfect.push_back(k);
  if (perfect.empty() || static_cast<int>(perfect.size()) == reduction.raters) return;
  const bool one = perfect.size() == 1;
  warnings.push_back({fmt::format("rater{} {} {} sensitivity and specificity 1: the result is {} mask, and "
                                  "the other raters have no influence; {}.",
                                  one ? "" : "s", who_all(perfect, names), one ? "has" : "have",
                                  one ? "that" : "their", advice(solution, found)),
                      WarningKind::one_decides});
}

/// Worse than chance is a mask whose inside and outside changed places, or one that is somewhere else.
void find_worse_than_chance(const Reduction& reduction, const Performance& found, Names names,
                            Warnings& warnings) {
  const Groups groups = gather(reduction, {});
  for (std::size_t k = 0; k < found.sensitivity.size(); ++k) {
    if (!(found.sensitivity[k] + found.specificity[k] < 1)) continue;
    warnings.push_back(
        {fmt::format("rater {} is estimated to be worse than chance (sensitivity {:.4f} + specificity {:.4f} "
                     "< 1): {}.",
                     who(k, names), found.sensitivity[k], found.specificity[k],
                     looks_inverted(groups, k) ? "the mask may be inverted"
                                               : "it missed nearly all of the result; check that mask"),
         WarningKind::worse_than_chance});
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
    warnings.push_back({fmt::format("{} that most raters marked {} left out.",
                                    crema::counted(left_out, "voxel"), left_out == 1 ? "is" : "are"),
                        WarningKind::against_majority});
  if (added > 0)
    warnings.push_back({fmt::format("{} that most raters left out {} included.",
                                    crema::counted(added, "voxel"), added == 1 ? "is" : "are"),
                        WarningKind::against_majority});
}

void find_no_convergence(const Performance& found, Warnings& warnings) {
  if (found.converged) return;
  const std::string moved =
      found.change > 0  // after a single step, or where a vote is repeated, there is nothing to compare with
          ? fmt::format(": a sensitivity, specificity or level still moved by {:.2g}", found.change)
          : "";
  warnings.push_back({fmt::format("no convergence after {}{}; the last estimate is given.",
                                  crema::counted(found.iterations, "iteration"), moved),
                      WarningKind::not_converged});
}

/// One sentence for all masks of more than half of the image that do not look inverted beside the others.
void find_large(const Groups& groups, const std::vector<std::int64_t>& size, Names names,
                Warnings& warnings) {
  const std::int64_t all = groups.voxels();
  std::vector<std::size_t> large;
  for (std::size_t k = 0; k < size.size(); ++k)
    if (size[k] > all / 2 && size[k] < all && !(groups.raters > 1 && looks_inverted(groups, k)))
      large.push_back(k);
  if (large.empty()) return;
  warnings.push_back(
      {fmt::format("rater{} {} cover{} more than half of the image; if {} inverted, invert {}.",
                   large.size() == 1 ? "" : "s", who_all(large, names), large.size() == 1 ? "s" : "",
                   large.size() == 1 ? "the mask is" : "the masks are", large.size() == 1 ? "it" : "them"),
       WarningKind::full_mask});
}

/// Components that half of the raters drew and that came out empty.
void find_dropped(const Reduction& reduction, const Solution& solution, Warnings& warnings) {
  std::size_t dropped = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const int present = std::popcount(raters_present(reduction.crowns[c].tally));
    if (2 * present >= reduction.raters && solution.components[c].soft_voxels == 0) ++dropped;
  }
  if (dropped == 0 || reduction.raters == 1) return;
  warnings.push_back({fmt::format("{} that half of the raters or more marked {} empty in the result.",
                                  counted(dropped, "component"), dropped == 1 ? "is" : "are"),
                      WarningKind::dropped_component});
}

/// Whom SIMPLE left out.
void find_left_out(Raters dropped, Names names, Warnings& warnings) {
  std::vector<std::size_t> out;
  for (; dropped != 0; dropped &= dropped - 1)
    out.push_back(static_cast<std::size_t>(std::countr_zero(dropped)));
  if (out.empty()) return;
  warnings.push_back(
      {fmt::format("rater{} {} agreed too little with the others and {} no influence.",
                   out.size() == 1 ? "" : "s", who_all(out, names), out.size() == 1 ? "has" : "have"),
       WarningKind::dropped_raters});
}

void name_method(const Method& method, Warnings& warnings) {
  for (Warning& warning : warnings) warning.sentence = fmt::format("{}: {}", method.name, warning.marked());
}

}  // namespace

Warnings warnings_about_raters(const Reduction& reduction, Names names) {
  Warnings warnings;
  const Groups groups = gather(reduction, {});
  const auto size = sizes(groups);
  find_inverted(groups, size, names, warnings);
  find_large(groups, size, names, warnings);
  append(warnings, warnings_about_slices(reduction, names));
  return warnings;
}

Warnings warnings_about_estimate(const Reduction& reduction, const Solution& solution, Names names,
                                 const std::optional<Performance>& found) {
  Warnings warnings = solution.warnings;
  if (found) {
    find_no_convergence(*found, warnings);
    find_dictator(reduction, solution, *found, names, warnings);
    find_left_out(found->dropped, names, warnings);
    find_worse_than_chance(reduction, *found, names, warnings);
  }
  if (solution.method->aim == Aim::performance) find_contradictions(reduction, solution, warnings);
  if (accepts(*solution.method, Accept::criterion)) find_dropped(reduction, solution, warnings);
  name_method(*solution.method, warnings);
  return warnings;
}

Warnings warnings_about_estimate(const Reduction& reduction, const Solution& solution, Names names) {
  return warnings_about_estimate(reduction, solution, names, solution.performance);
}

Performance performance_against(const Reduction& reduction, const Solution& solution) {
  const auto raters = static_cast<std::size_t>(reduction.raters);
  std::vector<std::int64_t> within(raters, 0), drawn(raters, 0);
  std::int64_t inside = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::int64_t taken = solution.components[c].inside[r];
      inside += taken;
      for (std::size_t k = 0; k < raters; ++k)
        if ((rows[r].raters >> k & 1) != 0) {
          within[k] += taken;
          drawn[k] += rows[r].voxels;
        }
    }
  }
  const std::int64_t outside = reduction.grid.voxels() - inside;
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(all);
  };
  Performance found{.sensitivity = {}, .specificity = {}};
  found.converged = true;
  for (std::size_t k = 0; k < raters; ++k) {
    found.sensitivity.push_back(share(within[k], inside));
    found.specificity.push_back(share(outside - (drawn[k] - within[k]), outside));
  }
  return found;
}

Warnings warnings_about_dropped(const Method& method, Raters dropped, Names names) {
  Warnings warnings;
  find_left_out(dropped, names, warnings);
  name_method(method, warnings);
  return warnings;
}

}  // namespace crema
