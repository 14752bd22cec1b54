// SPDX-License-Identifier: Apache-2.0
#include "plot/trace_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plot/chart.h"
#include "plot/legend.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kWidth = 430, kHeight = 300, kLeft = 62, kTop = 34, kBelow = 56, kPanelGap = 30,
                 kTraceMargin = 24;
constexpr svg::Stroke kShrinking{"#0072b2", 2.2}, kGrowing{"#d55e00", 2.2, "7 2"}, kEmpty{kSoft, 1.3, "2 3"};

/// The part of a trace that is on the paper, and where.
struct Axes {
  chart::Scale x, y;

  [[nodiscard]] svg::Point at(double voxels, double criterion) const {
    return {chart::place(x, voxels), chart::place(y, criterion)};
  }
};

/// The lowest of both ends and, where it is tested, the empty consensus.
Step answer_of(const TracePanel& panel) {
  const Trace& trace = panel.trace;
  Step best = end_of(trace.shrinking);
  const Step grown = end_of(trace.growing);
  if (grown.criterion < best.criterion) best = grown;
  if (panel.empty_test == EmptyTest::apply && empty_is_better(trace.empty, best.criterion, panel.tie))
    best = {0, 0, trace.empty, true};
  return best;
}

/// Both passes and, where it is near enough or the answer, the empty consensus.
Axes axes_of(const TracePanel& panel) {
  const Trace& trace = panel.trace;
  double low = trace.growing.criterion, high = low;
  double least = static_cast<double>(trace.growing.voxels), most = least;
  const auto take = [&](std::int64_t voxels, double criterion) {
    low = std::min(low, criterion);
    high = std::max(high, criterion);
    least = std::min(least, static_cast<double>(voxels));
    most = std::max(most, static_cast<double>(voxels));
  };
  for (const PassTrace* pass : {&trace.shrinking, &trace.growing}) {
    take(pass->voxels, pass->criterion);
    for (const Step& step : pass->steps) take(step.voxels, step.criterion);
  }
  const Step best = answer_of(panel);
  if (best.voxels == 0 || trace.empty < high + 0.5 * (high - low)) take(best.voxels, trace.empty);
  const double air = std::max(0.07 * (high - low), 1e-6), side = std::max(0.04 * (most - least), 1.0);
  return {{std::max(0.0, least - side), most + side, kLeft, kLeft + kWidth},
          {std::max(0.0, low - air), high + air, kTop + kHeight, kTop}};
}

std::string ticks(const Axes& axes, const std::string& criterion, const std::string& size) {
  std::string parts;
  for (const double value : chart::round_values(axes.y.low, axes.y.high, 5)) {
    const svg::Point at = axes.at(axes.x.low, value);
    parts += svg::line(at, {kLeft + kWidth, at.y}, {"#eee7de", 1});
    parts += svg::text({at.x - 8, at.y + 4}, fmt::format("{:g}", std::abs(value) < 1e-12 ? 0.0 : value),
                       {12, kSoft, svg::Anchor::end});
  }
  for (const double value : chart::round_values(axes.x.low, axes.x.high, 5)) {
    const svg::Point at = axes.at(value, axes.y.low);
    parts += svg::line(at, {at.x, at.y + 5}, {kFaint, 1});
    parts += svg::text({at.x, at.y + 20}, chart::grouped(value), {12, kSoft, svg::Anchor::middle});
  }
  parts += svg::line(axes.at(axes.x.low, axes.y.low), axes.at(axes.x.high, axes.y.low), {kFaint, 1.2});
  parts += svg::text({kLeft + kWidth / 2, kTop + kHeight + 42}, size, {13, kInk, svg::Anchor::middle});
  return parts + svg::group({{"transform",
                              fmt::format("translate(14 {}) rotate(-90)", svg::number(kTop + kHeight / 2))}},
                            svg::text({0, 0}, criterion, {13, kInk, svg::Anchor::middle}));
}

std::string draw_pass(const PassTrace& pass, const Axes& axes, const svg::Stroke& stroke, const char* name) {
  std::vector<svg::Point> way{axes.at(static_cast<double>(pass.voxels), pass.criterion)};
  std::string refused;
  for (const Step& step : pass.steps) {
    const svg::Point at = axes.at(static_cast<double>(step.voxels), step.criterion);
    if (step.accepted)
      way.push_back(at);
    else
      refused += fmt::format("M{} {}a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0z", svg::number(at.x - 2.2),
                             svg::number(at.y));
  }
  std::string data;
  for (const svg::Point& point : way)
    data += fmt::format("{}{} {}", data.empty() ? "M" : "L", svg::number(point.x), svg::number(point.y));
  std::string parts;
  if (!refused.empty()) parts += svg::path(refused, {stroke.colour, 0.9}, {{"class", "refused"}});
  parts += svg::path(data, stroke, {{"class", name}});
  if (way.size() < 80)
    for (const svg::Point& point : way) parts += svg::dot(point, 2.6, stroke.colour);
  return parts;
}

std::string ring(const TracePanel& panel, const Axes& axes) {
  const Step best = answer_of(panel);
  const svg::Point at = axes.at(static_cast<double>(best.voxels), best.criterion);
  return svg::path(
      fmt::format("M{} {}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", svg::number(at.x - 6), svg::number(at.y)),
      {kInk, 2}, {{"class", "answer"}});
}

bool shows_empty(const Trace& trace, const Axes& axes) { return trace.empty <= axes.y.high; }

/// A line, or in words that it lies above.
std::string empty_line(const Trace& trace, const Axes& axes) {
  if (shows_empty(trace, axes))
    return svg::line(axes.at(axes.x.low, trace.empty), axes.at(axes.x.high, trace.empty), kEmpty);
  return svg::text({kLeft + kWidth, kTop + 10}, fmt::format("the empty consensus: {:.3g} ↑", trace.empty),
                   {12, kSoft, svg::Anchor::end});
}

std::string draw_panel(const TracePanel& panel) {
  const Axes axes = axes_of(panel);
  std::string parts = svg::text({kLeft, 14}, panel.title, {14, kInk, svg::Anchor::start, "600"});
  parts += ticks(axes, panel.criterion, panel.size);
  parts += empty_line(panel.trace, axes);
  parts += draw_pass(panel.trace.shrinking, axes, kShrinking, "shrinking");
  parts += draw_pass(panel.trace.growing, axes, kGrowing, "growing");
  return parts + ring(panel, axes);
}

LegendItem ring_item(std::string_view colour, double radius, double width, const std::string& words) {
  const std::string data = fmt::format("M0 -4a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0z", radius, 2 * radius);
  return {2 * radius + 7 + svg::text_width(words, 13),
          svg::path(data, {colour, width}) + svg::text({2 * radius + 7, 0}, words, {13, kInk})};
}

}  // namespace

std::string draw_traces(const std::vector<TracePanel>& panels, const std::string& title) {
  constexpr std::size_t across = 2;
  const double slot = kLeft + kWidth + kPanelGap;
  const double width =
      2 * kTraceMargin + slot * static_cast<double>(std::min(panels.size(), across)) - kPanelGap + 14;
  std::string parts;
  double y = kTraceMargin;
  for (std::size_t n = 0; n < panels.size(); ++n) {
    if (n > 0 && n % across == 0) y += kTop + kHeight + kBelow + 16;
    const double x = kTraceMargin + slot * static_cast<double>(n % across);
    parts += svg::group(
        {{"class", "trace"}, {"transform", fmt::format("translate({} {})", svg::number(x), svg::number(y))}},
        draw_panel(panels[n]));
  }
  y += kTop + kHeight + kBelow + 10;
  std::vector<LegendItem> items{line_item(kShrinking, "shrinking: subcrowns are taken away"),
                                line_item(kGrowing, "growing: subcrowns are added"),
                                ring_item(kSoft, 2.2, 0.9, "tried, refused"),
                                ring_item(kInk, 6, 2, "the answer")};
  if (std::any_of(panels.begin(), panels.end(),
                  [](const TracePanel& panel) { return shows_empty(panel.trace, axes_of(panel)); }))
    items.push_back(line_item(kEmpty, "the empty consensus"));
  const Legend legend = lay_out(items, width - 2 * kTraceMargin);
  parts +=
      svg::group({{"transform", fmt::format("translate({} {})", svg::number(kTraceMargin), svg::number(y))}},
                 legend.parts);
  return svg::picture(width, y + legend.height + kTraceMargin - 8, title, parts, {kWhite, 0});
}

}  // namespace crema::plot
