// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crema::cohort {

/// The words of a line as a shell splits them: blanks lie between words, quotes and backslashes keep them
/// together. Nothing is expanded or run; what a shell would expand or run must be quoted. Throws UsageError
/// where it is not, and where a quote is not closed.
std::vector<std::string> shell_words(std::string_view line);

}  // namespace crema::cohort
