// SPDX-License-Identifier: Apache-2.0
#include "figure/places.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "figure/slices_met.h"

namespace crema::figure {
namespace {

/// Components by falling disagreement; those that are as large stay in their order.
std::vector<std::size_t> by_disagreement(const Reduction& reduction) {
  std::vector<std::size_t> order(reduction.components.list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plot::disagreement(reduction.crowns[a].tally) > plot::disagreement(reduction.crowns[b].tally);
  });
  return order;
}

}  // namespace

std::vector<std::size_t> chosen_structures(const raters::Case& counted, std::size_t panels_each,
                                           Warnings& warnings) {
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < counted.structures(); ++s)
    if (!counted.reduction(s).components.list.empty()) chosen.push_back(s);
  const std::size_t most = std::max<std::size_t>(1, kMaxPanels / std::max<std::size_t>(1, panels_each));
  if (chosen.size() <= most) return chosen;
  std::vector<double> disputed(counted.structures());
  for (const std::size_t s : chosen)
    for (const Crowns& crowns : counted.reduction(s).crowns)
      disputed[s] += static_cast<double>(plot::disagreement(crowns.tally));
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t x, std::size_t y) { return disputed[x] > disputed[y]; });
  warnings.push_back(
      {fmt::format("{} of {} labels are shown, those with most disagreement; {} chooses others.", most,
                   chosen.size(), Sentence::setting("labels")),
       WarningKind::figure});
  chosen.resize(most);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<std::size_t> chosen_components(const Reduction& reduction, std::size_t most, Warnings& warnings) {
  std::vector<std::size_t> order = by_disagreement(reduction);
  if (order.size() > most) {
    warnings.push_back({fmt::format("{} of {} components {} drawn: {} with most disagreement.", most,
                                    order.size(), most == 1 ? "is" : "are", most == 1 ? "that" : "those"),
                        WarningKind::figure});
    order.resize(most);
  }
  std::sort(order.begin(), order.end());
  return order;
}

plot::Slice auto_slice(const Reduction& reduction, std::span<const Answered> answers,
                       std::optional<std::size_t> component) {
  std::vector<std::uint8_t> all, any;
  for (const Answered& answer : answers) {
    const std::vector<std::uint8_t> met = plot::slices_met(reduction, answer.image, component);
    if (std::find(met.begin(), met.end(), 1) == met.end()) continue;  // it is empty
    if (all.empty()) all = any = met;
    for (std::size_t i = 0; i < met.size(); ++i) {
      all[i] &= met[i];
      any[i] |= met[i];
    }
  }
  const bool shared = std::find(all.begin(), all.end(), 1) != all.end();
  return *plot::choose_slice(reduction, component, shared ? all : any);
}

std::vector<Place> component_places(const Request& request, const Subject& subject,
                                    std::span<const Answered> answers, std::size_t most, Warnings& warnings) {
  const Reduction& reduction = subject.reduction();
  const plot::Posture posture = posture_of(subject.counted.reference);
  std::vector<Place> places;
  for (const std::size_t c : chosen_components(reduction, most, warnings)) {
    const plot::View view = plot::whole(reduction.grid, auto_slice(reduction, answers, c), posture);
    places.push_back({request.whole ? view : plot::around(reduction, view, c), c});
  }
  return places;
}

std::vector<Place> places_of(const Request& request, std::span<const plot::Slice> slices,
                             const Subject& subject, Warnings& warnings) {
  const Reduction& reduction = subject.reduction();
  std::vector<Place> places;
  bool empty = true;
  for (const plot::Slice& slice : slices) {
    const plot::View view = plot::whole(reduction.grid, slice, posture_of(subject.counted.reference));
    const plot::Plane<plot::Cell> cells = plot::cells_of(reduction, view);
    empty = empty && std::all_of(cells.values.begin(), cells.values.end(),
                                 [](const plot::Cell& c) { return c.component < 0; });
    places.push_back({request.whole ? view : plot::around(reduction, view), {}});
  }
  // Slices of one structure show the same part, so that they can be compared.
  for (Place& place : places)
    for (std::size_t n = 0; n < 2; ++n) {
      const auto low = [n](const Place& one, const Place& other) {
        return one.view.low[n] < other.view.low[n];
      };
      const auto high = [n](const Place& one, const Place& other) {
        return one.view.high[n] < other.view.high[n];
      };
      place.view.low[n] = std::min_element(places.begin(), places.end(), low)->view.low[n];
      place.view.high[n] = std::max_element(places.begin(), places.end(), high)->view.high[n];
    }
  if (empty)
    warnings.push_back(
        {fmt::format("no rater marked anything on slice {}; use auto to find one.", request.slice),
         WarningKind::figure});
  return places;
}

std::size_t main_component(const Reduction& reduction, const plot::Slice& slice) {
  std::vector<std::int64_t> voxels(reduction.components.list.size());
  for (const plot::Cell& cell :
       plot::cells_of(reduction, plot::whole(reduction.grid, slice, plot::Posture::stored)).values)
    if (cell.component >= 0) ++voxels[static_cast<std::size_t>(cell.component)];
  return static_cast<std::size_t>(std::max_element(voxels.begin(), voxels.end()) - voxels.begin());
}

}  // namespace crema::figure
