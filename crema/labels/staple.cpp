// SPDX-License-Identifier: Apache-2.0
// STAPLE for several labels: each rater has a confusion matrix instead of a sensitivity and a specificity.
#include <algorithm>
#include <cmath>

#include "crema/labels/vectors.h"
#include "crema/stop.h"

namespace crema {
namespace {

constexpr double kSmall = 0x1p-500, kLarge = 0x1p500;

/// θ(said, true) of every rater; a column sums to 1.
using Matrices = std::vector<std::vector<double>>;

class Estimation {
 public:
  Estimation(const LabelVectors& vectors, bool as_itk)
      : vectors_(vectors), places_(vectors.places), as_itk_(as_itk), chance_(places_) {
    prior_ = shares();
    matrices_.assign(vectors.raters, std::vector<double>(places_ * places_, 0));
    start();
  }

  /// One step of both kinds; returns how far the parameter moved that moved most.
  double step() {
    Matrices next(vectors_.raters, std::vector<double>(places_ * places_, 0));
    for (std::size_t r = 0; r < vectors_.rows(); ++r) {
      look_at(r);
      const double sum = normalise();
      if (sum == 0) continue;
      const auto voxels = static_cast<double>(vectors_.voxels[r]);
      for (std::size_t k = 0; k < vectors_.raters; ++k)
        for (std::size_t t = 0; t < places_; ++t) next[k][at(vectors_.row(r)[k], t)] += voxels * chance_[t];
    }
    double moved = 0;
    for (std::size_t k = 0; k < vectors_.raters; ++k) {
      normalise_columns(next[k]);
      for (std::size_t i = 0; i < next[k].size(); ++i)
        moved = std::max(moved, std::abs(next[k][i] - matrices_[k][i]));
    }
    matrices_ = std::move(next);
    return moved;
  }

  /// The most likely place of a row; one more than the last where several are.
  std::size_t best(std::size_t r) {
    look_at(r);
    std::size_t place = places_;
    double most = 0;
    for (std::size_t t = 0; t < places_; ++t) {
      if (chance_[t] > most) {
        most = chance_[t];
        place = t;
      } else if (chance_[t] == most) {
        place = places_;
      }
    }
    return place;
  }

  [[nodiscard]] const std::vector<double>& prior() const { return prior_; }
  [[nodiscard]] const Matrices& matrices() const { return matrices_; }

 private:
  [[nodiscard]] std::size_t at(std::size_t said, std::size_t truth) const { return said * places_ + truth; }

  /// The share that each label has of all that the raters said.
  [[nodiscard]] std::vector<double> shares() const {
    std::vector<double> share(places_, 0);
    double all = 0;
    for (std::size_t r = 0; r < vectors_.rows(); ++r)
      for (std::size_t k = 0; k < vectors_.raters; ++k) {
        share[vectors_.row(r)[k]] += static_cast<double>(vectors_.voxels[r]);
        all += static_cast<double>(vectors_.voxels[r]);
      }
    for (double& own : share) own /= all;
    return share;
  }

  /// Against a plurality vote. ITK divides the first matrices by rows, and what follows by columns; what its
  /// vote leaves undecided it counts behind the end of a row, which is where the next label's row begins.
  void start() {
    const std::vector<std::size_t> voted = vote(vectors_, std::vector<double>(vectors_.raters, 1));
    for (std::size_t r = 0; r < vectors_.rows(); ++r) {
      for (std::size_t k = 0; k < vectors_.raters; ++k) {
        std::size_t said = vectors_.row(r)[k], truth = voted[r];
        if (truth == places_) {
          ++said;
          truth = 0;
          if (!as_itk_ || said == places_ || vectors_.values[said] != vectors_.values[said - 1] + 1) continue;
        }
        matrices_[k][at(said, truth)] += static_cast<double>(vectors_.voxels[r]);
      }
    }
    for (auto& matrix : matrices_) as_itk_ ? normalise_rows(matrix) : normalise_columns(matrix);
  }

  void look_at(std::size_t r) {
    chance_ = prior_;
    for (std::size_t k = 0; k < vectors_.raters; ++k) {
      const double* const row = matrices_[k].data() + at(vectors_.row(r)[k], 0);
      double most = 0;
      for (std::size_t t = 0; t < places_; ++t) most = std::max(most, chance_[t] *= row[t]);
      // Shares of each other are all that counts: a power of two keeps many raters' products from vanishing.
      if (most > 0 && most < kSmall)
        for (double& chance : chance_) chance *= kLarge;
    }
  }

  double normalise() {
    double sum = 0;
    for (const double chance : chance_) sum += chance;
    if (sum > 0)
      for (double& chance : chance_) chance /= sum;
    return sum;
  }

  void normalise_rows(std::vector<double>& matrix) const {
    for (std::size_t said = 0; said < places_; ++said) {
      double sum = 0;
      for (std::size_t t = 0; t < places_; ++t) sum += matrix[at(said, t)];
      for (std::size_t t = 0; sum > 0 && t < places_; ++t) matrix[at(said, t)] /= sum;
    }
  }

  void normalise_columns(std::vector<double>& matrix) const {
    for (std::size_t t = 0; t < places_; ++t) {
      double sum = 0;
      for (std::size_t said = 0; said < places_; ++said) sum += matrix[at(said, t)];
      for (std::size_t said = 0; sum > 0 && said < places_; ++said) matrix[at(said, t)] /= sum;
    }
  }

  const LabelVectors& vectors_;
  std::size_t places_;
  bool as_itk_;
  std::vector<double> prior_, chance_;
  Matrices matrices_;
};

}  // namespace

std::vector<std::size_t> solve_label_staple(const LabelVectors& vectors, const Options& options,
                                            LabelEstimate& estimate) {
  constexpr double kItkThreshold = 1e-5;
  const bool as_itk = options.estimate.settling == Settling::rates;
  const double tolerance = as_itk ? kItkThreshold : options.estimate.tolerance;
  Estimation estimation(vectors, as_itk);
  while (!estimate.converged && estimate.iterations < options.estimate.max_iterations) {
    throw_if_stopped(options);
    ++estimate.iterations;
    estimate.converged = estimation.step() < tolerance;
  }
  estimate.prior = estimation.prior();
  estimate.confusion = estimation.matrices();
  std::vector<std::size_t> places;
  for (std::size_t r = 0; r < vectors.rows(); ++r) places.push_back(estimation.best(r));
  return places;
}

}  // namespace crema
