// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crema/agreement/compare_methods.h"
#include "raters/run/write.h"

namespace crema::cli {

/// One method's part in a run, and what is reported of it beside others.
struct FuseResult : raters::FusedMethod {
  std::optional<MethodRow> row = {};
};

/// A name, blanks up to the column in which all texts of a summary start, and the text.
std::string line(std::string_view name, const std::string& text);

/// "96 × 96 × 48, 1 × 1 × 3 mm"; a PNG has no spacing and a 2-D image no third axis.
std::string grid_text(const files::Header& header);

/// Whether raters are listed by number and name, as numbers are used later, or how many there are.
enum class RaterList : std::uint8_t { counted, numbered };

/// What is printed before the methods run: raters, grid, components, labels.
std::string summary_head(const raters::Case& counted, RaterList list = RaterList::counted);

/// One method in a line, several in aligned tables with a header; then what was proven and found out about
/// each, the time and the places.
std::string summary_methods(const std::vector<FuseResult>& results, const raters::Case& counted,
                            double seconds);

}  // namespace crema::cli
