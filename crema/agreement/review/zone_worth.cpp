// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/zone_worth.h"

#include <algorithm>
#include <tuple>

#include "crema/agreement/overlap.h"
#include "crema/counts/discrepancy.h"
#include "crema/counts/solvers.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// The tally without the voxels of a zone.
Tally without_zone(const Tally& tally, const Zone& zone) {
  Tally rest = tally;
  for (const ZoneRow& row : zone.rows) rest.rows[row.row].voxels -= row.voxels;
  std::erase_if(rest.rows, [](const Subcrown& row) { return row.voxels == 0; });
  return rest;
}

/// The tally with so many voxels more that all of these raters drew, which puts them at distance 0.
Tally with_core(Tally tally, Raters raters, std::int64_t voxels) {
  const Subcrown core{0, raters, voxels};
  const auto at = std::find_if(tally.rows.begin(), tally.rows.end(), [&](const Subcrown& other) {
    return std::tie(other.distance, other.raters) >= std::tie(core.distance, core.raters);
  });
  if (at != tally.rows.end() && at->distance == 0 && at->raters == raters)
    at->voxels += voxels;
  else
    tally.rows.insert(at, core);
  return tally;
}

/// What is left of sums of levels after subtracting is never below nothing, nor a trace of it.
void clear_traces(Sums& sums, double before) {
  constexpr double kTrace = 1e-12;
  const auto clear = [&](double& value) { value = value <= kTrace * before ? 0 : value; };
  clear(sums.total);
  clear(sums.squares);
  for (std::size_t k = 0; k < sums.overlap.size(); ++k) {
    clear(sums.overlap[k]);
    sums.overlap[k] = std::min({sums.overlap[k], sums.size[k], sums.total});
  }
}

}  // namespace

ZoneEvaluator::ZoneEvaluator(const Tally& tally, const Decision& decision, const Method& method,
                             const Options& options)
    : tally_(tally),
      decision_(decision),
      present_(raters_present(tally)),
      solver_(std::get<Solver>(method.solver)),
      distance_(method.distance.with(options.tversky)),
      options_(solve_options(options)),
      sums_(sum_up(tally, decision.levels)) {}

ZoneWorth ZoneEvaluator::held(const Zone& zone) const {
  Sums out = sums_;
  for (const ZoneRow& part : zone.rows) {
    const auto n = static_cast<double>(part.voxels);
    const double level = decision_.levels[part.row];
    out.total -= n * level;
    out.squares -= n * level * level;
    for (std::size_t k = 0; k < out.size.size(); ++k) {
      if ((tally_.rows[part.row].raters >> k & 1) == 0) continue;
      out.overlap[k] -= n * level;
      out.size[k] -= n;
    }
  }
  clear_traces(out, sums_.total);
  Sums in = out;
  const auto all = static_cast<double>(zone.voxels);
  in.total += all;
  in.squares += all;
  for (std::size_t k = 0; k < in.size.size(); ++k) {
    if ((present_ >> k & 1) == 0) continue;
    in.overlap[k] += all;
    in.size[k] += all;
  }
  return finish(zone, criterion(in, distance_, options_.weights),
                criterion(out, distance_, options_.weights));
}

ZoneWorth ZoneEvaluator::solved(const Zone& zone) const {
  const ZoneWorth bound = held(zone);
  const Tally rest = without_zone(tally_, zone);
  return finish(zone, std::min(bound.if_inside, least(with_core(rest, present_, zone.voxels))),
                std::min(bound.if_outside, least(rest)));
}

double ZoneEvaluator::least(const Tally& tally) const {
  if (tally.rows.empty()) return 0;
  return criterion(tally, solver_(tally, options_).levels, distance_, options_.weights);
}

/// The share of the weights that speak for the zone, of those who drew anything in the component.
double ZoneEvaluator::share_inside(const Zone& zone) const {
  double inside = 0, all = 0;
  for (int k = 0; k < tally_.raters; ++k) {
    if ((present_ >> k & 1) == 0) continue;
    const double weight = options_.weights.empty() ? 1 : options_.weights[static_cast<std::size_t>(k)];
    all += weight * static_cast<double>(zone.voxels);
    for (const ZoneRow& part : zone.rows)
      if ((tally_.rows[part.row].raters >> k & 1) != 0) inside += weight * static_cast<double>(part.voxels);
  }
  return all > 0 ? inside / all : 0;
}

ZoneWorth ZoneEvaluator::finish(const Zone& zone, double if_inside, double if_outside) const {
  const double share = share_inside(zone), now = decision_.criterion;
  return {if_inside, if_outside, share * (now - if_inside) + (1 - share) * (now - if_outside)};
}

}  // namespace crema
