// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "cohort/find/selection.h"

namespace crema::cohort {

/// The lines of a manifest: a table with the columns case, rater and path, in any order and with others
/// beside them, of which image is taken for the case's; person in place of rater says that a name means the
/// same person in every case. Throws InputError with the line where it is not one.
std::vector<Entry> read_manifest(const std::filesystem::path& path);

/// The same of a manifest in the folder of a run, which also says which cases could not be read.
std::vector<Entry> read_own_manifest(const std::filesystem::path& path);

/// A cohort from a manifest; paths start from the manifest's folder.
Cohort cohort_from_manifest(const Where& where);

/// What a manifest of the cohort calls its raters: rater or person.
std::string_view rater_column(const Cohort& cohort);

/// Writes cases as a manifest, piece by piece; with columns for images and for what could not be read where
/// there are any.
void write_manifest(const std::vector<const CohortCase*>& cases,
                    const std::function<void(std::string_view)>& write, std::string_view rater = "rater");
/// All of them.
std::vector<const CohortCase*> all_cases(const Cohort& cohort);

}  // namespace crema::cohort
