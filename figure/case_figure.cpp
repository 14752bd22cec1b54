// SPDX-License-Identifier: Apache-2.0
#include "figure/case_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/tables/setting_values.h"
#include "figure/sheet.h"
#include "files/format.h"
#include "raters/run/about.h"

namespace crema::figure {
namespace {

void check_show(const Request& request) {
  try {
    parse_choice(request.show, kShown);
  } catch (const UsageError& error) {
    throw UsageError(Sentence::setting("show") + ": " + error.sentence.marked());
  }
}

bool is_search(const std::string& show) { return show == "trace" || show == "iteration"; }

void check_search(const Request& request, const Settings& settings) {
  const std::string show = Sentence::setting("show", request.show);
  for (const Method* method : request.methods)
    if (method->aim != Aim::distance || !goes_in_passes(method->distance, Blocks::subcrown))
      throw UsageError(
          fmt::format("{}: {} does not shrink and grow; name jaccard or dice.", show, method->name));
  const bool voxels = request.show == "iteration" && settings.options.blocks == Blocks::voxel;
  if (settings.options.blocks == Blocks::group || voxels)
    throw UsageError(fmt::format("{}: {} {}; leave it out.", show,
                                 Sentence::setting("blocks", voxels ? "voxel" : "group"),
                                 voxels ? "tries voxels, not subcrowns" : "is not a greedy search"));
}

/// What no front end can draw.
void check_request(const Request& request, const Settings& settings) {
  const std::string show = Sentence::setting("show", request.show);
  const bool of_masks = request.show != "contours" && request.show != "votes" && request.show != "levels";
  if (settings.probabilities && of_masks)
    throw UsageError(
        fmt::format("{} requires masks; with {} use contours, votes or levels, or cut the maps with {}.",
                    show, Sentence::setting("probabilities", "True"), Sentence::setting("threshold", "0.5")));
  if (is_search(request.show)) check_search(request, settings);
  if (request.show == "trace" && request.image)
    throw UsageError(fmt::format("{}: a trace has no slice to draw it on.", Sentence::setting("image")));
  if (request.outlines && (is_search(request.show) || !draws_consensus(request.show)))
    throw UsageError(
        fmt::format("{} already draws the raters; leave out {}.", show, Sentence::setting("outlines")));
  if (!draws_consensus(request.show) && !request.methods.empty())
    throw UsageError(fmt::format("{} draws no consensus; leave out the methods.", show));
  const bool one = request.slice == "all-components" || request.show == "iteration";
  if (one && request.show != "trace" && request.methods.size() > 1)
    throw UsageError(
        fmt::format("{} draws one method's consensus; name one method.",
                    request.show == "iteration" ? show : Sentence::setting("slice", request.slice)));
}

}  // namespace

bool draws_consensus(const std::string& show) { return show != "distances" && show != "construction"; }

void complete(Request& request, const Settings& settings) {
  check_show(request);
  if (request.methods.empty() && request.show == "levels") request.methods = {&find_method("tanimoto")};
  if (request.methods.empty() && (is_search(request.show) || request.show == "contours"))
    request.methods = {&find_method("jaccard")};
  check_request(request, settings);
}

void complete_panel(Request& request, const Settings& settings) {
  check_show(request);
  if (request.show == "trace")
    throw UsageError(
        fmt::format("{} is a separate figure; leave it out here.", Sentence::setting("show", request.show)));
  if (request.methods.empty() && (request.show == "levels" || request.show == "iteration"))
    throw UsageError(fmt::format("{}: name a method.", Sentence::setting("show", request.show)));
  request.overlay = request.methods.size() > 1;
  if (request.overlay && request.show == "levels")
    throw UsageError(fmt::format("{}: one panel shows the levels of one method; name one.",
                                 Sentence::setting("show", request.show)));
  check_request(request, settings);
}

Wanted parse_wanted(const Request& request, const Grid& grid) {
  if (request.slice == "auto") return {};
  if (request.slice == "all-components") return {.slices = {}, .all_components = true};
  Wanted wanted;
  try {
    wanted.slices = plot::parse_slices(request.slice, grid);
    if (wanted.slices.size() > kMaxPanels)
      throw UsageError(fmt::format("{} slices; a figure has at most {}.", wanted.slices.size(), kMaxPanels));
  } catch (const UsageError& error) {
    throw UsageError(Sentence::setting("slice") + ": " + error.sentence.marked());
  }
  return wanted;
}

Needs needs_of(const Request& request) {
  const bool distances =
      request.show == "subcrowns" || is_search(request.show) || !draws_consensus(request.show);
  return std::max(raters::needs_of(request.methods), distances ? Needs::distances : Needs::groups);
}

bool draws_answers(const Request& request) { return !is_search(request.show); }

Answered answer_of(const raters::Case& counted, const raters::Outcome& outcome, std::size_t s) {
  Solution solution = raters::solution_of(counted, outcome, s);
  if (outcome.joint) return {&outcome.method(), solution, *solution.image};
  Image image = solution.image ? *solution.image : paint(counted.reduction(s), solution, outcome.options);
  if (outcome.threshold) image = cut(std::move(image), *outcome.threshold, outcome.options.tie);
  return {&outcome.method(), std::move(solution), std::move(image)};
}

std::string title_of(const raters::Case& counted, std::size_t s) {
  const bool numbered = counted.labelled() && counted.counts.structures[s].structure.name.empty();
  return numbered ? "label " + counted.label(s) : counted.label(s);
}

std::string colour_of(const raters::Case& counted, std::size_t s) {
  if (!counted.labelled()) return std::string(plot::kInk);
  const std::vector<files::SegmentInfo>& segments = counted.reference.segments;
  return plot::structure_colour(s < segments.size() ? segments[s].colour : "", s);
}

Drawn draw(const Request& request, const Wanted& wanted, const Subject& subject,
           std::span<const Answered> answers, std::span<const float> grey, Warnings& warnings) {
  Sheet sheet;
  sheet.add(request, wanted, subject, answers, 0, warnings);
  return sheet.finish(grey, warnings);
}

Drawn draw_case(const Request& request, const Wanted& wanted, const raters::Case& counted,
                std::span<const raters::Outcome> outcomes, std::span<const float> grey, Warnings& warnings) {
  Sheet sheet;
  sheet.add_case(request, wanted, counted, outcomes, 0, warnings);
  return sheet.finish(grey, warnings);
}

plot::Posture posture_of(const files::Header& header) {
  // A single slice is a photograph as often as not.
  return header.positioned && !header.grid.flat() ? plot::Posture::anatomical : plot::Posture::stored;
}

std::optional<plot::Target> target_of(const std::filesystem::path& path) {
  if (files::ends_with(path, ".svg")) return {};
  const bool png = files::ends_with(path, ".png");
  if (!png && !files::ends_with(path, ".pdf"))
    throw UsageError(fmt::format("{}: a figure must end in .svg, .png or .pdf.", files::printable(path)));
  plot::require_renderer();
  return png ? plot::Target::png : plot::Target::pdf;
}

}  // namespace crema::figure
