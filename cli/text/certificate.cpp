// SPDX-License-Identifier: Apache-2.0
#include "cli/text/certificate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/base/text.h"

namespace crema::cli {
namespace {

constexpr double kRounding = 1e-10;  ///< of the LMSD: less than this is no gap

/// Two digits that count, rounded up.
std::string rounded_up(double value) {
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(value))));
  const double unit = std::pow(10.0, digits);
  // A value such as 0.09 is not to become 0.091 because 0.09 · 1000 is a little above 90.
  return fmt::format("{:.{}f}", std::ceil(value * unit * (1 - 1e-12)) / unit, digits);
}

}  // namespace

double gap_of(const Certified& certified) {
  const double gap = std::max(0.0, certified.lmsd - certified.lower_bound);
  return gap <= kRounding * certified.lmsd ? 0 : gap;
}

std::string gap_text(const Certified& certified) {
  const double gap = gap_of(certified);
  return gap == 0 ? "none" : fmt::format("{:.3g}, or {:.3g} % of the LMSD", gap, 100 * gap / certified.lmsd);
}

std::string excess_text(const Certified& certified) {
  if (certified.outside > 0) {
    Certified inside = certified;
    inside.outside = 0;
    return fmt::format("{} outside every rater not counted; inside {}",
                       crema::counted(certified.outside, "voxel"), excess_text(inside));
  }
  constexpr double least_shown = 1e-4;  // in percent
  const double gap = gap_of(certified);
  if (gap == 0) return "the best possible";
  if (certified.lower_bound <= 0) return fmt::format("at most {} above the best possible", rounded_up(gap));
  const double percent = 100 * gap / certified.lower_bound;
  if (percent < least_shown) return fmt::format("less than {} % above the best possible", least_shown);
  return fmt::format("at most {} % above the best possible", rounded_up(percent));
}

std::string beside_best_known(double lmsd, double best_known) {
  const double gap = lmsd - best_known;
  if (gap <= kRounding * lmsd) return "the best known";
  return best_known > 0 ? fmt::format("{} % above the best known", rounded_up(100 * gap / best_known))
                        : fmt::format("{} above the best known", rounded_up(gap));
}

std::string proof_text(const Certified& certified) {
  if (certified.unproven > 0)
    return fmt::format("not proven for {} of {} within the budget", certified.unproven,
                       counted(static_cast<std::int64_t>(certified.components), "component"));
  return fmt::format("bound proven for {} of {}", certified.components,
                     counted(static_cast<std::int64_t>(certified.components), "component"));
}

std::string certificate_text(const Certified& certified) {
  return fmt::format("LMSD {:.6f} is {} (lower bound {:.6f}; {})", certified.lmsd, excess_text(certified),
                     certified.lower_bound, proof_text(certified));
}

}  // namespace crema::cli
