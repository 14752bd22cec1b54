// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/staple/tying.h"

#include "crema/counts/staple/exact_sum.h"

namespace crema {

void keep_each(const Groups&, const Levels&, Rates&) {}

void tie_inside_to_outside(const Groups& groups, const Levels& levels, Rates& rates) {
  ExactSum sum;
  for (std::size_t r = 0; r < levels.size(); ++r)
    sum.add(levels[r] * static_cast<double>(groups.rows[r].voxels));
  const double inside = sum.value(), all = static_cast<double>(groups.voxels()), outside = all - inside;
  for (std::size_t k = 0; k < rates.hit.size(); ++k) {
    const double right = inside * rates.hit[k] + outside * rates.pass[k];
    const double wrong = inside * rates.miss[k] + outside * rates.slip[k];
    rates.hit[k] = rates.pass[k] = all > 0 ? right / all : 1;
    rates.miss[k] = rates.slip[k] = all > 0 ? wrong / all : 0;
  }
}

/// Every rater has been shown the same voxels, so the pooled rate is the mean.
void tie_raters(const Groups&, const Levels&, Rates& rates) {
  for (auto* each : {&rates.hit, &rates.miss, &rates.pass, &rates.slip}) {
    ExactSum sum;
    for (const double rate : *each) sum.add(rate);
    each->assign(each->size(), sum.value() / static_cast<double>(each->size()));
  }
}

void tie_all(const Groups& groups, const Levels& levels, Rates& rates) {
  tie_inside_to_outside(groups, levels, rates);
  tie_raters(groups, levels, rates);
}

}  // namespace crema
