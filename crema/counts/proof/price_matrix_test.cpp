// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/price_matrix.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace crema {
namespace {

/// The same by the book: a full matrix, one term after the other, its lower half factorised.
struct Plain {
  std::size_t n;
  std::vector<double> m = std::vector<double>(n * n, 0);

  void add(const std::vector<std::uint32_t>& members, double term) {
    for (const std::uint32_t i : members)
      for (const std::uint32_t j : members)
        if (j <= i) m[i * n + j] += term;
  }

  void solve(const std::vector<double>& scale, std::vector<double>& x, double damping) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) m[i * n + j] /= scale[i] * scale[j];
    for (std::size_t i = 0; i < n; ++i) m[i * n + i] += damping + 1e-13 * m[i * n + i];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < j; ++k)
        for (std::size_t i = j; i < n; ++i) m[i * n + j] -= m[i * n + k] * m[j * n + k];
      const double pivot = std::sqrt(std::max(m[j * n + j], damping));
      for (std::size_t i = j + 1; i < n; ++i) m[i * n + j] /= pivot;
      m[j * n + j] = pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= m[i * n + k] * x[k];
      x[i] /= m[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) x[i] -= m[k * n + i] * x[k];
      x[i] /= m[i * n + i];
    }
  }
};

TEST(PriceMatrix, SumsAndSolutionsHaveTheBitsOfThePlainOnes) {
  for (const std::size_t raters : std::vector<std::size_t>{1, 2, 5, 15, 16, 17, 33, 63, 64}) {
    std::mt19937_64 random(raters);
    const auto fraction = [&] { return 0.1 + static_cast<double>(random() >> 11) * 0x1p-53; };
    PriceMatrix matrix;
    matrix.clear(raters + 1);
    Plain plain{raters + 1};
    PairSums sums(matrix);
    for (int g = 0; g < 200; ++g) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t k = 0; k < raters; ++k)
        if (random() % 2 == 0) members.push_back(k);
      const double term = fraction();
      sums.add(members, term);
      plain.add(members, term);
    }
    sums.flush();
    std::vector<double> scale, x;
    for (std::size_t i = 0; i <= raters; ++i) {
      matrix.at(i, i) += fraction();
      plain.m[i * plain.n + i] = matrix.at(i, i);
      scale.push_back(fraction());
      x.push_back(fraction());
      for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(matrix.at(j, i), plain.m[i * plain.n + j]);
    }
    std::vector<double> expected = x;
    plain.solve(scale, expected, 1e-3);
    solve_scaled(matrix, scale, x, 1e-3);
    EXPECT_EQ(x, expected) << raters << " raters";
  }
}

}  // namespace
}  // namespace crema
