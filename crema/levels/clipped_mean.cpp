// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/clipped_mean.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "crema/counts/solvers.h"
#include "crema/image/large_pages.h"
#include "crema/levels/block_sums.h"
#include "crema/levels/level_sums.h"
#include "crema/levels/pointwise.h"
#include "crema/levels/products.h"

namespace crema {
namespace {

constexpr int kMaxPasses = 100;
constexpr int kMaxModelSteps = 2000;
/// A pass that lowers the criterion by less than this share of it is the last one.
constexpr double kSettled = 1e-14;

/// Σ products of the raters' levels over voxels that are not clipped, their sums over those that are, and how
/// many these are: all that the criterion of weights with the same clipped voxels depends on.
struct Model {
  std::size_t raters = 0;
  std::vector<double> products;  ///< raters × raters
  std::vector<double> clipped_levels;
  double clipped = 0;
};

/// The raters of a component who count.
class Means {
 public:
  Means(const LevelComponent& component, const Distance& distance, const SolveOptions& options)
      : part_(component.part),
        distance_(distance),
        raters_(list_present(part_.present, component.raters, options.weights)),
        absent_(empty_criterion(part_.present, component.raters, options.weights)) {
    absent_ = 1 - absent_;
    double all = 0;
    for (int k = 0; k < component.raters; ++k) all += weight_of(options.weights, k);
    for (const int k : raters_) weight_.push_back(weight_of(options.weights, k) / all);
    for (const int k : raters_) level_.push_back(part_.of(k).data());
    const Model whole = pass(std::vector<double>(count(), 0));
    for (std::size_t k = 0; k < count(); ++k) size_.push_back(whole.products[k * count() + k]);
    products_ = whole.products;
  }

  [[nodiscard]] std::size_t count() const { return raters_.size(); }
  [[nodiscard]] const std::vector<int>& raters() const { return raters_; }
  [[nodiscard]] const std::vector<double>& weights() const { return weight_; }

  /// The least similarity of two raters, as Tanimoto's.
  [[nodiscard]] double least_overlap() const {
    double least = 1;
    for (std::size_t j = 0; j < count(); ++j)
      for (std::size_t k = 0; k < j; ++k) {
        const double both = products_[j * count() + k];
        least = std::min(least, both / (size_[j] + size_[k] - both));
      }
    return least;
  }

  /// What the voxels say of these weights.
  [[nodiscard]] Model pass(const std::vector<double>& lambda) const {
    const std::size_t n = count(), pairs = n * (n + 1) / 2;
    const WeightedLevels raters{level_, lambda};
    const auto sums = sum_in_blocks(
        part_.voxels, product_sums(n),
        [&](std::int64_t begin, std::int64_t end, auto out) { add_products(raters, begin, end, out); });
    Model model{n, std::vector<double>(n * n), {}, sums[pairs + n]};
    for (std::size_t j = 0, at = 0; j < n; ++j)
      for (std::size_t k = 0; k <= j; ++k, ++at)
        model.products[j * n + k] = model.products[k * n + j] = sums[at];
    model.clipped_levels.assign(sums.begin() + static_cast<std::ptrdiff_t>(pairs),
                                sums.begin() + static_cast<std::ptrdiff_t>(pairs + n));
    return model;
  }

  /// The sums of a consensus with these weights, if the model's voxels are clipped.
  [[nodiscard]] Sums sums_of(const Model& model, const std::vector<double>& lambda) const {
    Sums sums{.squares = model.clipped, .overlap = model.clipped_levels, .size = size_};
    for (std::size_t j = 0; j < count(); ++j) {
      double product = 0;
      for (std::size_t k = 0; k < count(); ++k) product += model.products[j * count() + k] * lambda[k];
      sums.overlap[j] += product;
      sums.squares += lambda[j] * product;
    }
    return sums;
  }

  [[nodiscard]] double criterion_of(const Sums& sums) const {
    double sum = absent_;
    for (std::size_t k = 0; k < count(); ++k)
      sum += weight_[k] * squared_distance_to(sums, static_cast<int>(k), distance_);
    return sum;
  }

  /// The weights that make these sums stationary; none where no weights are better.
  [[nodiscard]] std::vector<double> next(const Sums& sums) const {
    std::vector<double> lambda(count());
    double extent = 0;
    for (std::size_t k = 0; k < count(); ++k) {
      const Fall fall = fall_to(sums, static_cast<int>(k), distance_, weight_[k], 1);
      lambda[k] = fall.overlap;
      extent += fall.extent;
    }
    if (!(extent > std::numeric_limits<double>::min())) return {};
    for (double& value : lambda) value /= 2 * extent;
    return lambda;
  }

  [[nodiscard]] std::vector<double> paint(const std::vector<double>& lambda) const {
    std::vector<double> x = large_vector<double>(part_.voxels);
    const WeightedLevels raters{level_, lambda};
    parallel_pieces(part_.voxels, kSumBlock, [&](std::int64_t begin, std::int64_t end) {
      sum_weighted(raters, begin, end, x.data() + begin);
      for (std::int64_t v = begin; v < end; ++v)
        x[static_cast<std::size_t>(v)] = std::min(1.0, x[static_cast<std::size_t>(v)]);
    });
    return x;
  }

 private:
  const LevelPart& part_;
  Distance distance_;
  std::vector<int> raters_;
  double absent_;
  std::vector<double> weight_, size_, products_;
  std::vector<const float*> level_;
};

std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double share) {
  std::vector<double> result(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) result[k] = a[k] + share * (b[k] - a[k]);
  return result;
}

/// The weights of least criterion with the model's voxels clipped. A step towards the stationary weights
/// lowers the criterion, if it is short enough.
std::vector<double> minimise(const Means& means, const Model& model, std::vector<double> lambda) {
  double now = means.criterion_of(means.sums_of(model, lambda));
  for (int step = 0; step < kMaxModelSteps; ++step) {
    const std::vector<double> target = means.next(means.sums_of(model, lambda));
    if (target.empty()) return lambda;
    double share = 1, then = 0;
    std::vector<double> tried;
    do {
      tried = between(lambda, target, share);
      then = means.criterion_of(means.sums_of(model, tried));
      share /= 2;
    } while (!(then < now) && share > 1e-6);
    if (!(then < now)) return lambda;
    lambda = std::move(tried);
    if (now - then <= kSettled * now) return lambda;
    now = then;
  }
  return lambda;
}

struct Weighted {
  std::vector<double> lambda;
  double criterion = 0;
};

/// Passes over the voxels from these weights until the criterion stands.
Weighted descend(const Means& means, std::vector<double> lambda, const Stop& stop) {
  Model model = means.pass(lambda);
  double now = means.criterion_of(means.sums_of(model, lambda));
  for (int pass = 0; pass < kMaxPasses && !stopped(stop); ++pass) {
    const std::vector<double> target = minimise(means, model, lambda);
    if (!(now - means.criterion_of(means.sums_of(model, target)) > kSettled * now)) break;
    std::vector<double> tried = target;
    Model fresh = means.pass(tried);
    double then = means.criterion_of(means.sums_of(fresh, tried));
    double share = 0.5;
    while (!(then < now) && share > 0.01) {
      tried = between(lambda, target, share);
      fresh = means.pass(tried);
      then = means.criterion_of(means.sums_of(fresh, tried));
      share /= 2;
    }
    if (!(then < now)) break;
    const bool settled = now - then <= kSettled * now;
    lambda = std::move(tried);
    model = std::move(fresh);
    now = then;
    if (settled) break;
  }
  return {std::move(lambda), now};
}

void keep_lower(Weighted& best, Weighted other) {
  if (other.criterion < best.criterion * (1 - 1e-12)) best = std::move(other);
}

/// Weights at which a consensus with these sums is stationary; none for an empty one.
std::vector<double> weights_at(const Means& means, const Sums& all) {
  Sums sums{.total = all.total, .squares = all.squares, .overlap = {}, .size = {}};
  for (const int k : means.raters()) {
    sums.overlap.push_back(all.overlap[static_cast<std::size_t>(k)]);
    sums.size.push_back(all.size[static_cast<std::size_t>(k)]);
  }
  return sums.squares > 0 ? means.next(sums) : std::vector<double>();
}

/// The sums of the best consensus of the raters' masks, cut at ½. Where levels are 0 and 1 there is no better
/// one. It is found early in the search for a proof, of which no more is needed.
Sums sums_of_masks(const LevelComponent& component, const Distance& distance, SolveOptions options) {
  constexpr int kNodes = 100;
  options.empty_test = EmptyTest::skip;
  options.budget.nodes = kNodes;
  const Tally& tally = component.crowns.tally;
  return sum_up(tally, solve_groups(tally, distance, options).levels);
}

/// Two raters who share less of what they mark may leave the criterion with several minima.
constexpr double kLittleOverlap = 0.3;

Weighted best_weights(const Means& means, const LevelComponent& component, const Distance& distance,
                      const SolveOptions& options) {
  const Stop& stop = options.budget.stop;
  std::vector<double> mean = means.weights();
  double sum = 0;
  for (const double weight : mean) sum += weight;
  for (double& weight : mean) weight /= sum;
  Weighted best = descend(means, mean, stop);
  if (means.count() < 2 || means.least_overlap() >= kLittleOverlap) return best;
  for (std::size_t k = 0; k < means.count() && !stopped(stop); ++k) {
    std::vector<double> alone(means.count(), 0);
    alone[k] = 1;
    keep_lower(best, descend(means, std::move(alone), stop));
  }
  const LevelPart& part = component.part;
  for (const Sums& sums : {sum_levels(part, component.raters, median_of(part, means.raters()), distance),
                           sums_of_masks(component, distance, options)}) {
    std::vector<double> lambda = weights_at(means, sums);
    if (!lambda.empty()) keep_lower(best, descend(means, std::move(lambda), stop));
  }
  return best;
}

}  // namespace

LevelAnswer solve_clipped_mean(const LevelComponent& component, const Distance& distance,
                               const SolveOptions& options) {
  const Means means(component, distance, options);
  const double empty = empty_criterion(component.part.present, component.raters, options.weights);
  LevelAnswer answer{.x = {},
                     .criterion = empty,
                     .votes = std::vector<double>(static_cast<std::size_t>(component.raters), 0)};
  const Weighted best = means.count() > 0 ? best_weights(means, component, distance, options) : Weighted();
  if (means.count() == 0 ||
      (options.empty_test == EmptyTest::apply && empty_is_better(empty, best.criterion, options.tie))) {
    answer.x.assign(static_cast<std::size_t>(component.part.voxels), 0);
    return answer;
  }
  answer.x = means.paint(best.lambda);
  answer.criterion = best.criterion;
  for (std::size_t k = 0; k < means.count(); ++k)
    answer.votes[static_cast<std::size_t>(means.raters()[k])] = best.lambda[k];
  return answer;
}

}  // namespace crema
