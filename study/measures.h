// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace crema::study {

/// A measure of a rater beside a consensus, as papers print it.
struct RaterMeasure {
  std::string_view column;  ///< of raters.csv; empty: the voxels of the rater less those of the consensus
  std::string_view name, unit;
};

/// Each length and size in every unit: what a file does not state is left out, never converted.
inline constexpr std::array kRaterMeasures{
    RaterMeasure{"dice", "Dice", ""},
    RaterMeasure{"jaccard", "Jaccard", ""},
    RaterMeasure{"hd95_mm", "HD95", "mm"},
    RaterMeasure{"hd95_voxels", "HD95", "voxels"},
    RaterMeasure{"assd_mm", "ASSD", "mm"},
    RaterMeasure{"assd_voxels", "ASSD", "voxels"},
    RaterMeasure{"volume_difference_mm3", "volume difference", "mm³"},
    RaterMeasure{"area_difference_mm2", "area difference", "mm²"},
    RaterMeasure{"", "size difference", "voxels"},
};
inline constexpr std::size_t kDice = 0;

using RaterMeasures = std::array<std::optional<double>, kRaterMeasures.size()>;

}  // namespace crema::study
