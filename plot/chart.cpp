// SPDX-License-Identifier: Apache-2.0
#include "plot/chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace crema::plot::chart {
namespace {

constexpr std::string_view kInk = "#2a1a10", kSoft = "#75655a", kFaint = "#e6dbcc";
constexpr double kLineHeight = 15;
constexpr double kLeader = 22;  ///< from the end of a line to its name

std::string superscript(int power) {
  static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", power)) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

struct Axes {
  Scale x, y;  ///< x of logarithms
};

Scale value_scale(const Panel& panel) {
  double low = panel.series.empty() ? 0 : panel.series.front().values.front(), high = low;
  for (const Series& series : panel.series)
    for (const double value : series.values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (panel.ceiling) high = std::min(high, *panel.ceiling);
  if (low > 0 && low < 0.5 * high) low = 0;  // near enough to show where nothing is
  const double room = high > low ? 0.04 * (high - low) : std::max(1.0, 0.1 * std::abs(high));
  const Frame& frame = panel.frame;
  return {low > 0 ? low - room : low, high + room, frame.top + frame.height, frame.top};
}

Axes axes_of(const Panel& panel) {
  const Frame& frame = panel.frame;
  double low = std::log10(panel.x.front()), high = std::log10(panel.x.back());
  if (!(high > low)) low -= 0.5, high += 0.5;
  return {{low, high, frame.left, frame.left + frame.width}, value_scale(panel)};
}

std::string draw_value_axis(const Panel& panel, const Axes& axes) {
  const Frame& frame = panel.frame;
  std::string parts;
  for (const double value : round_values(axes.y.low, axes.y.high, 6)) {
    const double y = place(axes.y, value);
    parts += svg::line({frame.left, y}, {frame.left + frame.width, y}, {kFaint, 1});
    parts += svg::text({frame.left - 8, y + 4}, grouped(value), {12, kSoft, svg::Anchor::end});
  }
  return parts;
}

/// Powers of ten carry a number.
std::string draw_size_axis(const Panel& panel, const Axes& axes) {
  const Frame& frame = panel.frame;
  const double bottom = frame.top + frame.height;
  std::string parts = svg::line({frame.left, bottom}, {frame.left + frame.width, bottom}, {kSoft, 1.2});
  const auto first = static_cast<int>(std::floor(axes.x.low)), last = static_cast<int>(axes.x.high);
  for (int power = first; power <= last; ++power)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = power + std::log10(digit);
      if (value < axes.x.low || value > axes.x.high) continue;
      const double x = place(axes.x, value);
      parts += svg::line({x, bottom}, {x, bottom + (digit == 1 ? 7 : 4)}, {kSoft, 1});
      if (digit == 1)
        parts += svg::text({x, bottom + 22}, "10" + superscript(power), {12, kSoft, svg::Anchor::middle});
    }
  return parts + svg::text({frame.left + frame.width / 2, bottom + 42}, panel.x_name,
                           {12, kSoft, svg::Anchor::middle});
}

/// The first name ends at its line and the others start at theirs, so that neighbours do not meet.
std::string draw_marks(const Panel& panel, const Axes& axes) {
  const Frame& frame = panel.frame;
  std::string parts;
  for (const Mark& mark : panel.marks) {
    const bool first = panel.marks.size() > 1 && &mark == &panel.marks.front();
    const double x = place(axes.x, std::log10(mark.x));
    parts += svg::line({x, frame.top - 14}, {x, frame.top + frame.height}, {kSoft, 1.2, "3 3"});
    parts += svg::text({x + (first ? -5 : 5), frame.top - 6}, mark.name,
                       {12, kInk, first ? svg::Anchor::end : svg::Anchor::start, "600"});
  }
  return parts;
}

std::string draw_line(const Panel& panel, const Axes& axes, const Series& series) {
  std::vector<svg::Point> points;
  for (std::size_t i = 0; i < panel.x.size(); ++i)
    points.push_back({place(axes.x, std::log10(panel.x[i])), place(axes.y, series.values[i])});
  return svg::polyline(below(points, panel.frame.top), series.stroke);
}

/// Names to the right of the lines, moved apart where the lines meet.
std::string draw_names(const Panel& panel, const Axes& axes) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    if (panel.series[i].named) order.push_back(i);
  const auto end_of = [&](std::size_t i) {
    return std::max(panel.frame.top, place(axes.y, panel.series[i].values.back()));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return end_of(a) < end_of(b); });
  std::vector<double> wanted;
  for (const std::size_t i : order) wanted.push_back(end_of(i));
  const Frame& frame = panel.frame;
  const auto places = spread(wanted, kLineHeight, frame.top, frame.top + frame.height);
  const double right = frame.left + frame.width;
  std::string parts;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Series& series = panel.series[order[n]];
    const bool leaves = series.values.back() > axes.y.high;
    if (!leaves)
      parts += svg::polyline(
          {{right, wanted[n]}, {right + kLeader - 8, places[n]}, {right + kLeader - 4, places[n]}},
          {series.stroke.colour, 0.8});
    parts += svg::text({right + kLeader, places[n] + 4}, leaves ? series.name + " ↑" : series.name,
                       {12, series.stroke.colour});
  }
  return parts;
}

}  // namespace

double place(const Scale& scale, double value) {
  return scale.from + (value - scale.low) / (scale.high - scale.low) * (scale.to - scale.from);
}

std::vector<double> round_values(double low, double high, int wanted) {
  const double rough = (high - low) / wanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough * 0.99) step = factor * power;
  std::vector<double> values;
  const double first = std::ceil(low / step - 1e-9);
  for (int n = 0; (first + n) * step <= high * (1 + 1e-12); ++n) values.push_back((first + n) * step);
  return values;
}

std::vector<double> spread(const std::vector<double>& wanted, double apart, double low, double high) {
  std::vector<double> places = wanted;
  if (places.empty()) return places;
  // Clusters that would overlap share the middle of what their members want.
  struct Cluster {
    double sum;
    std::size_t count;
  };
  std::vector<Cluster> clusters;
  const auto start = [&](const Cluster& c) {
    const auto count = static_cast<double>(c.count);
    const double half = apart * (count - 1) / 2;
    return std::max(low, std::min(c.sum / count - half, high - 2 * half));
  };
  for (const double place : wanted) {
    clusters.push_back({place, 1});
    while (clusters.size() > 1) {
      const Cluster last = clusters.back(), before = clusters[clusters.size() - 2];
      if (start(before) + apart * static_cast<double>(before.count) <= start(last)) break;
      clusters.pop_back();
      clusters.back() = {before.sum + last.sum, before.count + last.count};
    }
  }
  std::size_t n = 0;
  for (const Cluster& cluster : clusters)
    for (std::size_t i = 0; i < cluster.count; ++i)
      places[n++] = start(cluster) + apart * static_cast<double>(i);
  return places;
}

std::vector<svg::Point> below(const std::vector<svg::Point>& points, double top) {
  std::vector<svg::Point> kept;
  for (const svg::Point& point : points) {
    if (point.y >= top) {
      kept.push_back(point);
      continue;
    }
    if (!kept.empty()) {
      const svg::Point last = kept.back();
      kept.push_back({last.x + (point.x - last.x) * (last.y - top) / (last.y - point.y), top});
    }
    break;
  }
  return kept;
}

std::string grouped(double whole) {
  if (whole != std::floor(whole)) return fmt::format("{:.6g}", whole);
  std::string text = fmt::format("{:.0f}", std::abs(whole)), result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && (text.size() - i) % 3 == 0) result += "\u202f";
    result += text[i];
  }
  return whole < 0 ? "−" + result : result;
}

std::string draw(const Panel& panel) {
  const Axes axes = axes_of(panel);
  const Frame& frame = panel.frame;
  std::string parts =
      svg::text({frame.left, frame.top - 48}, panel.title, {16, kInk, svg::Anchor::start, "600"});
  parts += draw_value_axis(panel, axes) + draw_size_axis(panel, axes) + draw_marks(panel, axes);
  for (const Series& series : panel.series) parts += draw_line(panel, axes, series);
  return parts + draw_names(panel, axes);
}

}  // namespace crema::plot::chart
