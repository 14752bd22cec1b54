// SPDX-License-Identifier: Apache-2.0
// How sure a consensus is, for people.
#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "cli/help/help.h"
#include "cli/shell/terminal.h"
#include "cli/text/agreement_text.h"
#include "cli/text/cells.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "cli/text/uniqueness_text.h"
#include "crema/base/text.h"
#include "crema/records/review_words.h"
#include "crema/records/units.h"

namespace crema::cli {
namespace {

constexpr std::size_t kRaterName = 13;

std::string join_numbers(const std::vector<std::size_t>& components) {
  constexpr std::size_t most = 4;
  std::vector<std::size_t> shown;
  for (const std::size_t c : components) shown.push_back(c + 1);
  if (shown.empty()) return "–";
  if (shown.size() <= most) return fmt::format("{}", fmt::join(shown, ","));
  const std::size_t more = shown.size() - (most - 1);
  shown.resize(most - 1);
  return fmt::format("{}+{}", fmt::join(shown, ","), more);
}

std::string left_out_text(const CaseNames& names, const AgreementStudy& study, const ConsensusStudy& one) {
  if (one.left_out.empty()) return "";
  const auto short_names = narrow_names(names.raters, kRaterName);
  std::vector<Cells> rows{{"left out", "Dice", "voxels", "change", "gained", "lost"}};
  for (const LeftOut& left : one.left_out)
    rows.push_back({short_names[static_cast<std::size_t>(left.rater)], decimals(left.dice, 4),
                    fmt::format("{}", left.voxels.second), fmt::format("{:+}", left.change),
                    join_numbers(left.gained), join_numbers(left.lost)});
  const bool fixed = *study.requested.leave_out == LeaveOut::fixed;
  return "\n" + table(rows, {.width = text_width(Stream::output)}) +
         wrap(fmt::format(
                  "components {}; {}gained: kept only without the rater, lost: kept only with the rater",
                  fixed ? "of all raters" : "computed again",
                  one.evaluated.joint.replicas ? "all labels solved together; " : ""),
              2, text_width(Stream::output));
}

std::string bootstrap_text(const ConsensusStudy& one) {
  if (!one.bootstrap) return "";
  const Bootstrap& found = *one.bootstrap;
  std::string text =
      "\n" + line("bootstrap", fmt::format("{} replicates over raters, seed {}: 5 %, 50 %, 95 %",
                                           found.replicates, found.seed));
  const auto spread = [](const char* name, const Spread& s, int places) {
    return line("", fmt::format("{:<12} {:.{}f}, {:.{}f}, {:.{}f}", name, s.low, places, s.median, places,
                                s.high, places));
  };
  text += spread("voxels", found.voxels, 0) + spread("soft volume", found.soft_volume, 1) +
          spread(fmt::format("LMSD {}", to_string(one.evaluated.method->distance)).c_str(), found.lmsd, 4);
  if (found.rough) text += line("", "with so few raters these intervals are rough");
  return text;
}

/// The shakiest components first: kept in some replicates only, or by the least margin.
std::vector<std::size_t> shakiest(const ConsensusStudy& one) {
  std::vector<std::size_t> order(one.margins.size());
  std::iota(order.begin(), order.end(), 0);
  const auto firmness = [&](std::size_t c) { return std::abs(one.margins[c].value_or(HUGE_VAL)); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return firmness(a) < firmness(b); });
  if (order.size() > kMaxShownComponents) order.resize(kMaxShownComponents);
  return order;
}

std::string least_turn(const CaseNames& names, const ConsensusStudy& one, std::size_t c,
                       const std::vector<double>& weights) {
  std::string text = "–";
  double least = HUGE_VAL;
  const auto short_names = narrow_names(names.raters, kRaterName);
  for (std::size_t k = 0; k < one.stability[c].flip_weight.size(); ++k) {
    const auto& turn = one.stability[c].flip_weight[k];
    if (!turn) continue;
    const double change = std::abs(*turn - (weights.empty() ? 1 : weights[k]));
    if (change >= least) continue;
    least = change;
    text = fmt::format("{} at {:.3g}", short_names[k], *turn);
  }
  return text;
}

std::string components_text(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& one) {
  if (one.margins.empty() || one.evaluated.method == nullptr || one.evaluated.method->aim != Aim::distance)
    return "";
  Cells head{"component", "union", "voxels", "kept", "margin"};
  if (one.bootstrap) head.emplace_back("replicates");
  if (!one.stability.empty()) head.emplace_back("changes at weight");
  std::vector<Cells> rows{head};
  for (const std::size_t c : shakiest(one)) {
    const Decision& decision = one.evaluated.solution.components[c];
    Cells cells{fmt::format("{}", c + 1), fmt::format("{}", reduction.components.list[c].voxels),
                fmt::format("{}", decision.voxels), decision.soft_voxels > 0 ? "yes" : "no",
                decimals(one.margins[c], 4)};
    if (one.bootstrap) cells.push_back(fmt::format("{:.0f} %", 100 * one.bootstrap->kept[c]));
    if (!one.stability.empty()) cells.push_back(least_turn(names, one, c, one.evaluated.options.weights));
    rows.push_back(std::move(cells));
  }
  std::string text = "\n" + table(rows, {.width = text_width(Stream::output)});
  if (!one.stability.empty() && one.evaluated.joint.replicas)
    text += wrap("weights at which a decision changes are those of the label alone", 2,
                 text_width(Stream::output));
  if (one.margins.size() > kMaxShownComponents)
    text += fmt::format("  … the {} of {} components with the smallest margins\n", kMaxShownComponents,
                        one.margins.size());
  return text;
}

/// The rule of the largest component that has one.
std::string rule_text(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& one) {
  std::size_t best = one.weights.size();
  for (std::size_t c = 0; c < one.weights.size(); ++c)
    if (!one.weights[c].reason && (best == one.weights.size() || reduction.components.list[c].voxels >
                                                                     reduction.components.list[best].voxels))
      best = c;
  if (best == one.weights.size()) return "";
  const std::string rule = rule_in_words(one.weights[best], narrow_names(names.raters, kRaterName));
  return wrap(fmt::format("Component {}: {}.", best + 1, rule), 0, text_width(Stream::output));
}

std::string review_text(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& one) {
  if (one.review.empty()) return "";
  const Grid& grid = reduction.grid;
  const auto short_names = narrow_names(names.raters, kRaterName);
  std::string text = "\n" + line("to decide", "the most important first");
  for (std::size_t i = 0; i < std::min(one.review.size(), kMaxShownDecisions); ++i) {
    const ReviewItem& item = one.review[i];
    const std::size_t axes = grid.flat() ? 2 : 3;
    const std::string at = grid.measured
                               ? fmt::format("{:.1f} mm", fmt::join(std::span(item.centre).first(axes), ", "))
                               : fmt::format("{}", fmt::join(std::span(item.at).first(axes), ", "));
    text +=
        wrap(fmt::format("{:>3}. {}: {} of component {} at {}", i + 1, review_words(item, grid, short_names),
                         counted(item.voxels, grid.flat() ? "pixel" : "voxel"), item.component + 1, at),
             5, text_width(Stream::output));
  }
  if (one.review.size() > kMaxShownDecisions)
    text += fmt::format("  … the first {} of {} decisions\n", kMaxShownDecisions, one.review.size());
  return text;
}

}  // namespace

std::string confidence_text(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                            const ConsensusStudy& one) {
  return components_text(names, reduction, one) + rule_text(names, reduction, one) +
         left_out_text(names, study, one) + bootstrap_text(one) +
         uniqueness_text({{one.evaluated.name, one.uniqueness}}, text_width(Stream::output)) +
         review_text(names, reduction, one);
}

}  // namespace crema::cli
