// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/sentence.h"

namespace crema {

/// How much a warning matters: a defect of the input is to be fixed, a caution is worth a look, and a note
/// is what a run of this kind usually says.
enum class Severity : std::uint8_t { defect, caution, note };

/// What a warning is about, for whoever counts or sorts them.
enum class WarningKind : std::uint8_t {
  // Defects of the input.
  empty_mask,
  full_mask,
  inverted,
  copy,
  mirrored,
  shifted,
  no_overlap,
  unlike,  ///< it hardly overlaps with others, who agree
  own_output,
  missing_label,
  missing_slice,
  left_out,  ///< files or folders that were not taken
  // Cautions.
  other,
  order,
  padded,
  geometry,
  values,
  file,
  region,
  labels,
  setting,
  weights,
  not_converged,
  better_known,
  one_rater,
  dropped_raters,
  dropped_component,
  one_decides,
  worse_than_chance,
  outside,  ///< a consensus has voxels that nobody drew
  // Notes.
  reoriented,
  against_majority,
  no_spacing,
  output_format,
  figure,
};

std::string_view to_string(WarningKind kind);
std::string_view to_string(Severity severity);
Severity severity_of(WarningKind kind);

/// The kind of that name; `other` for names that are not known.
WarningKind kind_named(std::string_view name);

/// Something that a careful colleague would say about a run. A plain text is a warning of no special kind.
struct Warning {
  Warning(Sentence reported, WarningKind about = WarningKind::other)  // NOLINT: a sentence is a warning
      : sentence(std::move(reported)), kind(about) {}
  Warning(std::string reported, WarningKind about = WarningKind::other)  // NOLINT
      : sentence(std::move(reported)), kind(about) {}
  Warning(const char* reported, WarningKind about = WarningKind::other)  // NOLINT
      : sentence(reported), kind(about) {}

  [[nodiscard]] std::string text(Spelling spelling = Spelling::library) const {
    return sentence.text(spelling);
  }
  [[nodiscard]] const std::string& marked() const { return sentence.marked(); }

  bool operator==(const Warning&) const = default;

  Sentence sentence;
  WarningKind kind;
  std::string cause = {};  ///< shared by those that say the same of other structures, with other numbers
};

using Warnings = std::vector<Warning>;

void append(Warnings& to, const Warnings& more);

/// How many of them are defects of the input.
std::int64_t count_defects(const Warnings& warnings);

/// Spelled, as records and people get them: defects first, notes last, each in the order in which they came.
Warnings spelled(const Warnings& warnings, Spelling spelling);

/// The texts of these.
std::vector<std::string> texts(const Warnings& warnings, Spelling spelling);

}  // namespace crema
