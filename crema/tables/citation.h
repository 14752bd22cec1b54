// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "crema/tables/method.h"

namespace crema {

/// Sentences for the methods section of a paper: what was computed, by which version, with keys of the
/// entries below in brackets.
std::string methods_sentence(std::span<const Method* const> methods);

/// BibTeX: the program, and each work that the methods are by, once.
std::string bibtex(std::span<const Method* const> methods);

}  // namespace crema
