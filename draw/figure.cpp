// SPDX-License-Identifier: Apache-2.0
#include "draw/figure.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "crema/counts/macchiato/trace.h"
#include "crema/error.h"
#include "crema/setting_values.h"
#include "crema/stop.h"
#include "files/format.h"
#include "plot/trace_plot.h"
#include "raters/grey_image.h"
#include "raters/legend_names.h"

namespace crema::draw {
namespace {

constexpr std::size_t kMostPanels = 24, kMostNotes = 14;

/// What one panel is to show.
struct Place {
  plot::View view;
  std::optional<std::size_t> component;  ///< that it is about; nothing: all on the slice
};

/// Components by falling disagreement; those that are as large stay in their order.
std::vector<std::size_t> by_disagreement(const Reduction& reduction) {
  std::vector<std::size_t> order(reduction.components.list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plot::disagreement(reduction.crowns[a].tally) > plot::disagreement(reduction.crowns[b].tally);
  });
  return order;
}

/// The components that are drawn each by itself, in their order.
std::vector<std::size_t> chosen_components(const Reduction& reduction, Warnings& warnings) {
  std::vector<std::size_t> order = by_disagreement(reduction);
  if (order.size() > kMostPanels) {
    warnings.push_back(fmt::format("{} of {} components are drawn: those with most disagreement.",
                                   kMostPanels, order.size()));
    order.resize(kMostPanels);
  }
  std::sort(order.begin(), order.end());
  return order;
}

plot::Slice slice_of(const Reduction& reduction, const Wanted& wanted) {
  return wanted.slice ? *wanted.slice : *plot::choose_slice(reduction);
}

std::vector<Place> places_of(const Request& request, const Wanted& wanted, const raters::Case& counted,
                             Warnings& warnings) {
  const Reduction& reduction = *counted.reduction;
  const plot::Posture posture = posture_of(counted.reference);
  std::vector<Place> places;
  if (wanted.all_components) {
    for (const std::size_t c : chosen_components(reduction, warnings)) {
      const plot::View view = plot::whole(reduction.grid, *plot::choose_slice(reduction, c), posture);
      places.push_back({request.whole ? view : plot::around(reduction, view, c), c});
    }
    return places;
  }
  const plot::View view = plot::whole(reduction.grid, slice_of(reduction, wanted), posture);
  const plot::Plane<plot::Cell> cells = plot::cells_of(reduction, view);
  if (std::all_of(cells.values.begin(), cells.values.end(),
                  [](const plot::Cell& c) { return c.component < 0; }))
    warnings.push_back(
        fmt::format("nobody drew anything on the slice {}; auto finds one where they did.", request.slice));
  return {{request.whole ? view : plot::around(reduction, view), {}}};
}

int raters_in(const Tally& tally) {
  Raters present = 0;
  for (const Subcrown& row : tally.rows) present |= row.raters;
  return std::popcount(present);
}

/// "3 of 5: left out"
std::string note_of(const Reduction& reduction, std::size_t component, const Answered* answer) {
  const bool kept = answer == nullptr || answer->solution.components[component].soft_voxels > 0;
  return fmt::format("{} of {}{}", raters_in(reduction.crowns[component].tally), reduction.raters,
                     kept ? "" : ": left out");
}

std::map<std::int32_t, std::string> notes_of(const Reduction& reduction, const plot::Panel& panel,
                                             const Answered* answer) {
  std::map<std::int32_t, std::string> notes;
  for (const plot::Cell& cell : panel.cells.values)
    if (cell.component >= 0 && !notes.contains(cell.component))
      notes[cell.component] = note_of(reduction, static_cast<std::size_t>(cell.component), answer);
  return notes.size() > kMostNotes ? std::map<std::int32_t, std::string>{} : notes;
}

plot::Panel panel_of(const Request& request, const Reduction& reduction, const Place& place,
                     const Answered* answer) {
  plot::Panel panel{.title = "", .view = place.view};
  panel.cells = plot::cells_of(reduction, place.view);
  if (answer != nullptr) panel.consensus = plot::levels_of(answer->image, reduction.grid, place.view);
  if (place.component) {
    panel.title =
        fmt::format("component {}: {}", *place.component + 1, note_of(reduction, *place.component, answer));
    return panel;
  }
  if (request.methods.size() > 1) panel.title = answer->method->name;
  if (request.show == "contours" && reduction.components.list.size() > 1)
    panel.notes = notes_of(reduction, panel, answer);
  return panel;
}

/// The image beneath each panel.
void lay_beneath(std::vector<plot::Panel>& panels, std::span<const float> image, const Grid& grid) {
  std::vector<float> all;
  for (const plot::Panel& panel : panels) {
    const plot::Plane<float> shown = plot::levels_of(image, grid, panel.view);
    all.insert(all.end(), shown.values.begin(), shown.values.end());
  }
  const raters::GreyScale scale(all);
  for (plot::Panel& panel : panels) {
    const plot::Plane<float> shown = plot::levels_of(image, grid, panel.view);
    SoftImage grey(shown.values.size());
    for (std::size_t i = 0; i < shown.values.size(); ++i)
      grey[i] = static_cast<float>(scale.shade(shown.values[i])) / 255;
    files::Header header;
    header.grid.size = {shown.width, shown.height, 1};
    const files::Encoded encoded = files::encode_image("backdrop.png", grey, header);
    const auto& bytes = encoded.owned.back();
    panel.backdrop.assign(bytes.begin(), bytes.end());
  }
}

plot::Show shown_of(const std::string& word) {
  constexpr std::array all{plot::Show::contours, plot::Show::votes, plot::Show::levels,
                           plot::Show::subcrowns};
  return all.at(parse_choice(word, kShown));
}

/// The component of which the slice shows most.
std::size_t main_component(const Reduction& reduction, const plot::Slice& slice) {
  std::vector<std::int64_t> voxels(reduction.components.list.size());
  for (const plot::Cell& cell :
       plot::cells_of(reduction, plot::whole(reduction.grid, slice, plot::Posture::stored)).values)
    if (cell.component >= 0) ++voxels[static_cast<std::size_t>(cell.component)];
  return static_cast<std::size_t>(std::max_element(voxels.begin(), voxels.end()) - voxels.begin());
}

Drawn draw_traces(const Request& request, const Wanted& wanted, const raters::Case& counted,
                  Warnings& warnings) {
  const Reduction& reduction = *counted.reduction;
  const std::vector<std::size_t> components =
      wanted.all_components ? chosen_components(reduction, warnings)
                            : std::vector{main_component(reduction, slice_of(reduction, wanted))};
  std::vector<plot::TracePanel> panels;
  for (const std::size_t c : components)
    for (const Method* method : request.methods) {
      const Crowns& crowns = reduction.crowns[c];
      const Tally tally = counted.options.blocks == Blocks::voxel ? split_voxels(crowns).tally : crowns.tally;
      panels.push_back({fmt::format("{}, component {} ({} of {} raters drew it)", method->name, c + 1,
                                    raters_in(tally), reduction.raters),
                        fmt::format("mean squared {} distance", to_string(method->distance)),
                        trace_greedily(tally, method->distance, solve_options(counted.options)),
                        counted.options.empty_test, counted.options.tie});
    }
  const std::string shown = fmt::format("the criterion along both passes, {} panel{}", panels.size(),
                                        panels.size() == 1 ? "" : "s");
  return {plot::draw_traces(panels, shown), shown};
}

}  // namespace

void complete(Request& request, const Settings& settings) {
  const std::string show = Sentence::setting("show", request.show);
  try {
    parse_choice(request.show, kShown);
  } catch (const UsageError& error) {
    throw UsageError(Sentence::setting("show") + ": " + error.sentence.marked());
  }
  const bool trace = request.show == "trace";
  if (request.methods.empty() && request.show == "levels") request.methods = {&find_method("tanimoto")};
  if (request.methods.empty() && (trace || request.show == "contours"))
    request.methods = {&find_method("jaccard")};
  if (trace) {
    for (const Method* method : request.methods)
      if (method->aim != Aim::distance || !is_hard(method->distance) || method->kind != Kind::hard)
        throw UsageError(
            fmt::format("{}: {} does not shrink and grow; name jaccard or dice.", show, method->name));
    if (settings.options.blocks == Blocks::group)
      throw UsageError(fmt::format("{}: {} is no greedy search; leave it out.", show,
                                   Sentence::setting("blocks", "group")));
    if (request.image)
      throw UsageError(
          fmt::format("{}: a trace has no slice beneath which it could lie.", Sentence::setting("image")));
  } else if (request.slice == "all-components" && request.methods.size() > 1) {
    throw UsageError(fmt::format("{} draws one method's consensus; name one method.",
                                 Sentence::setting("slice", request.slice)));
  }
}

Wanted parse_wanted(const Request& request, const Grid& grid) {
  if (request.slice == "auto") return {};
  if (request.slice == "all-components") return {.slice = {}, .all_components = true};
  try {
    return {.slice = plot::parse_slice(request.slice, grid)};
  } catch (const UsageError& error) {
    throw UsageError(Sentence::setting("slice") + ": " + error.sentence.marked());
  }
}

Needs needs_of(const Request& request) {
  const bool distances = request.show == "subcrowns" || request.show == "trace";
  return std::max(raters::needs_of(request.methods), distances ? Needs::distances : Needs::groups);
}

bool draws_answers(const Request& request) { return request.show != "trace"; }

Answered ask(const raters::Case& counted, const Method& method, const Settings& settings,
             Warnings& warnings) {
  raters::Outcome outcome = raters::solve_method(counted, method, settings);
  append(warnings, outcome.warnings);
  Image image = raters::paint_outcome(counted, outcome);
  return {&method, std::move(outcome.solution), std::move(image)};
}

Drawn draw(const Request& request, const Wanted& wanted, const raters::Case& counted,
           std::span<const Answered> answers, std::span<const float> grey, Warnings& warnings) {
  const Reduction& reduction = *counted.reduction;
  if (reduction.components.list.empty())
    throw InputError("no rater drew anything, so that there is nothing to show; give other masks.");
  if (!draws_answers(request)) return draw_traces(request, wanted, counted, warnings);
  const std::vector<Place> places = places_of(request, wanted, counted, warnings);
  plot::Figure figure{
      .title = {}, .raters = raters::legend_names(counted.names), .consensus = {}, .style = {}, .panels = {}};
  figure.style = {.show = shown_of(request.show),
                  .reduction = &reduction,
                  .unit = files::spacing_known(counted.reference) ? "mm" : "px"};
  figure.consensus = answers.size() == 1 ? fmt::format("consensus ({})", answers.front().method->name)
                                         : "consensus of the method above";
  for (const Place& place : places) {
    if (answers.empty()) figure.panels.push_back(panel_of(request, reduction, place, nullptr));
    for (const Answered& answer : answers)
      figure.panels.push_back(panel_of(request, reduction, place, &answer));
  }
  if (!grey.empty()) lay_beneath(figure.panels, grey, reduction.grid);
  const std::string where = wanted.all_components ? fmt::format("{} components", places.size())
                                                  : plot::place_text(reduction.grid, places.front().view);
  const std::string shown =
      fmt::format("{} of {} raters{}{}", request.show, reduction.raters, where.empty() ? "" : ", ", where);
  figure.title = shown;
  return {plot::draw_figure(std::move(figure)), shown};
}

plot::Posture posture_of(const files::Header& header) {
  // A single slice is a photograph as often as not.
  return header.positioned && !header.grid.flat() ? plot::Posture::anatomical : plot::Posture::stored;
}

std::optional<plot::Target> target_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".svg") return {};
  if (ending != ".png" && ending != ".pdf")
    throw UsageError(
        fmt::format("{}: a figure is SVG, PNG or PDF; give it a name that ends in .svg, .png or .pdf.",
                    files::printable(path)));
  plot::require_renderer();
  return ending == ".png" ? plot::Target::png : plot::Target::pdf;
}

}  // namespace crema::draw
