// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "study/chapters/section.h"
#include "study/statistics/statistics.h"

/// What sections are made of.
namespace crema::study {

using Row = std::vector<Cell>;

/// One of something for each variant.
template <class T>
class PerVariant {
 public:
  T& operator[](std::size_t variant) {
    while (all_.size() <= variant) all_.emplace_back();
    return all_[variant];
  }
  /// Null for a variant that never came.
  [[nodiscard]] const T* find(std::size_t variant) const {
    return variant < all_.size() ? &all_[variant] : nullptr;
  }

 private:
  std::deque<T> all_;
};

/// Columns that distinguish variants, and more behind them.
std::vector<std::string> variant_columns(const std::vector<std::string>& more);
Row variant_cells(const Variant& variant);

void add(Row& row, Row more);

Cell cell(const std::optional<double>& value);

/// The result of a method on this case, by name; null where there is none.
const Result* result_of(const std::vector<Variant>& variants, const CaseFacts& facts,
                        std::string_view method);

/// "`crema cohort run DATA -o RUN-crown --methods paper --blocks crown`"
std::string cohort_command(std::string_view name, std::string_view flags);

/// "Left out: no run has WHAT; COMMAND makes one."
std::string lacking(std::string_view what, const std::string& command);

}  // namespace crema::study
