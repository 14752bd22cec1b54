// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/request.h"
#include "plot/figure.h"
#include "raters/grey_image.h"

namespace crema::cli {

/// What can be shown.
inline constexpr std::string_view kShown = "contours|votes|levels|subcrowns|trace";

struct FigureRequest : Request {
  std::string output;
  std::string image;  ///< empty: none
  std::string show = "contours";
  std::string slice = "auto";
  bool whole = false;
  int dpi = 300;
  std::vector<const Method*> methods = {};  ///< empty: what goes best with what is shown
};

/// Fills in the methods. Throws UsageError on what does not go together.
void complete(FigureRequest& request);

/// Which slice was asked for; neither: the one with most disagreement.
struct Wanted {
  std::optional<plot::Slice> slice;
  bool all_components = false;
};

Wanted parse_wanted(const FigureRequest& request, const Grid& grid);

/// What the methods and the picture need to be told.
Needs needs_of(const FigureRequest& request);

struct Drawn {
  std::string svg;
  std::string shown;  ///< in words
};

/// Asks the methods and draws. Throws InputError when no rater drew anything.
Drawn draw(const FigureRequest& request, const Wanted& wanted, const raters::Case& counted,
           const std::optional<raters::GreyFile>& image, Warnings& warnings);

}  // namespace crema::cli
