// SPDX-License-Identifier: Apache-2.0
#include "plot/background_plot.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "crema/tables/method.h"
#include "plot/chart.h"

namespace crema::plot {
namespace {

constexpr double kPlotWidth = 1180;
constexpr std::string_view kTitle = "How a consensus depends on the background";
constexpr std::string_view kCaption =
    "Only the number of background voxels differs from left to right; the raters' masks stay the same. "
    "A line that rises or falls belongs to a method";
constexpr std::string_view kCaptionEnd =
    "whose result depends on how much of the image surrounds the object. An arrow: far beyond "
    "the top.";

/// Colours that the colour-blind can distinguish; those that stay the same share one.
svg::Stroke stroke_of(const ExtentCurve& curve) {
  static const std::map<std::string_view, std::string_view> colours{
      {"staple w=1/2", "#d55e00"}, {"staple w=mean", "#0072b2"}, {"staple w=mean²", "#007a5a"},
      {"ml-staple", "#b0478a"},    {"accuracy", "#9a6a00"},      {"shared", "#2f8fc4"}};
  const auto found = colours.find(to_string(curve));
  if (found != colours.end()) return {found->second, 2.4};
  const Aim aim = curve.method->aim;
  return {"#4a382c", 1.3, aim == Aim::vote || aim == Aim::local_vote ? "5 3" : ""};
}

double size_of(const Extent& extent) { return static_cast<double>(extent.voxels); }
double entropy_of(const Extent& extent) { return extent.entropy; }

using Reading = double (*)(const Extent&);

/// Lines that stay the same are many and lie close together: they are named below the chart.
chart::Series series_of(const ExtentCurve& curve, Reading read) {
  chart::Series series{to_string(curve), {}, stroke_of(curve), curve.sees_background};
  for (const Extent& extent : curve.at) series.values.push_back(read(extent));
  return series;
}

/// Where a few lines dwarf the others they leave the frame, so that these can be distinguished.
std::optional<double> ceiling_of(const std::vector<chart::Series>& all) {
  std::vector<double> tops;
  for (const chart::Series& series : all)
    tops.push_back(*std::max_element(series.values.begin(), series.values.end()));
  std::sort(tops.begin(), tops.end());
  for (std::size_t i = tops.size() / 2; i + 1 < tops.size(); ++i)
    if (tops[i] > 0 && tops[i + 1] >= 3 * tops[i]) return tops[i];
  return {};
}

chart::Panel panel_of(const BackgroundStudy& study, Reading read, std::string title, double left) {
  chart::Panel panel{.title = std::move(title),
                     .x_name = "voxels of the image",
                     .frame = {left, 158, 380, 290},
                     .x = {},
                     .series = {},
                     .marks = {},
                     .ceiling = {}};
  for (const ImageSize& size : study.sizes) panel.x.push_back(static_cast<double>(size.voxels));
  if (study.image > 0) panel.marks.push_back({panel.x.front(), "tight box"});
  panel.marks.push_back({panel.x[study.image], "this image"});
  // Those that stay the same come last: thin lines above wide ones.
  for (const bool sees : {true, false})
    for (const ExtentCurve& curve : study.curves)
      if (curve.sees_background == sees && (read == size_of || curve.method->kind == Kind::soft))
        panel.series.push_back(series_of(curve, read));
  panel.ceiling = ceiling_of(panel.series);
  return panel;
}

/// "jaccard 812, dice 805, …": the lines without a name beside them, from top to bottom, in lines of text.
std::vector<std::string> unnamed_lines(const chart::Panel& panel, double width) {
  std::vector<const chart::Series*> flat;
  for (const chart::Series& series : panel.series)
    if (!series.named) flat.push_back(&series);
  std::stable_sort(flat.begin(), flat.end(), [](const auto* one, const auto* other) {
    return one->values.front() > other->values.front();
  });
  std::vector<std::string> lines{"Independent of the background, from top to bottom:"};
  lines.emplace_back();
  for (const chart::Series* series : flat) {
    std::string words = fmt::format("{}{} {}", series->name, series->stroke.dash.empty() ? "" : " (dashed)",
                                    chart::grouped(std::round(series->values.front())));
    if (series != flat.back()) words += ',';
    if (svg::text_width(lines.back() + " " + words, 12) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + words;
  }
  return flat.empty() ? std::vector<std::string>{} : lines;
}

constexpr double kListTop = 514, kListLine = 17;

/// A chart with its list below.
struct Listed {
  std::string parts;
  double bottom = kListTop;
};

Listed draw_listed(const chart::Panel& panel) {
  Listed listed{chart::draw(panel)};
  for (const std::string& line : unnamed_lines(panel, panel.frame.width + 110)) {
    listed.parts += svg::text({panel.frame.left - 38, listed.bottom}, line, {12, "#4a382c"});
    listed.bottom += kListLine;
  }
  return listed;
}

}  // namespace

std::string background_picture(const BackgroundStudy& study, const std::string& case_name) {
  constexpr std::string_view soft = "#75655a";
  std::string parts = svg::text({40, 42}, kTitle, {21, "#2a1a10", svg::Anchor::start, "600"});
  parts += svg::text({40, 66}, case_name, {13, soft});
  const Listed sizes = draw_listed(panel_of(study, size_of, "Size: voxels with a level above one half", 78));
  const Listed entropies =
      draw_listed(panel_of(study, entropy_of, "Entropy of soft results, in nats (masks have none)", 658));
  const double caption = std::max(sizes.bottom, entropies.bottom) + 12;
  parts += sizes.parts + entropies.parts;
  parts += svg::text({40, caption}, kCaption, {13, soft});
  parts += svg::text({40, caption + 19}, kCaptionEnd, {13, soft});
  return svg::picture(kPlotWidth, caption + 38, kTitle, parts);
}

}  // namespace crema::plot
