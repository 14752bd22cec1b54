// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace crema::python {

/// A sentence of the library with the program's options told as keywords: "--threshold 0.5" becomes
/// "threshold=0.5".
std::string with_keywords(std::string sentence);
std::vector<std::string> with_keywords(std::vector<std::string> sentences);

}  // namespace crema::python
