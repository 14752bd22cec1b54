// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/tables.h"
#include "raters/run.h"

namespace crema::raters {

/// What raters are called in tables: their file names, with as many of their folders as it takes to tell them
/// apart, and a number behind them where that does not do.
std::vector<std::string> short_names(const std::vector<std::string>& names);

/// The name of the innermost folder that holds all these files; "case" where that has none.
std::string case_name(const std::vector<std::string>& paths);

/// A case as the title of a picture: "5 raters (a.nii.gz … e.nii.gz), 96 × 96 × 48 voxels"
std::string title_of(const Case& counted);

/// Names for tables: `given` is the case, or empty to take the folder of these files.
CaseNames names_of(const Case& counted, const std::vector<std::string>& paths, const std::string& given);

}  // namespace crema::raters
