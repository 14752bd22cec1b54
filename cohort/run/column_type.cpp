// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/column_type.h"

#include <algorithm>
#include <array>

namespace crema::cohort {
namespace {

constexpr std::array<std::string_view, 28> kTextColumns{
    "raters_in", "raters_out",     "reason",    "flips_without", "blocks", "box",     "case",    "class",
    "distance",  "farthest_from",  "hd95_kind", "kind",          "label",  "message", "method",  "method_a",
    "method_b",  "missing_raters", "outlier",   "paper_name",    "rater",  "rater_a", "rater_b", "region",
    "rule",      "slice_wise",     "status",    "warning_kinds"};
constexpr std::array<std::string_view, 5> kTruthColumns{"converged", "empty_test", "present", "proven",
                                                        "transient"};
constexpr std::array<std::string_view, 43> kWholeColumns{"centre_x",
                                                         "centre_y",
                                                         "centre_z",
                                                         "claimed_twice",
                                                         "common_voxels",
                                                         "component",
                                                         "components",
                                                         "connectivity",
                                                         "consensus_parts",
                                                         "consensus_parts_found",
                                                         "consensus_voxels",
                                                         "cut",
                                                         "dispute_blocks",
                                                         "emptied_components",
                                                         "first_voxel",
                                                         "faces",
                                                         "isolated",
                                                         "iterations",
                                                         "kept",
                                                         "labels",
                                                         "merges",
                                                         "overlapping",
                                                         "parts",
                                                         "parts_found",
                                                         "rank",
                                                         "rater_voxels",
                                                         "raters",
                                                         "region_voxels",
                                                         "rule_exceptions",
                                                         "size_x",
                                                         "size_y",
                                                         "size_z",
                                                         "splits",
                                                         "tied",
                                                         "union_voxels",
                                                         "unlabelled",
                                                         "voxel_difference",
                                                         "voxels",
                                                         "voxels_a",
                                                         "voxels_b",
                                                         "voxels_high",
                                                         "voxels_low",
                                                         "warnings"};

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::string_view column_type(std::string_view table, std::string_view column) {
  if (table == "components" && column == "kept") return "boolean";
  if (has(kTextColumns, column)) return "text";
  if (has(kTruthColumns, column)) return "boolean";
  return has(kWholeColumns, column) ? "integer" : "number";
}

}  // namespace crema::cohort
