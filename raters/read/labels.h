// SPDX-License-Identifier: Apache-2.0
// From files that hold several labels to the structures that are fused.
#pragma once

#include "raters/run/run.h"

namespace crema::raters {

/// Reads all label maps once. Puts numbers where the settings name segments.
LoadedLabels read_labels(const RaterFiles& raters, Settings& settings, int threads, const Hooks& hooks);

/// What is fused, and as which label it is written. Throws InputError when a label does not occur, naming
/// those that do.
std::vector<Structure> choose_structures(const LabelMaps& maps, const Settings& settings,
                                         const SegmentLabels& segments, const std::vector<std::string>& names,
                                         Warnings& warnings);

/// Each structure as a segment: name and colour of the input, where it had them.
std::vector<files::SegmentInfo> segments_of(const LabelCounts& counts, const SegmentLabels& segments);

}  // namespace crema::raters
