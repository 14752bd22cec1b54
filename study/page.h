// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "study/chapters/section.h"

namespace crema::study {

/// A table in Markdown. A number is followed by how many cases are behind it, in brackets: what the column
/// NAME_cases says, or else the column cases. Columns that tell variants apart are left out where they tell
/// nothing.
std::string markdown(const Table& table);

/// All sections as one page.
std::string page(const std::string& head, const std::vector<Section>& sections);

}  // namespace crema::study
