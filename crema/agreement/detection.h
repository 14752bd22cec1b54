// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/agreement/pairs.h"
#include "crema/agreement/surfaces/parts.h"
#include "crema/solution.h"

namespace crema {

/// A part that meets several parts of the other side.
struct Junction {
  std::uint32_t part = 0;                 ///< its number
  Box box;                                ///< where it lies
  std::vector<std::uint32_t> meets = {};  ///< the parts on the other side
};

/// What a rater found of the parts of a consensus T, by the rater's own parts S. Parts are connected in the
/// neighbourhood of the reduction.
struct Detection {
  int rater = 0;
  std::int64_t own_parts = 0, own_found = 0;              ///< parts of S; of these, those that meet T
  std::int64_t consensus_parts = 0, consensus_found = 0;  ///< parts of T; of these, those that meet S
  Measured precision;                                     ///< own_found / own_parts
  Measured recall;                                        ///< consensus_found / consensus_parts
  Measured f1;                                            ///< harmonic mean; 0 where just one side is empty
  std::vector<Junction> splits;                           ///< parts of T in which the rater has several parts
  std::vector<Junction> merges;  ///< parts of the rater's that join several parts of T
};

/// The shape of a consensus, and each rater's detection of it.
struct DetectionReport {
  std::int64_t parts = 0;     ///< of the consensus
  std::int64_t isolated = 0;  ///< of these, single voxels
  std::vector<Detection> raters;
};

/// Of any consensus on the grid of the reduction, also one with voxels that nobody drew.
DetectionReport detect(const Reduction& reduction, std::span<const VoxelSet> raters,
                       const VoxelSet& consensus);
DetectionReport detect(const Reduction& reduction, const Solution& solution, const Options& options);

/// An average in both conventions for 0/0.
struct BothMeans {
  double counted = 1;  ///< 0/0 counts as 1
  Measured left_out;   ///< what is undefined is left out; undefined where nothing is left
};

BothMeans mean_of(std::span<const Measured> values);

struct MeanAgreement {
  BothMeans precision, recall, f1;
};

/// Over raters, as the paper's table 4.
MeanAgreement mean_detection(const DetectionReport& report);

/// A rater inside one component of the union.
struct ComponentOverlap {
  bool present = false;
  CommonCounts voxels;  ///< first: the rater, second: the consensus
  Measured precision, recall, f1;
};

/// The overlap of every rater with the consensus in one component of the union.
std::vector<ComponentOverlap> compare_component(const Tally& tally, const Decision& decision);

/// Lesion by lesion: for each rater the means over all components of the union.
std::vector<MeanAgreement> compare_lesions(const Reduction& reduction, const Solution& solution);

}  // namespace crema
