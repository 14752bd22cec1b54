// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crema/agreement/confidence/uniqueness.h"

namespace crema::cli {

/// A method, and how unique its minimiser is; none where it minimises no distance.
using NamedUniqueness = std::pair<std::string, std::optional<Uniqueness>>;

/// One line per method; nothing where no method minimises a distance.
std::string uniqueness_text(const std::vector<NamedUniqueness>& found, std::size_t width);

}  // namespace crema::cli
