// SPDX-License-Identifier: Apache-2.0
#include "cli/text/verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/error.h"
#include "files/files.h"

namespace crema::cli {
namespace {

/// Two digits that count, rounded up.
std::string rounded_up(double value) {
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(value))));
  const double unit = std::pow(10.0, digits);
  // A value such as 0.09 is not to become 0.091 because 0.09 · 1000 is a little above 90.
  return fmt::format("{:.{}f}", std::ceil(value * unit * (1 - 1e-12)) / unit, digits);
}

}  // namespace

void declare_budget(CLI::App& app, BudgetWish& wish, const std::string& group) {
  take(app,
       {"--budget", "N",
        fmt::format(
            "Nodes of the search that one component may take (default: {}, fewer where many raters make "
            "them costly).",
            kMaxNodes),
        group},
       [&wish](const std::string& text) {
         wish.nodes = static_cast<int>(parse_whole(text, {1, 1'000'000'000}));
       });
  take(app,
       {"--budget-seconds", "S",
        "Seconds that one component may take (default: no limit). What is proven then depends on the "
        "machine.",
        group},
       [&wish](const std::string& text) {
         wish.seconds = parse_number(text);
         if (*wish.seconds <= 0)
           throw UsageError(fmt::format("{} is no time; write a number above 0.", files::printable(text)));
       });
}

Budget budget_of(const BudgetWish& wish) {
  const Budget usual;
  return {.nodes = wish.nodes.value_or(usual.nodes), .seconds = wish.seconds.value_or(usual.seconds)};
}

double gap_of(const Verdict& verdict) { return std::max(0.0, verdict.lmsd - verdict.lower_bound); }

std::string excess_text(const Verdict& verdict) {
  constexpr double least_shown = 1e-4;  // in percent
  const double gap = gap_of(verdict);
  if (gap == 0) return "the best possible";
  if (verdict.lower_bound <= 0) return fmt::format("at most {} above the best possible", rounded_up(gap));
  const double percent = 100 * gap / verdict.lower_bound;
  if (percent < least_shown) return fmt::format("less than {} % above the best possible", least_shown);
  return fmt::format("at most {} % above the best possible", rounded_up(percent));
}

std::string proof_text(const Verdict& verdict) {
  if (verdict.unproven > 0)
    return fmt::format("not proven for {} of {} components within the budget", verdict.unproven,
                       verdict.components);
  return fmt::format("{} of {} components proven", verdict.components, verdict.components);
}

std::string verdict_text(const Verdict& verdict) {
  return fmt::format("LMSD {:.6f} is {} (lower bound {:.6f}; {})", verdict.lmsd, excess_text(verdict),
                     verdict.lower_bound, proof_text(verdict));
}

}  // namespace crema::cli
