// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crema/records/records.h"

/// The origin of its masks in the record of a run.
namespace crema::raters {

/// "2026-11-15T20:47:41Z"
std::string now();

/// All files that these inputs consist of, with their checksums. Throws FileError where one cannot be read.
std::vector<InputFact> checksums(const std::vector<std::filesystem::path>& inputs);

}  // namespace crema::raters
