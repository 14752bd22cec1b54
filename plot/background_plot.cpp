// SPDX-License-Identifier: Apache-2.0
#include "plot/background_plot.h"

#include <algorithm>
#include <map>

#include "plot/chart.h"

namespace crema::plot {
namespace {

constexpr double kWidth = 1180, kHeight = 560;
constexpr std::string_view kTitle = "How a consensus depends on the background";
constexpr std::string_view kCaption =
    "Only the number of voxels that nobody drew differs from left to right; the raters' masks stay the same. "
    "A line that rises or falls belongs to a method";
constexpr std::string_view kCaptionEnd =
    "whose answer depends on how much of the image happens to lie around the object. An arrow: far beyond "
    "the top.";

/// Colours that people who see few of them can tell apart; those that stay the same share one.
svg::Stroke stroke_of(const ExtentCurve& curve) {
  static const std::map<std::string_view, std::string_view> colours{
      {"staple w=1/2", "#d55e00"}, {"staple w=mean", "#0072b2"}, {"staple w=mean²", "#007a5a"},
      {"ml-staple", "#b0478a"},    {"accuracy", "#9a6a00"},      {"shared", "#2f8fc4"}};
  const auto found = colours.find(to_string(curve));
  if (found != colours.end()) return {found->second, 2.4};
  return {"#4a382c", 1.3, curve.method->aim == Aim::vote ? "5 3" : ""};
}

double size_of(const Extent& extent) { return static_cast<double>(extent.voxels); }
double entropy_of(const Extent& extent) { return extent.entropy; }

using Reading = double (*)(const Extent&);

chart::Series series_of(const ExtentCurve& curve, Reading read) {
  chart::Series series{to_string(curve), {}, stroke_of(curve)};
  for (const Extent& extent : curve.at) series.values.push_back(read(extent));
  return series;
}

/// Where one line dwarfs the others it leaves the frame, so that these can be told apart.
std::optional<double> ceiling_of(const std::vector<chart::Series>& all) {
  std::vector<double> tops;
  for (const chart::Series& series : all)
    tops.push_back(*std::max_element(series.values.begin(), series.values.end()));
  std::sort(tops.begin(), tops.end());
  if (tops.size() < 2 || tops[tops.size() - 2] <= 0 || tops.back() < 3 * tops[tops.size() - 2]) return {};
  return tops[tops.size() - 2];
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
  for (const bool told : {true, false})
    for (const ExtentCurve& curve : study.curves)
      if (curve.told == told && (read == size_of || curve.method->kind == Kind::soft))
        panel.series.push_back(series_of(curve, read));
  panel.ceiling = ceiling_of(panel.series);
  return panel;
}

}  // namespace

std::string background_picture(const BackgroundStudy& study, const std::string& case_name) {
  constexpr std::string_view soft = "#75655a";
  std::string parts = svg::text({40, 42}, kTitle, {21, "#2a1a10", svg::Anchor::start, "600"});
  parts += svg::text({40, 66}, case_name, {13, soft});
  parts += chart::draw(panel_of(study, size_of, "Size: voxels with a level above one half", 78));
  parts +=
      chart::draw(panel_of(study, entropy_of, "Entropy of soft results, in nats (masks have none)", 658));
  parts += svg::text({40, 522}, kCaption, {13, soft});
  parts += svg::text({40, 541}, kCaptionEnd, {13, soft});
  return svg::picture(kWidth, kHeight, kTitle, parts);
}

}  // namespace crema::plot
