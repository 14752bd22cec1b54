// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cohort/cohort.h"

namespace crema::cohort {

struct Where {
  std::filesystem::path data;    ///< a folder, or a manifest
  std::optional<Layout> layout;  ///< none: it is recognised
  std::string only;              ///< a pattern for the names of masks; empty: all
};

/// What cases there are. Throws InputError where none is found, or where the layout could be one or the
/// other.
Cohort find_cohort(const Where& where);

}  // namespace crema::cohort
