// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "raters/run/run.h"

namespace crema::cli {

/// "liver (1), tumour (2)": all structures of a case, or the first of very many.
std::string labels_text(const raters::Case& counted);

/// One method's answer: each label in a line, and how they share the image.
std::string label_lines(const raters::Case& counted, const raters::Outcome& outcome);

/// The heading of one structure's part of a text; nothing for a mask.
std::string structure_heading(const raters::Case& counted, std::size_t s);

}  // namespace crema::cli
