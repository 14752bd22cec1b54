// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

/// Small dense systems.
namespace crema::study {

/// A symmetric matrix of a few dozen rows.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), values_(size * size, 0) {}

  double& operator()(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

/// Cholesky's lower triangle; none where the matrix is not positive definite.
inline std::optional<Matrix> cholesky(Matrix a) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, a(i, i));
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < a.size(); ++i) a(i, j) -= a(i, k) * a(j, k);
    if (!(a(j, j) > 1e-12 * largest)) return std::nullopt;
    const double pivot = std::sqrt(a(j, j));
    for (std::size_t i = j; i < a.size(); ++i) a(i, j) /= pivot;
  }
  return a;
}

/// Solves L x = b.
inline std::vector<double> solve_lower(const Matrix& lower, std::vector<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= lower(i, k) * b[k];
    b[i] /= lower(i, i);
  }
  return b;
}

/// Solves L Lᵀ x = b.
inline std::vector<double> solve_both(const Matrix& lower, std::vector<double> b) {
  b = solve_lower(lower, std::move(b));
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= lower(k, i) * b[k];
    b[i] /= lower(i, i);
  }
  return b;
}

}  // namespace crema::study
