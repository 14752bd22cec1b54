// SPDX-License-Identifier: Apache-2.0
#include "plot/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "plot/chart.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr std::string_view kDensity = "#e6cfae", kDark = "#8a4b12", kLines = "#e6dbcc";
constexpr double kChartWidth = 480, kFirstRow = 48, kRow = 42, kRight = 64, kDensityHeight = 26;
constexpr std::size_t kBins = 60, kFew = 25;

struct ValueAxis {
  chart::Scale scale;  ///< of logarithms, where those are requested
  bool logarithmic = false;

  [[nodiscard]] double at(double value) const {
    return chart::place(scale, logarithmic ? std::log10(value) : value);
  }
};

double name_width(const Distribution& requested) {
  double width = 40;
  for (const Sample& sample : requested.samples)
    width = std::max({width, svg::text_width(sample.name, 13), svg::text_width(sample.note, 11)});
  return std::min(width, 170.0) + 22;
}

ValueAxis axis_of(const Distribution& requested, double left) {
  double low = 0, high = 0;
  bool any = false;
  const auto take = [&](double value) {
    const double v = requested.logarithmic ? std::log10(value) : value;
    low = any ? std::min(low, v) : v;
    high = any ? std::max(high, v) : v;
    any = true;
  };
  for (const Sample& sample : requested.samples)
    std::for_each(sample.values.begin(), sample.values.end(), take);
  if (requested.reference) take(*requested.reference);
  const double room = high > low ? 0.03 * (high - low) : std::max(0.05, 0.1 * std::abs(high));
  return {{low - room, high + room, left, kChartWidth - kRight}, requested.logarithmic};
}

/// 1, 2 and 5 times powers of ten where few of those lie in the range, else the powers alone.
std::vector<double> marks_of(const ValueAxis& axis) {
  if (!axis.logarithmic) return chart::round_values(axis.scale.low, axis.scale.high, 5);
  const double decades = axis.scale.high - axis.scale.low;
  std::vector<double> marks;
  for (auto power = static_cast<int>(std::floor(axis.scale.low)); power <= axis.scale.high; ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, power), place = std::log10(value);
      if (place >= axis.scale.low && place <= axis.scale.high && (digit == 1 || decades < 2.5))
        marks.push_back(value);
    }
  return marks;
}

std::string draw_axis(const Distribution& requested, const ValueAxis& axis, double bottom) {
  std::string parts;
  for (const double value : marks_of(axis)) {
    const double x = axis.at(value);
    parts += svg::line({x, kFirstRow - 6}, {x, bottom}, {kLines, 1});
    parts += svg::text({x, bottom + 17}, chart::grouped(value), {12, kSoft, svg::Anchor::middle});
  }
  if (requested.reference) {
    const double x = axis.at(*requested.reference);
    parts += svg::line({x, kFirstRow - 6}, {x, bottom}, {kSoft, 1.2, "3 3"});
  }
  return parts + svg::text({(axis.scale.from + axis.scale.to) / 2, bottom + 36}, requested.x_name,
                           {12, kSoft, svg::Anchor::middle});
}

/// How many values lie where, as heights from 0 to 1; smoothed so that a bin more or less does not show.
std::array<double, kBins> density(const std::vector<double>& values, const ValueAxis& axis) {
  std::array<double, kBins> counts{}, smooth{};
  for (const double value : values) {
    const double share = (axis.at(value) - axis.scale.from) / (axis.scale.to - axis.scale.from);
    ++counts[std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, share) * kBins))];
  }
  for (std::size_t b = 0; b < kBins; ++b)
    for (int step = -2; step <= 2; ++step) {
      const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(b) + step;
      if (from >= 0 && from < std::ptrdiff_t{kBins})
        smooth[b] += counts[static_cast<std::size_t>(from)] * (3 - std::abs(step));
    }
  const double most = *std::max_element(smooth.begin(), smooth.end());
  for (double& height : smooth) height /= most;
  return smooth;
}

std::string draw_density(const std::vector<double>& values, const ValueAxis& axis, double base) {
  const std::array<double, kBins> heights = density(values, axis);
  const double step = (axis.scale.to - axis.scale.from) / kBins;
  std::string data = fmt::format("M{} {}", svg::number(axis.scale.from), svg::number(base));
  for (std::size_t b = 0; b < kBins; ++b)
    data += fmt::format("L{} {}", svg::number(axis.scale.from + (static_cast<double>(b) + 0.5) * step),
                        svg::number(base - kDensityHeight * heights[b]));
  return svg::area(data + fmt::format("L{} {}z", svg::number(axis.scale.to), svg::number(base)), kDensity);
}

/// What leads somewhere is as large as a finger on a mouse hits, and drawn as the other dots.
std::string draw_linked(const LinkedValue& one, svg::Point at) {
  return fmt::format("<a href=\"{}\"><title>{}</title>{}{}</a>\n", svg::escaped(one.link),
                     svg::escaped(one.name), svg::dot(at, 5, "transparent"), svg::dot(at, 2.6, kDark));
}

std::string draw_sample(const Sample& sample, const ValueAxis& axis, double base) {
  std::vector<double> sorted = sample.values;
  std::sort(sorted.begin(), sorted.end());
  std::string parts = svg::text({14, base - 2}, svg::shortened(sample.name, 24), {13, kInk});
  if (!sample.note.empty()) parts += svg::text({14, base + 11}, sample.note, {11, kSoft});
  if (sorted.empty()) return parts + svg::text({axis.scale.from, base - 2}, "no value", {12, kSoft});
  const double median = quantile(sorted, 0.5), x = axis.at(median);
  if (sorted.size() > kFew) parts += draw_density(sorted, axis, base);
  for (const LinkedValue& one : sample.linked) parts += draw_linked(one, {axis.at(one.value), base - 10});
  if (sorted.size() <= kFew && sample.linked.empty())
    for (const double value : sorted) parts += svg::dot({axis.at(value), base - 10}, 2.6, kDark);
  parts += svg::line({axis.at(sorted.front()), base}, {axis.at(sorted.back()), base}, {kDark, 1});
  parts +=
      svg::line({axis.at(quantile(sorted, 0.25)), base}, {axis.at(quantile(sorted, 0.75)), base}, {kDark, 6});
  parts += svg::line({x, base - 6}, {x, base + 6}, {kInk, 2.4});
  const double size = std::abs(median);
  const int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return parts + svg::text({kChartWidth - 14, base + 2},
                           fmt::format("{}{:.{}f}", median < 0 ? "−" : "", size, decimals),
                           {12.5, kInk, svg::Anchor::end, "600"});
}

}  // namespace

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

std::string draw_distribution(const Distribution& requested) {
  const ValueAxis axis = axis_of(requested, name_width(requested));
  const double bottom = kFirstRow + kRow * static_cast<double>(requested.samples.size()) + 4;
  std::string parts = svg::text({14, 25}, requested.title, {15, kInk, svg::Anchor::start, "600"});
  parts += svg::text({kChartWidth - 14, 25}, "median", {12, kSoft, svg::Anchor::end});
  parts += draw_axis(requested, axis, bottom);
  for (std::size_t i = 0; i < requested.samples.size(); ++i)
    parts += draw_sample(requested.samples[i], axis, kFirstRow + kRow * static_cast<double>(i + 1) - 12);
  return svg::picture(kChartWidth, bottom + 46, requested.title, parts);
}

}  // namespace crema::plot
