// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/figure.h"
#include "plot/render.h"
#include "raters/run.h"

/// From a case that is counted to a picture of it. The program and the Python package both go this way.
namespace crema::draw {

/// What can be shown.
inline constexpr std::string_view kShown = "contours|votes|levels|subcrowns|trace";

struct Request {
  std::string show = "contours";
  std::string slice = "auto";
  bool whole = false;                       ///< the slice, not only the part around what raters drew
  bool image = false;                       ///< there is an image to lie beneath
  std::vector<const Method*> methods = {};  ///< empty: what goes best with what is shown
};

/// Fills in the methods. Throws UsageError on what does not go together.
void complete(Request& request, const Settings& settings);

/// Which slice was asked for; neither: the one with most disagreement.
struct Wanted {
  std::optional<plot::Slice> slice;
  bool all_components = false;
};

Wanted parse_wanted(const Request& request, const Grid& grid);

/// What the methods and the picture need to be told.
Needs needs_of(const Request& request);

/// One method's answer, painted.
struct Answered {
  const Method* method;
  Solution solution;
  Image image;
};

/// Asks a method; what it has to say goes to the warnings.
Answered ask(const raters::Case& counted, const Method& method, const Settings& settings, Warnings& warnings);

struct Drawn {
  std::string svg;
  std::string shown;  ///< in words
};

/// Whether the picture draws what methods answer; a trace goes its own way through the counts.
bool draws_answers(const Request& request);

/// Draws the answers, one for each method; `grey` are the values of the image on the raters' grid where there
/// is one. Throws InputError when no rater drew anything.
Drawn draw(const Request& request, const Wanted& wanted, const raters::Case& counted,
           std::span<const Answered> answers, std::span<const float> grey, Warnings& warnings);

/// How the axes lie in pictures of a case.
plot::Posture posture_of(const files::Header& header);

/// What the ending of a file's name says; SVG: none. Throws UsageError on others, and where the picture
/// cannot become that here.
std::optional<plot::Target> target_of(const std::filesystem::path& path);

}  // namespace crema::draw
