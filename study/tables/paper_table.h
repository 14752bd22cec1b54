// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "crema/records/table.h"
#include "study/chapters/facts.h"
#include "study/statistics/gathered.h"
#include "study/volumes.h"

namespace crema::study {

/// One table for a paper, in three forms that hold the same numbers.
struct PaperTexts {
  Table table;  ///< a row for each method, or rater, and measure
  std::string markdown, latex;
};

/// Gathers it case by case.
class PaperTable {
 public:
  explicit PaperTable(Identity identity) : volumes_(identity) {}

  void take(const std::vector<Variant>& variants, const CaseFacts& facts);
  [[nodiscard]] PaperTexts finish(const std::vector<Variant>& variants) const;

 private:
  /// Of each measure one value per case.
  using Values = std::array<Gathered, kRaterMeasures.size()>;
  struct Subject {
    std::size_t variant = 0;
    std::string rater;  ///< empty: the mean over the raters of a case
    auto operator<=>(const Subject&) const = default;
  };

  std::map<Subject, Values> values_;
  Gathered agreement_, kappa_;
  Volumes volumes_;
  std::int64_t cases_ = 0;
  std::size_t fewest_ = 0, most_ = 0;  ///< raters of a case
};

}  // namespace crema::study
