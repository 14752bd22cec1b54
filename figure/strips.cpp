// SPDX-License-Identifier: Apache-2.0
#include "figure/strips.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/counts/macchiato/trace.h"
#include "crema/stop.h"
#include "crema/voxels/steps.h"
#include "raters/open/names.h"

namespace crema::figure {
namespace {

/// The box of a component and of what a view shows of its slice.
Box joint_box(const Box& component, const plot::View& view) {
  Box box = component;
  const auto across = static_cast<std::size_t>(view.slice.axis);
  box.low[across] = std::min(box.low[across], view.slice.index);
  box.high[across] = std::max(box.high[across], view.slice.index + 1);
  for (std::size_t n = 0; n < 2; ++n) {
    const auto a = static_cast<std::size_t>(view.axis[n]);
    box.low[a] = std::min(box.low[a], view.low[n]);
    box.high[a] = std::max(box.high[a], view.high[n]);
  }
  return box;
}

/// Where a voxel of the grid lies in a box.
std::array<std::int32_t, 3> within(const Box& box, const Grid& grid, std::int64_t voxel) {
  const auto p = grid.point(voxel);
  return {p[0] - box.low[0], p[1] - box.low[1], p[2] - box.low[2]};
}

using Steps = StepField<std::uint32_t>;

/// Runs go through the slices in order.
void spread_from(Steps& field, const Reduction& reduction, std::size_t c, int rater, const Box& box) {
  const Crowns& crowns = reduction.crowns[c];
  const auto runs = reduction.components.runs_of(reduction.components.list[c]);
  std::size_t next = 0, voxel = 0;
  field.spread([&](std::int32_t z) {
    for (; next < runs.size(); ++next) {
      const Run& run = runs[next];
      const auto at = within(box, reduction.grid, run.first);
      if (at[2] != z) return;
      for (std::int32_t i = 0; i < run.length; ++i, ++voxel)
        if ((crowns.tally.rows[crowns.row_of_voxel[voxel]].raters >> rater & 1U) != 0)
          field.row(at[1], z)[at[0] + i] = 0;
    }
  });
}

std::string set_words(Raters raters) {
  std::string text;
  for (int k = 0; k < kMaxRaters; ++k)
    if ((raters >> k & 1U) != 0) text += fmt::format("{}{}", text.empty() ? "" : ",", k + 1);
  return text;
}

/// Rows that are decided on together with the row of a step.
bool in_block(const Tally& tally, const Step& step, std::uint32_t row, Blocks blocks) {
  return blocks == Blocks::crown ? tally.rows[row].distance == step.distance : row == step.row;
}

/// "{1,3} at 6: 0.231 → 0.225": raters, total distance, and the criterion before and after.
std::string step_words(const Tally& tally, const Step& step, double before, Blocks blocks) {
  const std::string who =
      blocks == Blocks::crown ? "crown" : fmt::format("{{{}}}", set_words(tally.rows[step.row].raters));
  return fmt::format("{} at {}: {:.4f} → {:.4f}", who, step.distance, before, step.criterion);
}

}  // namespace

plot::Plane<std::int32_t> steps_to_rater(const Reduction& reduction, std::size_t component, int rater,
                                         const plot::View& view) {
  plot::Plane<std::int32_t> steps(view.columns(), view.rows(), -1);
  const Box box = joint_box(reduction.components.list[component].box, view);
  Steps field(box.size(), reduction.neighbourhood);
  spread_from(field, reduction, component, rater, box);
  for (int y = 0; y < steps.height; ++y)
    for (int x = 0; x < steps.width; ++x) {
      const auto at = within(box, reduction.grid, view.voxel(reduction.grid, x, y));
      const std::uint32_t found = field.row(at[1], at[2])[at[0]];
      if (found < 0x7fffffffU) steps.at(x, y) = static_cast<std::int32_t>(found);
    }
  return steps;
}

plot::Panel bare_panel(const Subject& subject, const Place& place, plot::Show show) {
  const Reduction& reduction = subject.reduction();
  plot::Panel panel{.title = {}, .view = place.view, .show = show, .raters = reduction.raters};
  panel.place = plot::place_text(reduction.grid, place.view);
  panel.cells = plot::cells_of(reduction, place.view);
  return panel;
}

namespace {

/// The same, without other components.
plot::Panel component_panel(const Subject& subject, const Place& place, plot::Show show,
                            const std::string& title) {
  plot::Panel panel = bare_panel(subject, place, show);
  panel.title = title;
  for (plot::Cell& cell : panel.cells.values)
    if (cell.component != static_cast<std::int32_t>(*place.component)) cell = {};
  return panel;
}

}  // namespace

std::vector<plot::Panel> distance_panels(const Subject& subject, const Place& place) {
  const Reduction& reduction = subject.reduction();
  const std::vector<std::string> names = raters::short_names(subject.names, raters::Ending::drop);
  std::vector<plot::Panel> panels;
  for (int k = 0; k < reduction.raters; ++k) {
    plot::Panel panel = component_panel(subject, place, plot::Show::distance,
                                        "distance to " + names[static_cast<std::size_t>(k)]);
    panel.rater = k;
    panel.steps = steps_to_rater(reduction, *place.component, k, place.view);
    if (panel.steps.values.front() < 0) panel.title = names[static_cast<std::size_t>(k)] + ": absent here";
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::vector<plot::Panel> construction_panels(const Subject& subject, const Place& place) {
  std::vector<plot::Panel> panels{component_panel(subject, place, plot::Show::contours, "masks")};
  for (plot::Panel& panel : distance_panels(subject, place)) panels.push_back(std::move(panel));
  panels.push_back(component_panel(subject, place, plot::Show::subcrowns, "total distance"));
  panels.push_back(component_panel(subject, place, plot::Show::colours, "subcrowns, a colour each"));
  return panels;
}

std::vector<plot::Panel> iteration_panels(const Subject& subject, const Place& place, const Method& method,
                                          std::size_t most, Warnings& warnings) {
  const Options& options = subject.counted.options;
  const Tally& tally = subject.reduction().crowns[*place.component].tally;
  const PassTrace pass =
      trace_greedily(tally, method.distance.with(options.tversky), solve_options(options)).shrinking;
  const plot::Panel bare = component_panel(subject, place, plot::Show::step, "");
  std::vector<plot::State> held(tally.rows.size(), plot::State::in);
  std::vector<plot::Panel> panels;
  double before = pass.criterion;
  std::size_t shown = 0;
  for (const Step& step : pass.steps) {
    const auto tried = [&](std::uint32_t row) { return in_block(tally, step, row, options.blocks); };
    const bool visible = std::any_of(bare.cells.values.begin(), bare.cells.values.end(),
                                     [&](const auto& c) { return c.component >= 0 && tried(c.row); });
    if (visible && ++shown <= most) {
      plot::Panel panel = bare;
      panel.title = fmt::format("{}. {}", shown, step_words(tally, step, before, options.blocks));
      panel.states = plot::mapped(panel.cells, [&](const plot::Cell& cell) {
        if (cell.component >= 0 && tried(cell.row))
          return step.accepted ? plot::State::removed : plot::State::kept;
        return cell.component >= 0 ? held[cell.row] : plot::State::out;
      });
      panels.push_back(std::move(panel));
    }
    if (!step.accepted) continue;
    before = step.criterion;
    for (std::uint32_t row = 0; row < held.size(); ++row)
      if (tried(row)) held[row] = plot::State::out;
  }
  if (shown > most)
    warnings.push_back(
        {fmt::format("only the first {} of {} subcrowns tried on this slice are drawn.", most, shown),
         WarningKind::figure});
  return panels;
}

}  // namespace crema::figure
