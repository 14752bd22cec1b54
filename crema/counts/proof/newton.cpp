// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "crema/counts/proof/price_matrix.h"
#include "crema/counts/proof/relaxation.h"

namespace crema {
namespace {

constexpr double kMinPrice = 1e-9;

/// Groups between two looks at the clock: some 10 milliseconds with 64 raters.
constexpr std::size_t kGroupsPerLook = 4096;

/// The dual at one point, made smooth by pulling levels and shares towards a centre: value, gradient and
/// negated Hessian in (rater prices, extent price), and the levels and shares that answer
/// the prices.
struct Dual {
  double value = 0;
  std::vector<double> gradient, levels, shares;
  PriceMatrix hessian;
};

struct Cell {
  double x, value, extent;        ///< best level, what it gives, what it adds to the extent
  double cc = 0, cl = 0, ll = 0;  ///< negated second derivatives in (price of the group, price of the extent)
};

/// min over x in [low, high] of λx − cx + ridge/2 (x − centre)².
Cell linear_cell(double lambda, double c, double low, double high, double ridge, double centre) {
  const double free = centre + (c - lambda) / ridge, x = std::clamp(free, low, high);
  Cell cell{x, (lambda - c) * x + 0.5 * ridge * (x - centre) * (x - centre), x};
  if (free > low && free < high) {
    cell.cc = cell.ll = 1 / ridge;
    cell.cl = -1 / ridge;
  }
  return cell;
}

/// min over x in [low, high] of λx² − cx.
Cell square_cell(double lambda, double c, double low, double high) {
  const double free = c / (2 * lambda), x = std::clamp(free, low, high);
  Cell cell{x, lambda * x * x - c * x, x * x};
  if (free > low && free < high) {
    cell.cc = 1 / (2 * lambda);
    cell.cl = -x / lambda;
    cell.ll = 2 * x * x / lambda;
  }
  return cell;
}

class Ascent {
 public:
  Ascent(const Relaxation& r, const Domain& region, double reference, const Priced& start, const Stop& stop)
      : r_(r),
        region_(region),
        reference_(reference),
        stop_(stop),
        prices_(start.prices),
        level_centre_(start.levels) {
    prices_.extent = std::max(prices_.extent, kMinPrice);
    std::vector<double> overlap(r.raters(), 0);
    for (std::size_t g = 0; g < r.groups(); ++g) {
      level_centre_[g] = std::clamp(level_centre_[g], region.x_low[g], region.x_high[g]);
      for (const std::uint32_t k : r.members[g]) overlap[k] += r.voxels[g] * level_centre_[g];
    }
    for (std::size_t k = 0; k < r.raters(); ++k) {
      envelopes_.emplace_back(r.curve, region.u_low[k], region.u_high[k]);
      both_.push_back(r.both(reference, k));
      share_centre_.push_back(std::clamp(overlap[k] / both_[k], region.u_low[k], region.u_high[k]));
    }
    scale_ = both_;
    scale_.push_back(std::max(reference, 1e-6));
    move_.resize(scale_.size());
  }

  /// Maximises the smoothed dual, then moves the centre to the answer; false when it was stopped on the way.
  bool proximal_step(double ridge) {
    evaluate(prices_, ridge, here_);
    for (int i = 0; i < 20 && !was_stopped_ && newton_step(ridge); ++i) {
    }
    if (was_stopped_) return false;
    level_centre_ = here_.levels;
    share_centre_ = here_.shares;
    return true;
  }

  [[nodiscard]] const Prices& prices() const { return prices_; }
  [[nodiscard]] const std::vector<double>& levels() const { return level_centre_; }

 private:
  void evaluate(const Prices& p, double ridge, Dual& dual) {
    const std::size_t n = r_.raters(), width = n + 1;
    dual.value = -p.extent * reference_;
    dual.gradient.assign(width, 0);
    dual.hessian.clear(width);
    dual.levels.resize(r_.groups());
    dual.shares.resize(n);
    dual.gradient[n] = -reference_;
    for (std::size_t k = 0; k < n; ++k) {
      const double w = r_.weight[k];
      const double price = p.rater[k] * both_[k];
      const Response response = respond(envelopes_[k], price / w, ridge, share_centre_[k]);
      const double off = response.u - share_centre_[k];
      dual.value += w * (envelopes_[k].value(response.u) + 0.5 * ridge * off * off) + price * response.u;
      dual.gradient[k] += both_[k] * response.u;
      dual.hessian.at(k, k) -= both_[k] * both_[k] * response.speed / w;
      dual.shares[k] = response.u;
    }
    PairSums pairs(dual.hessian);
    for (std::size_t g = 0; g < r_.groups() && !was_stopped_; ++g) {
      add_group(g, p, ridge, dual, pairs);
      if (g % kGroupsPerLook == kGroupsPerLook - 1) was_stopped_ = stopped(stop_);
    }
    pairs.flush();
  }

  void add_group(std::size_t g, const Prices& p, double ridge, Dual& dual, PairSums& pairs) const {
    const std::size_t n = r_.raters();
    double c = 0;
    for (const std::uint32_t k : r_.members[g]) c += p.rater[k];
    const double size = r_.voxels[g];
    const Cell cell =
        r_.squared ? square_cell(p.extent, c, region_.x_low[g], region_.x_high[g])
                   : linear_cell(p.extent, c, region_.x_low[g], region_.x_high[g], ridge, level_centre_[g]);
    dual.levels[g] = cell.x;
    dual.value += size * cell.value;
    dual.gradient[n] += size * cell.extent;
    for (const std::uint32_t k : r_.members[g]) dual.gradient[k] -= size * cell.x;
    if (cell.cc == 0) return;
    dual.hessian.at(n, n) += size * cell.ll;
    const double mixed = size * cell.cl;
    for (const std::uint32_t k : r_.members[g]) dual.hessian.at(k, n) += mixed;
    pairs.add(r_.members[g], size * cell.cc);
  }

  /// One step, shortened by damping until it gains; false when nothing more is to be gained.
  bool newton_step(double ridge) {
    const std::size_t width = here_.gradient.size();
    for (int i = 0; i < 12; ++i) {
      // In prices times sizes everything is of the order of one, whatever the sizes.
      PriceMatrix hessian = here_.hessian;
      for (std::size_t r = 0; r < width; ++r) move_[r] = here_.gradient[r] / scale_[r];
      if (prices_.extent <= kMinPrice && move_[width - 1] < 0) hold_extent_price(hessian);
      solve_scaled(std::move(hessian), scale_, move_, damping_);
      double gain = 0;
      for (std::size_t j = 0; j < width; ++j) {
        move_[j] /= scale_[j];
        gain += move_[j] * here_.gradient[j];
      }
      if (!(gain > 1e-15)) return false;
      next_ = prices_;
      for (std::size_t k = 0; k + 1 < width; ++k) next_.rater[k] += move_[k];
      next_.extent = std::max(kMinPrice, prices_.extent + move_[width - 1]);
      evaluate(next_, ridge, there_);
      if (was_stopped_) return false;
      if (there_.value >= here_.value + 0.1 * gain) {
        std::swap(prices_, next_);
        std::swap(here_, there_);
        damping_ = std::max(1e-9, 0.1 * damping_);
        return true;
      }
      damping_ *= 10;
    }
    return false;
  }

  /// At its least value the price of the extent stays out of a step that would lower it.
  void hold_extent_price(PriceMatrix& hessian) {
    const std::size_t last = move_.size() - 1;
    for (std::size_t i = 0; i < last; ++i) hessian.at(i, last) = 0;
    move_[last] = 0;
  }

  const Relaxation& r_;
  const Domain& region_;
  double reference_;
  const Stop& stop_;
  bool was_stopped_ = false;
  Prices prices_, next_;
  std::vector<double> level_centre_, share_centre_, both_, scale_, move_;  // both_: see Relaxation
  std::vector<Envelope> envelopes_;
  Dual here_, there_;
  double damping_ = 1e-3;
};

}  // namespace

Priced best_prices(const Relaxation& r, const Domain& region, double reference, const Priced& start,
                   double enough, const Stop& stop) {
  Priced best = start;
  best.bound = bound(r, region, start.prices);
  if (best.bound >= enough) return best;
  Ascent ascent(r, region, reference, start, stop);
  for (const double ridge : {1e-1, 1e-2, 1e-3, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4}) {
    if (stopped(stop) || !ascent.proximal_step(ridge)) break;
    const double here = bound(r, region, ascent.prices());
    const double gained = here - best.bound;
    if (gained > 0) {
      best.bound = here;
      best.prices = ascent.prices();
    }
    if (best.bound >= enough || (ridge < 1e-2 && 10 * gained < enough - best.bound)) break;
  }
  best.levels = ascent.levels();
  return best;
}

}  // namespace crema
