// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crema/records/tables.h"
#include "raters/run/run.h"

namespace crema::raters {

/// Whether a file's name is shown with the ending of its format.
enum class Ending : std::uint8_t { keep, drop };

/// What raters are called: their file names, with as many of their folders as it takes to distinguish them,
/// and a number behind them where that does not do. In tables with endings; in legends without, and fit to be
/// shown.
std::vector<std::string> short_names(std::span<const std::string> names, Ending ending = Ending::keep);

/// The name of the innermost folder that holds all these files; "case" where that has none.
std::string case_name(const std::vector<std::string>& paths);

/// A structure as part of a file's name, different for each structure of the case.
std::string file_label(const Case& counted, std::size_t s);

/// A case as the title of a picture: "5 raters (a.nii.gz … e.nii.gz), 96 × 96 × 48 voxels"
std::string title_of(const Case& counted);

/// Names for tables of one structure: `given` is the case, or empty to take the folder of these files.
CaseNames names_of(const Case& counted, std::size_t s, const std::vector<std::string>& paths,
                   const std::string& given);

/// The labels of a case's structures, in their order; an empty text for a mask.
std::vector<std::string> label_names(const Case& counted);

}  // namespace crema::raters
