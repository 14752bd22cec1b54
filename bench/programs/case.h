// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "crema/crema.h"

namespace crema::bench {

/// A phantom, and how much background lies around it.
struct CaseOptions {
  std::string kind = "lesions";
  std::string size = "full";  ///< small, full or X,Y,Z
  int raters = 0;             ///< 0: as many as the kind has
  int lesions = 0;            ///< 0: as many as suit the size
  double background = 1;      ///< the volume becomes so many times larger, all of it background
};

/// All but the kind, of which a program may take several.
void declare(cli::Parser& parser, CaseOptions& options);

/// Parses the words of main(); where they are wrong, says so and exits.
void parse(cli::Parser& parser, int argc, char** argv);

/// Masks that are drawn one at a time, so that a case may be larger than all of them in memory.
struct Case {
  Grid grid;
  int raters = 0;
  std::function<std::vector<std::uint8_t>(int rater)> draw;
};

/// Throws UsageError or InputError on what cannot be drawn.
Case make_case(const CaseOptions& options);

/// One rater's mask as an image, to be written.
Image image_of(const Case& sample, int rater);

/// All masks of a case.
std::vector<std::vector<std::uint8_t>> draw_all(const Case& sample);

}  // namespace crema::bench
