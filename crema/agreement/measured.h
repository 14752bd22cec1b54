// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace crema {

/// Why a measure has no value.
enum class Undefined : std::uint8_t {
  both_empty,       ///< of two masks
  first_empty,      ///< of two masks; the rater, where a rater is compared with a consensus
  second_empty,     ///< of two masks; the consensus, where a rater is compared with one
  nobody_drew,      ///< all raters are empty
  one_rater,        ///< there is nobody to compare with
  one_value,        ///< every voxel of the region got the same answer from all, so chance explains everything
  oblique,          ///< the axes of the grid are not at right angles, so that spacings give no distances
  no_parts,         ///< nothing to average over
  no_criterion,     ///< the method minimises no distance to the raters
  empty_consensus,  ///< nothing was kept
  not_requested,    ///< nobody requested it
  all_alike,        ///< the consensus is exactly what each rater with a say drew
  two_raters,       ///< of two raters neither lies farther from the other
  tie,              ///< several raters lie equally far from the others
  no_estimate,      ///< the method estimates no performance
  empty_reference,  ///< the majority vote or the average, to be compared with, is empty
  no_proof,         ///< nothing was proven about the result
  no_turn,          ///< no weight of this rater turns the decision
  from_elsewhere,   ///< the consensus was read from a file, and so there is no method to ask
  no_voxel_size,    ///< the files do not state it, and so nothing is in millimetres
  in_millimetres,   ///< there is a column in millimetres
  flat_image,       ///< it has areas
  solid_image,      ///< it has volumes
  no_overlap,       ///< no two raters have a voxel in common
  no_levels,        ///< the raters gave masks
};

/// "both masks are empty"
std::string_view to_string(Undefined reason);

/// A measure, or the reason why there is none: a missing value is never given as 0, infinity or NaN.
class Measured {
 public:
  Measured(double value) : content_(value) {}       // NOLINT: a number is a measure
  Measured(Undefined reason) : content_(reason) {}  // NOLINT: and so is a reason
  Measured() : Measured(Undefined::no_parts) {}

  [[nodiscard]] bool defined() const { return std::holds_alternative<double>(content_); }
  [[nodiscard]] std::optional<double> value() const {
    return defined() ? std::optional(std::get<double>(content_)) : std::nullopt;
  }
  [[nodiscard]] double value_or(double other) const { return value().value_or(other); }
  /// Throws std::bad_variant_access where there is none.
  [[nodiscard]] double operator*() const { return std::get<double>(content_); }
  [[nodiscard]] std::optional<Undefined> reason() const {
    return defined() ? std::nullopt : std::optional(std::get<Undefined>(content_));
  }

  friend bool operator==(const Measured&, const Measured&) = default;

 private:
  std::variant<double, Undefined> content_;
};

}  // namespace crema
