// SPDX-License-Identifier: Apache-2.0
// What is drawn: the slice on which raters disagree most, and the criterion along the passes.
#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/counts/macchiato/trace.h"
#include "crema/stop.h"
#include "draw/figure.h"
#include "plot/trace_plot.h"
#include "report/html.h"
#include "report/passes.h"
#include "report/payload.h"
#include "report/sections.h"

namespace crema::report {
namespace {

constexpr std::size_t kMostTraces = 4;

/// The levels of the main method as an image; one that it painted itself stays with it.
Image painted(const Material& material) {
  const raters::Outcome& outcome = material.main();
  if (outcome.solution.image) return *outcome.solution.image;
  Solution solution = outcome.solution;
  return paint(material.reduction(), solution, outcome.options);
}

std::string still_picture(const Material& material) {
  raters::Case shown = material.counted;  // what it is called is all that is changed
  for (std::string& name : shown.names) name = tamed(name);
  const raters::Outcome& outcome = material.main();
  const draw::Answered answered{&outcome.method(), outcome.solution, painted(material)};
  const std::vector<float> none;
  const std::vector<float>& grey = material.facts.image == nullptr ? none : material.facts.image->values;
  const draw::Request request{.image = !grey.empty(), .methods = {&outcome.method()}};
  Warnings ignored;
  return draw::draw(request, {}, shown, {&answered, 1}, grey, ignored).svg;
}

std::vector<std::size_t> most_disputed(const Reduction& reduction) {
  std::vector<std::size_t> order(reduction.crowns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plot::disagreement(reduction.crowns[a].tally) > plot::disagreement(reduction.crowns[b].tally);
  });
  if (order.size() > kMostTraces) order.resize(kMostTraces);
  return order;
}

}  // namespace

std::string picture_section(const Material& material) {
  return section(
      "look", "Look at it",
      "Every rater’s contour has its own colour, the consensus is the strong line; shades say how many "
      "raters "
      "marked a voxel. Wheel or arrow keys change the slice, + and − zoom, a click moves the other two "
      "planes "
      "along, and pointing at a voxel tells who drew it and why it was decided so.",
      "<noscript><p class=\"note\">Without JavaScript the viewer and the what-if are missing; everything "
      "else on "
      "this page is here.</p></noscript>\n<div id=\"viewer\" hidden></div>\n"
      "<figure id=\"still\">\n" +
          still_picture(material) +
          "<figcaption>The slice on which the raters disagree most.</figcaption></figure>\n");
}

std::string passes_section(const Material& material) {
  const raters::Outcome* outcome = nullptr;
  for (const raters::Outcome& one : material.findings.comparison.outcomes)
    if (outcome == nullptr && goes_in_passes(one)) outcome = &one;
  if (outcome == nullptr) return "";
  const Reduction& reduction = material.reduction();
  std::vector<plot::TracePanel> panels;
  for (const std::size_t c : most_disputed(reduction)) {
    const Tally& tally = reduction.crowns[c].tally;
    panels.push_back({fmt::format("{}, component {} ({} of {} raters drew it)", outcome->method().name, c + 1,
                                  std::popcount(raters_present(tally)), reduction.raters),
                      fmt::format("mean squared {} distance", to_string(outcome->method().distance)),
                      trace_greedily(tally, outcome->method().distance, solve_options(outcome->options)),
                      outcome->options.empty_test, outcome->options.tie});
  }
  return section(
      "passes", "How the consensus was found",
      "The method starts once from everything and takes pieces away, and once from the core and adds "
      "pieces, each time as long as the criterion falls. The lower of both ends, or the empty "
      "set, is the answer. Shown are the components that are disputed most.",
      "<figure class=\"wide\" tabindex=\"0\" aria-label=\"The criterion along both passes\">\n" +
          plot::draw_traces(panels, "The criterion along both passes") + "</figure>\n");
}

}  // namespace crema::report
