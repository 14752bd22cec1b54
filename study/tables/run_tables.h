// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/tables/runs.h"
#include "study/tables/table_stream.h"

namespace crema::study {

/// The tables of one run, case by case.
class RunTables {
 public:
  explicit RunTables(const OpenRun& run);

  bool next_case();
  [[nodiscard]] const std::string& name() const { return cases_.text(case_name_); }
  [[nodiscard]] bool complete() const { return cases_.text(missing_).empty(); }
  [[nodiscard]] std::optional<double> positive_agreement() const { return cases_.number(agreement_); }
  [[nodiscard]] std::optional<double> kappa() const { return cases_.number(kappa_); }
  /// Whether any rater drew anything: else there is nothing to measure.
  [[nodiscard]] bool drawn() const { return cases_.number(components_) != 0.0; }

  /// Adds what this run knows of the case, but for variants that are there already; false where it is not
  /// done.
  bool read_case(CaseFacts& facts, std::vector<Variant>& variants);

  void check_end() const;

 private:
  Variant variant_of_row() const;
  void read_method(CaseFacts& facts, std::vector<Variant>& variants);
  void read_times(CaseFacts& facts);
  void read_raters(CaseFacts& facts);
  [[nodiscard]] RaterMeasures measures_of_rater() const;
  void read_lesions(CaseFacts& facts);
  /// The variant of a method on this case, none where another run has it.
  std::optional<std::size_t> variant(const std::string& method) const;

  const OpenRun& run_;
  TableStream cases_, methods_, raters_, lesions_, times_;
  std::size_t case_name_, missing_, agreement_, kappa_, components_;
  std::map<std::string, std::size_t, std::less<>> variants_;  ///< of this case, by method
};

}  // namespace crema::study
