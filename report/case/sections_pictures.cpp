// SPDX-License-Identifier: Apache-2.0
// What is drawn: the slice on which raters disagree most, and the criterion along the passes.
#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/counts/macchiato/trace.h"
#include "crema/stop.h"
#include "figure/case_figure.h"
#include "plot/trace_plot.h"
#include "report/case/passes.h"
#include "report/case/payload.h"
#include "report/case/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

constexpr std::size_t kMaxTraces = 4;

/// The levels of the main method as an image; one that it painted itself stays with it.
Image painted(const Material& material) {
  const raters::Outcome& outcome = material.main();
  if (outcome.structures.front().image) return *outcome.structures.front().image;
  Solution solution = outcome.structures.front();
  return paint(material.reduction(), solution, outcome.options);
}

std::string still_picture(const Material& material) {
  const raters::Outcome& outcome = material.main();
  const figure::Answered answered{&outcome.method(), outcome.structures.front(), painted(material)};
  const std::vector<float> none;
  const std::vector<float>& grey = material.facts.image == nullptr ? none : material.facts.image->values;
  const figure::Request request{.image = !grey.empty(), .methods = {&outcome.method()}};
  Warnings ignored;
  return figure::draw(request, {}, {material.counted, material.findings.structure, material.raters()},
                      {&answered, 1}, grey, ignored)
      .svg;
}

std::vector<std::size_t> most_disputed(const Reduction& reduction) {
  std::vector<std::size_t> order(reduction.crowns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plot::disagreement(reduction.crowns[a].tally) > plot::disagreement(reduction.crowns[b].tally);
  });
  if (order.size() > kMaxTraces) order.resize(kMaxTraces);
  return order;
}

}  // namespace

std::string picture_section(const Material& material) {
  const bool flat = material.reduction().grid.flat();
  return "<section id=\"look\" aria-labelledby=\"look-heading\">\n<h2 id=\"look-heading\">Look at it</h2>\n" +
         headline(material) +
         "<noscript><p class=\"note\">The viewer and the what-if need JavaScript; everything else on this "
         "page works without it.</p></noscript>\n<div id=\"viewer\" hidden></div>\n"
         "<figure id=\"still\">\n" +
         still_picture(material) +
         (flat ? "</figure>\n"
               : "<figcaption>The slice with most disagreement among those that the consensus "
                 "meets.</figcaption></figure>\n") +
         "<p class=\"how\">Each rater’s contour has its own colour, the consensus is the strong line; shades "
         "show how many raters marked a " +
         (flat ? "pixel. + and − zoom, dragging moves, and pointing at a pixel"
               : "voxel. Wheel or arrow keys change the slice, + and − zoom, a click moves the other two "
                 "planes along, and pointing at a voxel") +
         " shows who marked it and why it was kept or left out.</p>\n</section>\n";
}

std::string passes_section(const Material& material) {
  const raters::Outcome* outcome = nullptr;
  for (const raters::Outcome& one : material.findings.outcomes)
    if (outcome == nullptr && goes_in_passes(one)) outcome = &one;
  if (outcome == nullptr) return "";
  const Reduction& reduction = material.reduction();
  std::vector<plot::TracePanel> panels;
  for (const std::size_t c : most_disputed(reduction)) {
    const Tally& tally = reduction.crowns[c].tally;
    panels.push_back({fmt::format("{}, component {} (marked by {} of {} raters)", outcome->method().name,
                                  c + 1, std::popcount(raters_present(tally)), reduction.raters),
                      fmt::format("mean squared {} distance", to_string(outcome->method().distance)),
                      trace_greedily(tally, outcome->method().distance.with(outcome->options.tversky),
                                     solve_options(outcome->options)),
                      outcome->options.empty_test, outcome->options.tie});
    if (reduction.grid.flat()) panels.back().size = "pixels of the consensus";
  }
  return section("passes", "How the consensus was found",
                 "The method runs twice: from the whole component, removing pieces, and from its core, "
                 "adding pieces, each while the criterion falls. The better end, or the empty set, is the "
                 "answer. The most disputed components are shown.",
                 "<figure class=\"wide\" tabindex=\"0\" aria-label=\"The criterion along both passes\">\n" +
                     plot::draw_traces(panels, "The criterion along both passes") + "</figure>\n");
}

}  // namespace crema::report
