// SPDX-License-Identifier: Apache-2.0
// Decisions of an adjudicator, put into the consensus they are about.
#pragma once

#include <filesystem>
#include <vector>

#include "crema/adjudicate/apply.h"
#include "crema/adjudicate/decisions.h"
#include "raters/run/run.h"

namespace crema::raters {

/// What a run needs to know to make the consensus of the decisions. Throws InputError on a method or
/// a setting that is not crema's.
Settings settings_of(const Decisions& decisions);
const Method& method_of(const Decisions& decisions);

/// Throws InputError unless these are the files that were decided about, in their order.
void check_inputs(const Decisions& decisions, const std::vector<std::filesystem::path>& raters);

struct Adjudicated {
  Picture picture;
  Applied applied;
};

/// Solves, paints as the file of that name holds it, and applies the decisions.
/// Throws InputError where they do not fit the case; UsageError for regions and labels that overlap.
Adjudicated adjudicate(const Case& counted, const Decisions& decisions, const Settings& settings,
                       const std::filesystem::path& path, Warnings& warnings);

/// The settings of a run that decisions keep; none where one was given that they cannot: a file, or regions.
std::optional<std::vector<DecidedSetting>> decided_settings(const Settings& settings);

}  // namespace crema::raters
