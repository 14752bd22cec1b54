// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/tables/settings.h"
#include "figure/case_figure.h"

namespace crema::cli {

/// One panel of a figure: what it draws, and with which settings.
struct FigurePanel {
  figure::Request picture;
  Settings settings;
};

/// From "staple --roi box": methods, --show, --outlines and settings of methods, on top of what the whole
/// figure has. Throws UsageError that names the option and the words.
FigurePanel parse_panel(const std::string& text, const FigurePanel& common);

/// Whether both can be drawn from the same counts.
bool same_settings(const Settings& one, const Settings& other);

/// Words as a shell would split them: by blanks, with quotes around those that hold some.
std::vector<std::string> split_words(const std::string& text);

}  // namespace crema::cli
