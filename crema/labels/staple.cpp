// SPDX-License-Identifier: Apache-2.0
// STAPLE for several labels: each rater has a confusion matrix instead of a sensitivity and a specificity.
#include <algorithm>
#include <cmath>
#include <compare>
#include <map>

#include <fmt/format.h>

#include "crema/base/memory.h"
#include "crema/labels/vectors.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// Whole matrices of more places would fill the memory and a record that nobody reads.
constexpr std::size_t kMaxWhole = 512;

constexpr double kSmall = 0x1p-500, kLarge = 0x1p500;

/// θ(said, true) of one rater, a column of which sums to 1: what is not 0 of it, by what was said, then by
/// what is true. What is 0 at the start stays 0, and with many labels that is nearly all.
struct Matrix {
  struct Place {
    Label said, truth;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::vector<Place> places;  ///< rising
  std::vector<double> values;

  [[nodiscard]] std::size_t first_of(Label said) const {
    return static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), Place{said, 0}) -
                                    places.begin());
  }
};

class Estimation {
 public:
  Estimation(const LabelVectors& vectors, bool as_itk)
      : vectors_(vectors), places_(vectors.places), as_itk_(as_itk), prior_(shares()) {
    start();
    find_candidates();
  }

  /// One step of both kinds; returns how far the parameter moved that moved most.
  double step() {
    for (std::size_t k = 0; k < vectors_.raters; ++k) next_[k].assign(matrices_[k].values.size(), 0);
    for (std::size_t r = 0; r < vectors_.rows(); ++r) {
      look_at(r);
      if (normalise() == 0) continue;
      const auto voxels = static_cast<double>(vectors_.voxels[r]);
      const std::uint32_t* entry = entries_of(r);
      for (std::vector<double>& next : next_)
        for (const double chance : chance_) next[*entry++] += voxels * chance;
    }
    double moved = 0;
    for (std::size_t k = 0; k < vectors_.raters; ++k) {
      std::swap(matrices_[k].values, next_[k]);
      normalise_columns(matrices_[k]);
      for (std::size_t i = 0; i < next_[k].size(); ++i)
        moved = std::max(moved, std::abs(matrices_[k].values[i] - next_[k][i]));
    }
    return moved;
  }

  /// The most likely place of a row; one more than the last where several are.
  std::size_t best(std::size_t r) {
    look_at(r);
    std::size_t place = places_;
    double most = 0;
    for (std::size_t c = 0; c < chance_.size(); ++c) {
      if (chance_[c] > most) {
        most = chance_[c];
        place = candidates_[first_[r] + c];
      } else if (chance_[c] == most) {
        place = places_;
      }
    }
    return place;
  }

  [[nodiscard]] const std::vector<double>& prior() const { return prior_; }

  /// All of each matrix, row by row.
  [[nodiscard]] std::vector<std::vector<double>> matrices() const {
    std::vector<std::vector<double>> whole;
    for (const Matrix& matrix : matrices_) {
      whole.emplace_back(places_ * places_, 0);
      for (std::size_t i = 0; i < matrix.places.size(); ++i)
        whole.back()[matrix.places[i].said * places_ + matrix.places[i].truth] = matrix.values[i];
    }
    return whole;
  }

 private:
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
    matrices_.resize(vectors_.raters);
    next_.resize(vectors_.raters);
    for (std::size_t k = 0; k < vectors_.raters; ++k) {
      std::map<Matrix::Place, double> counts;
      for (std::size_t r = 0; r < vectors_.rows(); ++r) {
        std::size_t said = vectors_.row(r)[k], truth = voted[r];
        if (truth == places_) {
          ++said;
          truth = 0;
          if (!as_itk_ || said == places_ || vectors_.values[said] != vectors_.values[said - 1] + 1) continue;
        }
        counts[{static_cast<Label>(said), static_cast<Label>(truth)}] +=
            static_cast<double>(vectors_.voxels[r]);
      }
      for (const auto& [place, voxels] : counts) {
        matrices_[k].places.push_back(place);
        matrices_[k].values.push_back(voxels);
      }
      as_itk_ ? normalise_rows(matrices_[k]) : normalise_columns(matrices_[k]);
    }
  }

  /// Which labels a row may have: those that no rater rules out, and where they stand in the matrices.
  void find_candidates() {
    std::vector<std::size_t> at(vectors_.raters);
    for (std::size_t r = 0; r < vectors_.rows(); ++r) {
      first_.push_back(candidates_.size());
      const Label* const said = vectors_.row(r);
      for (std::size_t k = 0; k < at.size(); ++k) at[k] = matrices_[k].first_of(said[k]);
      for (std::size_t truth = 0; (truth = next_candidate(said, truth, at)) < places_; ++truth)
        candidates_.push_back(static_cast<Label>(truth));
      // By rater, then by candidate, as they are read.
      for (std::size_t k = 0; k < at.size(); ++k) {
        std::size_t entry = matrices_[k].first_of(said[k]);
        for (std::size_t c = first_.back(); c < candidates_.size(); ++c) {
          while (matrices_[k].places[entry].truth != candidates_[c]) ++entry;
          entries_.push_back(static_cast<std::uint32_t>(entry));
        }
      }
    }
    first_.push_back(candidates_.size());
  }

  /// The first label from `truth` on that all raters have in the row of what they said; `at` follows.
  std::size_t next_candidate(const Label* said, std::size_t truth, std::vector<std::size_t>& at) const {
    for (bool agreed = false; !agreed;) {
      agreed = true;
      for (std::size_t k = 0; k < at.size(); ++k) {
        const auto& places = matrices_[k].places;
        const auto own = [&] { return at[k] < places.size() && places[at[k]].said == said[k]; };
        while (own() && places[at[k]].truth < truth) ++at[k];
        if (!own()) return places_;
        agreed = agreed && places[at[k]].truth == truth;
        truth = places[at[k]].truth;
      }
    }
    return truth;
  }

  [[nodiscard]] const std::uint32_t* entries_of(std::size_t r) const {
    return entries_.data() + first_[r] * vectors_.raters;
  }

  void look_at(std::size_t r) {
    chance_.clear();
    for (std::size_t c = first_[r]; c < first_[r + 1]; ++c) chance_.push_back(prior_[candidates_[c]]);
    const std::uint32_t* entry = entries_of(r);
    for (const Matrix& matrix : matrices_) {
      double most = 0;
      for (double& chance : chance_) most = std::max(most, chance *= matrix.values[*entry++]);
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

  void normalise_rows(Matrix& matrix) { normalise(matrix, &Matrix::Place::said); }
  void normalise_columns(Matrix& matrix) { normalise(matrix, &Matrix::Place::truth); }

  void normalise(Matrix& matrix, Label Matrix::Place::*line) {
    sums_.assign(places_, 0);
    for (std::size_t i = 0; i < matrix.values.size(); ++i) sums_[matrix.places[i].*line] += matrix.values[i];
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
      if (const double sum = sums_[matrix.places[i].*line]; sum > 0) matrix.values[i] /= sum;
  }

  const LabelVectors& vectors_;
  std::size_t places_;
  bool as_itk_;
  std::vector<double> prior_, chance_, sums_;
  std::vector<Matrix> matrices_;
  std::vector<std::vector<double>> next_;  ///< values of the matrices that are being made
  std::vector<std::size_t> first_;         ///< candidate of each row, and one more
  std::vector<Label> candidates_;
  std::vector<std::uint32_t> entries_;  ///< of the candidates of a row in each rater's matrix
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
  if (vectors.places <= kMaxWhole) {
    if (options.memory)
      options.memory->require(
          fmt::format("the confusion matrices of {} raters and {} labels", vectors.raters,
                      vectors.places - 1),
          static_cast<std::int64_t>(vectors.raters * vectors.places * vectors.places * sizeof(double)),
          "choose fewer labels");
    estimate.confusion = estimation.matrices();
  }
  std::vector<std::size_t> places;
  for (std::size_t r = 0; r < vectors.rows(); ++r) places.push_back(estimation.best(r));
  return places;
}

}  // namespace crema
