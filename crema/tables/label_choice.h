// SPDX-License-Identifier: Apache-2.0
// Which labels are fused, as people say it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// "liver=1", "whole=1+2+4", or a number alone, which has no name.
struct NamedLabels {
  std::string name;
  std::vector<std::uint16_t> labels;  ///< sorted, each once; empty: the segment of that name

  friend bool operator==(const NamedLabels&, const NamedLabels&) = default;
};

/// Labels that exclude each other, or regions that hold each other.
struct LabelChoice {
  std::string text;                 ///< as it was given
  bool all = false;                 ///< every label that occurs
  bool preset = false;              ///< a table of a challenge, whose labels need not all occur
  std::vector<NamedLabels> chosen;  ///< unless all
};

/// "all", "1,2", "liver=1,tumour=2" or, of segments, "liver,tumour". Throws UsageError on anything else, and
/// on what is named twice.
LabelChoice parse_labels(std::string_view text);

/// "whole=1+2+4,core=1+4,enhancing=4", where a region may be named instead of its labels, or "brats". Throws
/// UsageError when a region holds itself, holds the same labels as another, or overlaps with one that does
/// not lie inside it.
LabelChoice parse_regions(std::string_view text);

/// Throws UsageError when regions hold the same labels, or overlap without one lying inside the other.
void check_nesting(const std::vector<NamedLabels>& regions);

}  // namespace crema
