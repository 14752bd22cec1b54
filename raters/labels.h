// SPDX-License-Identifier: Apache-2.0
// From files that hold several labels to counts of each of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crema/labels/joint.h"
#include "raters/run.h"
#include "raters/segments.h"

namespace crema::raters {

/// Whether the settings ask for several labels, or regions of them.
bool wants_labels(const Settings& settings);

/// One case of several labels, counted.
struct LabelCase {
  files::Header reference;
  std::vector<std::string> names;
  LabelCounts counts;
  Options options;  ///< what all methods share
  Warnings warnings;
  double reading = 0, counting = 0;  ///< seconds
};

/// Reads all label maps once and counts the labels that were asked for. Throws InputError when one of them
/// does not occur, naming those that do.
LabelCase count_labels(const RaterFiles& raters, const Settings& settings,
                       std::span<const Method* const> methods, const Hooks& hooks);

/// Label maps in memory.
struct LabelSource {
  files::Header reference;
  std::vector<std::string> names;  ///< one per rater
  std::shared_ptr<const LabelMaps> maps;
  Warnings warnings;
};

LabelCase count_labels(const LabelSource& source, const Settings& settings,
                       std::span<const Method* const> methods, const Hooks& hooks);

/// What is fused, and as which label it is written.
std::vector<Structure> choose_structures(const LabelMaps& maps, const Settings& settings,
                                         const SegmentLabels& segments, const std::vector<std::string>& names,
                                         Warnings& warnings);

/// One method's part in a run.
struct LabelOutcome {
  Options options;
  LabelConsensus consensus;
  double solving = 0;  ///< seconds
};

LabelOutcome solve_labels(const LabelCase& counted, const Method& method);

}  // namespace crema::raters
