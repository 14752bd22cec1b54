// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/shell/options.h"
#include "crema/fuse.h"

namespace crema::cli {

/// How much work a proof may take, as far as it was asked for.
struct BudgetWish {
  std::optional<int> nodes;
  std::optional<double> seconds;
};

/// --budget and --budget-seconds.
void declare_budget(CLI::App& app, BudgetWish& wish, const std::string& group);

Budget budget_of(const BudgetWish& wish);

/// How good a consensus is known to be.
struct Verdict {
  double lmsd = 0;
  double lower_bound = 0;
  std::size_t components = 0;
  std::size_t unproven = 0;  ///< components whose proof ran out of budget
};

double gap_of(const Verdict& verdict);

/// "at most 0.09 % above the best possible"; percentages are rounded up, so that "at most" holds.
std::string excess_text(const Verdict& verdict);

/// "90 of 90 components proven", or for how many that was not achieved.
std::string proof_text(const Verdict& verdict);

/// All of it in one line.
std::string verdict_text(const Verdict& verdict);

}  // namespace crema::cli
