// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace crema {

/// A sum that carries its rounding error along (Neumaier), so that it does not depend on the order of its
/// terms but for a chance of about 1e-16. Expectation maximisation can start on a ridge, where an error in
/// the last digit would choose between raters who are alike.
class ExactSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    if (std::isfinite(next))
      error_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0, error_ = 0;
};

}  // namespace crema
