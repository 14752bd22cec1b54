// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/robust/student.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/random_case.h"

namespace crema {
namespace {

/// A model and logits, all from one number.
struct Ensemble {
  LogitModel model;
  std::vector<std::vector<float>> logits;
  std::vector<double> mean, spread;
};

Ensemble make(std::uint64_t seed, std::size_t voxels) {
  random_case::Dice dice{seed};
  const auto share = [&] { return dice.roll(1, 1000) / 1000.0; };
  Ensemble e;
  e.model.prior = 10 * share();
  e.logits.resize(static_cast<std::size_t>(dice.roll(1, 6)));
  for (auto& rater : e.logits) {
    e.model.bias.push_back(share() - 0.5);
    e.model.variance.push_back(share());
    for (std::size_t v = 0; v < voxels; ++v)
      rater.push_back(static_cast<float>(dice.roll(-13000, 13000)) / 1000);
  }
  for (std::size_t v = 0; v < voxels; ++v) {
    e.mean.push_back(4 * share() - 2);
    e.spread.push_back(share());
  }
  return e;
}

/// Voxel by voxel, in the words of the method: E τ, precision, mean; then the sums under the new means.
double plain_update(Ensemble& e, std::vector<double>& sums) {
  const auto raters = e.logits.size();
  const auto trust = [&](std::size_t k, double error) {
    return ((kFreedom + 1) / 2) / (kFreedom / 2 + error / (2 * e.model.variance[k]));
  };
  const auto off = [&](std::size_t k, std::size_t v) {
    return static_cast<double>(e.logits[k][v]) - e.mean[v] - e.model.bias[k];
  };
  double most = 0;
  for (std::size_t v = 0; v < e.mean.size(); ++v) {
    double precision = 1 / e.model.prior, sum = 0;
    for (std::size_t k = 0; k < raters; ++k) {
      const double weight = trust(k, std::pow(off(k, v), 2) + e.spread[v]) / e.model.variance[k];
      precision += weight;
      sum += weight * (static_cast<double>(e.logits[k][v]) - e.model.bias[k]);
    }
    most = std::max(most, std::abs(sum / precision - e.mean[v]));
    e.mean[v] = sum / precision;
    e.spread[v] = 1 / precision;
    for (std::size_t k = 0; k < raters; ++k) {
      const double error = std::pow(off(k, v), 2) + e.spread[v],
                   weight = trust(k, error) / e.model.variance[k];
      sums[3 * k] += weight;
      sums[3 * k + 1] += weight * off(k, v);
      sums[3 * k + 2] += weight * error;
    }
    sums.back() += e.mean[v] * e.mean[v] + e.spread[v];
  }
  return most;
}

TEST(Student, UpdatesAsThePlainFormulasDo) {
  std::uint64_t seed = 1;
  for (const std::size_t voxels : {1U, 7U, 255U, 512U, 513U, 1500U}) {
    Ensemble own = make(++seed, voxels), plain = own;
    std::vector<double> sums(logit_sums(own.logits.size())), expected(sums);
    LogitField field{{}, own.mean.data(), own.spread.data()};
    for (const auto& rater : own.logits) field.logits.push_back(rater.data());
    const double moved = update_voxels(own.model, field, 0, static_cast<std::int64_t>(voxels), sums);
    EXPECT_NEAR(moved, plain_update(plain, expected), 1e-12);
    for (std::size_t v = 0; v < voxels; ++v) {
      ASSERT_NEAR(own.mean[v], plain.mean[v], 1e-12);
      ASSERT_NEAR(own.spread[v], plain.spread[v], 1e-12);
    }
    for (std::size_t s = 0; s < sums.size(); ++s)
      EXPECT_NEAR(sums[s], expected[s], 1e-9 * (1 + std::abs(expected[s]))) << s;
  }
}

}  // namespace
}  // namespace crema
