// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "plot/render.h"
#include "raters/run/run.h"

/// From a case that is counted to a picture of it. The program and the Python package both go this way.
namespace crema::figure {

/// What can be shown.
inline constexpr std::string_view kShown =
    "contours|votes|levels|subcrowns|distances|construction|iteration|trace";

struct Request {
  std::string show = "contours";
  std::string slice = "auto";
  bool whole = false;                       ///< the slice, not only the part around what raters drew
  bool image = false;                       ///< there is an image to lie beneath
  bool outlines = false;                    ///< raters' contours lie on top of whatever is shown
  bool overlay = false;                     ///< all methods in one panel, each in its colour
  std::vector<const Method*> methods = {};  ///< empty: what goes best with what is shown
  std::string title = {};                   ///< of a panel; empty: what distinguishes panels
};

/// Fills in the methods. Throws UsageError on what does not go together.
void complete(Request& request, const Settings& settings);

/// The same for one of several panels, which has no method but those named.
void complete_panel(Request& request, const Settings& settings);

/// Whether what is shown can have a consensus on it.
bool draws_consensus(const std::string& show);

/// Which slices were requested; none: the one with most disagreement of those that the consensus meets.
struct Wanted {
  std::vector<plot::Slice> slices;
  bool all_components = false;
};

Wanted parse_wanted(const Request& request, const Grid& grid);

/// What the methods and the picture need to know.
Needs needs_of(const Request& request);

/// One structure of a case, and what its raters are called.
struct Subject {
  const raters::Case& counted;
  std::size_t structure = 0;
  std::vector<std::string> names;

  [[nodiscard]] const Reduction& reduction() const { return counted.reduction(structure); }
};

/// One method's answer, painted.
struct Answered {
  const Method* method;
  Solution solution;
  Image image;
};

/// What a structure is called above its picture: "liver", "label 3", or nothing for a mask.
std::string title_of(const raters::Case& counted, std::size_t s);

/// The colour of a structure's consensus: the one its file states, else one of a list; ink for a mask.
std::string colour_of(const raters::Case& counted, std::size_t s);

/// One structure of a method's answer.
Answered answer_of(const raters::Case& counted, const raters::Outcome& outcome, std::size_t s);

struct Drawn {
  std::string svg;
  std::string shown;  ///< in words
};

/// Whether the picture draws what methods answer; a trace goes its own way through the counts.
bool draws_answers(const Request& request);

/// Draws one structure with the answers to it, one for each method; `grey` are the values of the image on the
/// raters' grid where there is one. Throws InputError when no rater marked anything.
Drawn draw(const Request& request, const Wanted& wanted, const Subject& subject,
           std::span<const Answered> answers, std::span<const float> grey, Warnings& warnings);

/// Draws all structures of a case, each in panels of its own; outcomes must still hold their images.
Drawn draw_case(const Request& request, const Wanted& wanted, const raters::Case& counted,
                std::span<const raters::Outcome> outcomes, std::span<const float> grey, Warnings& warnings);

/// How the axes lie in pictures of a case.
plot::Posture posture_of(const files::Header& header);

/// What the ending of a file's name says; SVG: none. Throws UsageError on others, and where the picture
/// cannot become that here.
std::optional<plot::Target> target_of(const std::filesystem::path& path);

}  // namespace crema::figure
