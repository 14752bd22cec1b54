// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crema::study {

/// The regularised incomplete beta function I_x(a, b), for a, b > 0 and 0 ≤ x ≤ 1.
double incomplete_beta(double a, double b, double x);

/// The chance that a ratio of variances with so many degrees of freedom, not necessarily whole, lies below f.
double f_probability(double f, double numerator, double denominator);

/// The chance that it lies above f; exact also where that is tiny.
double f_tail(double f, double numerator, double denominator);

/// The ratio below which it lies with that chance, 0 < chance < 1.
double f_quantile(double chance, double numerator, double denominator);

}  // namespace crema::study
