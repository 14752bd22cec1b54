// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "study/measures.h"
#include "study/statistics/bootstrap.h"
#include "study/volumes.h"

/// How a table for a paper is written.
namespace crema::study {

struct PaperRow {
  std::string method, rater;
  std::array<std::optional<Summary>, kRaterMeasures.size()> measures;
};

struct PaperText {
  std::int64_t cases = 0;
  std::size_t fewest = 0, most = 0;  ///< raters of a case
  Identity identity{};
  std::vector<PaperRow> rows = {};
  std::vector<std::string> among = {};  ///< how raters agree with each other, in words
};

/// What a variant is called: its method, and its settings where another variant has the same method.
std::string paper_name(const std::vector<Variant>& variants, std::size_t variant);

/// "0.912 ± 0.034; 0.915 [0.890, 0.940]; 0.905 to 0.919"
std::string shown_summary(const Summary& found);
std::string shown_icc(const NamedIcc& one);

/// How the numbers were made, for readers and reviewers (GRRAS, items 6 and 14).
std::string how_it_was_made(const PaperText& text);

std::string markdown_of(const PaperText& text);
std::string latex_of(const PaperText& text);

}  // namespace crema::study
