// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "cohort/cohort.h"

namespace crema::cohort {

/// The lines of a manifest: a table with the columns case, rater and path, in any order and with others
/// beside them. Throws InputError with the line where it is not one.
std::vector<Entry> read_manifest(const std::filesystem::path& path);

/// A cohort from a manifest; paths start from the manifest's folder.
Cohort cohort_from_manifest(const std::filesystem::path& path);

/// Writes cases as a manifest, piece by piece.
void write_manifest(const std::vector<const CohortCase*>& cases,
                    const std::function<void(std::string_view)>& write);
/// All of them.
std::vector<const CohortCase*> all_cases(const Cohort& cohort);

/// A whole file. Throws FileError where it cannot be read.
std::string read_text(const std::filesystem::path& path);

}  // namespace crema::cohort
