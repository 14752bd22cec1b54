// SPDX-License-Identifier: Apache-2.0
#include "figure/sheet.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/counts/macchiato/trace.h"
#include "crema/counts/problem.h"
#include "crema/stop.h"
#include "crema/tables/setting_values.h"
#include "figure/backdrop.h"
#include "figure/strips.h"
#include "raters/open/names.h"
#include "raters/run/about.h"
#include "raters/run/agreement.h"

namespace crema::figure {
namespace {

constexpr std::size_t kMaxNotes = 14;

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
  return notes.size() > kMaxNotes ? std::map<std::int32_t, std::string>{} : notes;
}

/// "liver, dice": what distinguishes several labels and several methods; nothing where there is one.
std::string heading(const Subject& subject, const Method* method) {
  std::string label = title_of(subject.counted, subject.structure);
  if (method == nullptr) return label;
  return label.empty() ? std::string(method->name) : fmt::format("{}, {}", label, method->name);
}

/// What a panel is called: its own title, or what distinguishes it.
std::string title_of_panel(const Request& request, const Subject& subject, const Method* method) {
  std::string found = heading(subject, request.methods.size() > 1 ? method : nullptr);
  if (request.title.empty()) return found;
  const std::string label = title_of(subject.counted, subject.structure);
  return label.empty() ? request.title : fmt::format("{}, {}", label, request.title);
}

plot::Show shown_of(const std::string& word) {
  constexpr std::array all{plot::Show::contours, plot::Show::votes, plot::Show::levels,
                           plot::Show::subcrowns};
  return all.at(parse_choice(word, kShown));
}

[[noreturn]] void refuse_empty() {
  throw InputError("no rater marked anything, so there is nothing to show.");
}

}  // namespace

void Sheet::add_case(const Request& request, const Wanted& wanted, const raters::Case& counted,
                     std::span<const raters::Outcome> outcomes, std::size_t order, Warnings& warnings) {
  if (structures_.empty()) structures_ = chosen_structures(counted, request.methods.size(), warnings);
  if (structures_.empty()) refuse_empty();
  std::vector<Warnings> found(counted.structures());
  for (const std::size_t s : structures_) {
    std::vector<Answered> answers;
    for (const raters::Outcome& outcome : outcomes) answers.push_back(answer_of(counted, outcome, s));
    add(request, wanted, {counted, s, counted.names}, answers, order, found[s]);
  }
  append(warnings, raters::about_structures(counted, found));
}

void Sheet::add(const Request& request, const Wanted& wanted, const Subject& subject,
                std::span<const Answered> answers, std::size_t order, Warnings& warnings) {
  const Reduction& reduction = subject.reduction();
  if (reduction.components.list.empty()) refuse_empty();
  grid_ = reduction.grid;
  measured_ = subject.counted.reference.grid.measured;
  raters_ = raters::short_names(subject.names, raters::Ending::drop);
  shows_.push_back(request.show);
  all_components_ = wanted.all_components;
  named_ = !wanted.slices.empty();
  cases_ = std::max(cases_, order + 1);
  if (request.show == "trace") return add_traces(request, wanted, subject, warnings);
  const std::size_t most =
      std::max<std::size_t>(1, kMaxPanels / std::max<std::size_t>(1, structures_.size()));
  const std::vector<Place> places =
      wanted.all_components ? component_places(request, subject, answers, most, warnings)
                            : places_of(request, slices_of(wanted, subject, answers), subject, warnings);
  for (std::size_t n = 0; n < places.size(); ++n)
    add_panels(request, subject, places[n], answers, {subject.structure, n, order}, warnings);
  add_lines(request, subject, answers);
  components_ = std::max(components_, places.size());
}

std::vector<plot::Slice> Sheet::slices_of(const Wanted& wanted, const Subject& subject,
                                          std::span<const Answered> answers) {
  if (!wanted.slices.empty()) return wanted.slices;
  const auto known = chosen_.find(subject.structure);
  if (known != chosen_.end()) return {known->second};
  const plot::Slice slice = auto_slice(subject.reduction(), answers);
  chosen_.emplace(subject.structure, slice);
  return {slice};
}

void Sheet::add_panels(const Request& request, const Subject& subject, const Place& place,
                       std::span<const Answered> answers, Key key, Warnings& warnings) {
  if (request.show == "iteration" || !draws_consensus(request.show))
    return add_strip(request, subject, place, key, warnings);
  const Reduction& reduction = subject.reduction();
  const std::size_t each = request.overlay ? std::max<std::size_t>(answers.size(), 1) : 1;
  for (std::size_t first = 0; first < std::max<std::size_t>(answers.size(), 1); first += each) {
    const auto drawn = answers.subspan(first, std::min(each, answers.size() - first));
    const Answered* const one = drawn.size() == 1 ? &drawn.front() : nullptr;
    plot::Panel panel = bare_panel(subject, place, shown_of(request.show));
    panel.title = title_of_panel(request, subject, one == nullptr ? nullptr : one->method);
    panel.rater_lines = request.outlines;
    for (const Answered& answer : drawn)
      panel.consensus.push_back(
          {std::string(answer.method->name),
           request.overlay ? colour_of_method(*answer.method) : colour_of(subject.counted, subject.structure),
           plot::levels_of(answer.image, reduction.grid, place.view)});
    if (place.component)
      panel.title += fmt::format("{}component {}: {}", panel.title.empty() ? "" : ", ", *place.component + 1,
                                 note_of(reduction, *place.component, one));
    else if (request.show == "contours" && reduction.components.list.size() > 1)
      panel.notes = notes_of(reduction, panel, one);
    put(key, std::move(panel));
  }
}

/// A strip is about one component: the one of which the slice shows most, unless it is given.
void Sheet::add_strip(const Request& request, const Subject& subject, Place place, Key key,
                      Warnings& warnings) {
  const Reduction& reduction = subject.reduction();
  if (!place.component) {
    place.component = main_component(reduction, place.view.slice);
    if (!request.whole) place.view = plot::around(reduction, place.view, place.component);
  }
  const std::size_t most = std::max<std::size_t>(4, kMaxPanels / 2 / std::max<std::size_t>(1, components_));
  std::vector<plot::Panel> panels =
      request.show == "distances" ? distance_panels(subject, place)
      : request.show == "construction"
          ? construction_panels(subject, place)
          : iteration_panels(subject, place, *request.methods.front(), most, warnings);
  const std::string label = title_of(subject.counted, subject.structure);
  for (plot::Panel& panel : panels) {
    if (!label.empty()) panel.title = fmt::format("{}, {}", label, panel.title);
    put(key, std::move(panel));
  }
}

void Sheet::add_line(plot::ConsensusLine line) {
  const auto same = [&](const plot::ConsensusLine& other) {
    return other.words == line.words && other.colour == line.colour;
  };
  if (std::none_of(lines_.begin(), lines_.end(), same)) lines_.push_back(std::move(line));
}

void Sheet::add_lines(const Request& request, const Subject& subject, std::span<const Answered> answers) {
  if (answers.empty()) return;
  if (request.overlay) {
    for (const Answered& answer : answers)
      add_line({std::string(answer.method->name), colour_of_method(*answer.method)});
    return;
  }
  const std::string label = title_of(subject.counted, subject.structure);
  const bool several = request.methods.size() > 1 || !request.title.empty();
  const std::string by = several ? "" : std::string(request.methods.front()->name);
  std::string text = by.empty() ? "consensus of the method above" : fmt::format("consensus ({})", by);
  if (!label.empty()) text = fmt::format("{}: consensus{}", label, by.empty() ? "" : " (" + by + ")");
  if (request.show == "levels") text = label.empty() ? "level one half" : label + ": level one half";
  add_line({std::move(text), colour_of(subject.counted, subject.structure)});
}

std::string Sheet::colour_of_method(const Method& method) {
  const std::string name(method.name);
  auto found = std::find(method_names_.begin(), method_names_.end(), name);
  if (found == method_names_.end()) found = method_names_.insert(method_names_.end(), name);
  return std::string(plot::rater_stroke(static_cast<int>(found - method_names_.begin()), 1).colour);
}

/// As many panels in a row as belong together, or several such groups.
std::size_t Sheet::across() const {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> each;
  for (const auto& entry : panels_) ++each[{entry.first.structure, entry.first.place}];
  const std::size_t group = each.begin()->second;
  if (group > plot::kPanelsPerRow) {
    const std::size_t rows = (group + plot::kPanelsPerRow - 1) / plot::kPanelsPerRow;
    return (group + rows - 1) / rows;
  }
  return std::min(panels_.size(), plot::kPanelsPerRow / group * group);
}

Drawn Sheet::finish(std::span<const float> grey, Warnings& warnings) {
  if (!traces_.empty()) return finish_traces();
  append(warnings, raters::warnings_about_shear(grid_));
  std::stable_sort(panels_.begin(), panels_.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  if (panels_.empty()) throw InputError("no step of the search shows on this slice; choose another slice.");
  plot::Figure figure{.title = words(),
                      .raters = raters_,
                      .consensus = lines_,
                      .style = {.unit = measured_ ? "mm" : "px"},
                      .panels = {},
                      .across = across()};
  for (auto& entry : panels_) figure.panels.push_back(std::move(entry.second));
  if (!grey.empty()) lay_beneath(figure.panels, grey, grid_);
  const std::string shown = figure.title;
  return {plot::draw_figure(std::move(figure)), shown};
}

/// "contours of 4 raters, 3 labels, slice z = 7"
std::string Sheet::words() const {
  const bool several = cases_ > 1;
  std::string text = fmt::format("{} of {}", several ? counted(panels_.size(), "panel") : shows_.front(),
                                 counted(raters_.size(), "rater"));
  const std::size_t labels = std::max<std::size_t>(1, structures_.size());
  if (labels > 1) text += fmt::format(", {} labels", labels);
  std::string where = panels_.front().second.place;
  if (all_components_)
    where = counted(components_, "component");
  else if (labels > 1 && !named_)
    where = "each on its own slice";
  else if (components_ > 1)
    where = fmt::format("{} slices", components_);
  return where.empty() ? text : text + ", " + where;
}

void Sheet::add_traces(const Request& request, const Wanted& wanted, const Subject& subject,
                       Warnings& warnings) {
  const raters::Case& counted = subject.counted;
  const Reduction& reduction = subject.reduction();
  const std::size_t most =
      std::max<std::size_t>(1, kMaxPanels / std::max<std::size_t>(1, structures_.size()));
  std::vector<std::size_t> components;
  if (wanted.all_components)
    components = chosen_components(reduction, most, warnings);
  else
    for (const plot::Slice& slice : slices_of(wanted, subject, {}))
      components.push_back(main_component(reduction, slice));
  for (const std::size_t c : components)
    for (const Method* method : request.methods) {
      const Crowns& crowns = reduction.crowns[c];
      const Tally tally = counted.options.blocks == Blocks::voxel ? split_voxels(crowns).tally : crowns.tally;
      traces_.push_back({fmt::format("{}, component {} (marked by {} of {} raters)", heading(subject, method),
                                     c + 1, raters_in(tally), reduction.raters),
                         fmt::format("mean squared {} distance", to_string(method->distance)),
                         trace_greedily(tally, method->distance.with(counted.options.tversky),
                                        solve_options(counted.options)),
                         counted.options.empty_test, counted.options.tie});
    }
}

Drawn Sheet::finish_traces() {
  const std::string shown =
      fmt::format("the criterion along both passes, {}", crema::counted(traces_.size(), "panel"));
  return {plot::draw_traces(traces_, shown), shown};
}

}  // namespace crema::figure
