// SPDX-License-Identifier: Apache-2.0
#include "plot/bland_altman.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plot/chart.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kAgreementWidth = 640, kAgreementHeight = 400, kAgreementLeft = 90, kAgreementRight = 620,
                 kAgreementTop = 48, kAgreementBottom = 330;
constexpr std::size_t kNamedRaters = 8;

struct PlotScales {
  chart::Scale x, y;
};

PlotScales scales_of(const AgreementPlot& requested) {
  double low = 0, high = 0, far = requested.limit;
  for (const AgreementPoint& point : requested.points) {
    low = std::min(low, point.mean);
    high = std::max(high, point.mean);
    far = std::max(far, std::abs(point.difference));
  }
  const double room = far > 0 ? 1.1 * far : 1;
  return {{low, high > low ? 1.03 * high : low + 1, kAgreementLeft, kAgreementRight},
          {-room, room, kAgreementBottom, kAgreementTop}};
}

std::string axes_of(const AgreementPlot& requested, const PlotScales& scales) {
  std::string parts;
  for (const double value : chart::round_values(scales.x.low, scales.x.high, 6)) {
    const double x = chart::place(scales.x, value);
    parts += svg::line({x, kAgreementTop}, {x, kAgreementBottom}, {kFaint, 1});
    parts += svg::text({x, kAgreementBottom + 17}, chart::grouped(value), {12, kSoft, svg::Anchor::middle});
  }
  for (const double value : chart::round_values(scales.y.low, scales.y.high, 6)) {
    const double y = chart::place(scales.y, value);
    parts += svg::line({kAgreementLeft, y}, {kAgreementRight, y}, {kFaint, 1});
    parts += svg::text({kAgreementLeft - 6, y + 4}, chart::grouped(value), {12, kSoft, svg::Anchor::end});
  }
  parts += svg::text({(kAgreementLeft + kAgreementRight) / 2, kAgreementBottom + 36}, requested.x_name,
                     {12, kSoft, svg::Anchor::middle});
  return parts + svg::text({12, kAgreementTop - 10}, requested.y_name, {12, kSoft});
}

std::string limits_of(const AgreementPlot& requested, const PlotScales& scales) {
  std::string parts;
  for (const double value : {-requested.limit, 0.0, requested.limit}) {
    const double y = chart::place(scales.y, value);
    parts += svg::line({kAgreementLeft, y}, {kAgreementRight, y},
                       {kInk, value == 0 ? 1.2 : 1.6, value == 0 ? "" : "6 4"});
  }
  const double y = chart::place(scales.y, requested.limit);
  return parts + svg::text({kAgreementRight, y - 6},
                           fmt::format("limit of agreement ± {:.{}f}", requested.limit,
                                       requested.limit < 100 ? 2 : 0),
                           {12, kInk, svg::Anchor::end});
}

/// The first raters by name; colours alone for the rest.
std::string rater_key(const AgreementPlot& requested) {
  std::string parts;
  double x = kAgreementLeft;
  for (std::size_t r = 0; r < std::min(kNamedRaters, requested.raters.size()); ++r) {
    const std::string name = svg::shortened(requested.raters[r], 14);
    parts += svg::dot({x, kAgreementHeight - 14}, 4, rater_stroke(static_cast<int>(r), 1).colour);
    parts += svg::text({x + 8, kAgreementHeight - 10}, name, {12, kSoft});
    x += 22 + svg::text_width(name, 12);
  }
  return parts;
}

}  // namespace

std::string draw_agreement(const AgreementPlot& requested) {
  const PlotScales scales = scales_of(requested);
  std::string parts = svg::text({12, 22}, requested.title, {14, kInk, svg::Anchor::start, "600"});
  parts += axes_of(requested, scales);
  for (const AgreementPoint& point : requested.points)
    parts += svg::dot({chart::place(scales.x, point.mean), chart::place(scales.y, point.difference)}, 3,
                      rater_stroke(static_cast<int>(point.rater % 64), 1).colour);
  parts += limits_of(requested, scales) + rater_key(requested);
  return svg::picture(kAgreementWidth, kAgreementHeight, requested.title, parts);
}

}  // namespace crema::plot
