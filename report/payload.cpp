// SPDX-License-Identifier: Apache-2.0
#include "report/payload.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/record_parts.h"
#include "crema/version.h"
#include "draw/figure.h"
#include "files/format.h"
#include "plot/palette.h"
#include "report/compact_json.h"
#include "report/passes.h"

namespace crema::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Where a voxel of the image lies in the box, or nothing.
class Cropped {
 public:
  Cropped(const Grid& grid, const Box& box) : grid_(grid), box_(box), size_(box.size()) {}

  [[nodiscard]] std::size_t voxels() const { return static_cast<std::size_t>(box_.voxels()); }

  /// Calls f(place in the box, place in the run) for those voxels of a run that lie in the box.
  template <class F>
  void each(const Run& run, F f) const {
    const std::int64_t row = run.first / grid_.size[0];
    const auto x = static_cast<std::int32_t>(run.first % grid_.size[0]);
    const auto y = static_cast<std::int32_t>(row % grid_.size[1]);
    const auto z = static_cast<std::int32_t>(row / grid_.size[1]);
    if (y < box_.low[1] || y >= box_.high[1] || z < box_.low[2] || z >= box_.high[2]) return;
    const std::int32_t from = std::max(x, box_.low[0]), to = std::min(x + run.length, box_.high[0]);
    const std::int64_t line = (std::int64_t{z - box_.low[2]} * size_[1] + (y - box_.low[1])) * size_[0];
    for (std::int32_t i = from; i < to; ++i)
      f(static_cast<std::size_t>(line + i - box_.low[0]), static_cast<std::size_t>(i - x));
  }

  /// All voxels of the box as runs of the image.
  template <class F>
  void each_row(F f) const {
    for (std::int32_t z = box_.low[2]; z < box_.high[2]; ++z)
      for (std::int32_t y = box_.low[1]; y < box_.high[1]; ++y)
        f(Run{(std::int64_t{z} * grid_.size[1] + y) * grid_.size[0] + box_.low[0], size_[0]});
  }

 private:
  const Grid& grid_;
  const Box& box_;
  std::array<std::int32_t, 3> size_;
};

/// Low bytes first, then the next ones: planes of them pack well.
Bytes row_numbers(const Reduction& reduction, const Cropped& cropped, int bytes) {
  Bytes planes(cropped.voxels() * static_cast<std::size_t>(bytes));
  std::size_t first_row = 1;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Crowns& crowns = reduction.crowns[c];
    std::size_t done = 0;
    for (const Run& run : reduction.components.runs_of(reduction.components.list[c])) {
      cropped.each(run, [&](std::size_t place, std::size_t i) {
        std::size_t row = first_row + crowns.row_of_voxel[done + i];
        for (int b = 0; b < bytes; ++b, row >>= 8)
          planes[place + static_cast<std::size_t>(b) * cropped.voxels()] = static_cast<std::uint8_t>(row);
      });
      done += static_cast<std::size_t>(run.length);
    }
    first_row += crowns.tally.rows.size();
  }
  return planes;
}

/// The scale is that of every eighth voxel.
Bytes grey_shades(const std::vector<float>& values, const Cropped& cropped) {
  std::vector<float> some;
  const auto each = [&](auto f) {
    cropped.each_row([&](const Run& run) {
      cropped.each(run, [&](std::size_t place, std::size_t i) {
        f(place, values[static_cast<std::size_t>(run.first) + i]);
      });
    });
  };
  each([&](std::size_t place, float value) {
    if ((place & 7U) == 0) some.push_back(value);
  });
  const raters::GreyScale scale(some);
  Bytes grey(cropped.voxels());
  each([&](std::size_t place, float value) { grey[place] = scale.shade(value); });
  return grey;
}

/// Whether all voxels of each row have its level: not where a method looked at neighbours, nor where a mask
/// takes part of a row.
bool constant_on_rows(const Solution& solution) {
  if (solution.image) return false;
  if (solution.method->kind == Kind::soft) return true;
  return std::all_of(solution.components.begin(), solution.components.end(), [](const Decision& decision) {
    return std::all_of(decision.levels.begin(), decision.levels.end(),
                       [](double level) { return level == 0 || level == 1; });
  });
}

Bytes levels_of(const Reduction& reduction, const raters::Outcome& outcome, const Cropped& cropped) {
  Solution solution = outcome.solution;
  Image own;
  if (!solution.image) own = paint(reduction, solution, outcome.options);
  const Image& image = solution.image ? *solution.image : own;
  Bytes bytes(cropped.voxels());
  std::visit(
      [&](const auto& levels) {
        cropped.each_row([&](const Run& run) {
          cropped.each(run, [&](std::size_t place, std::size_t i) {
            const double level = static_cast<double>(levels[static_cast<std::size_t>(run.first) + i]);
            bytes[place] = static_cast<std::uint8_t>(std::lround(level * 255));
          });
        });
      },
      image);
  return bytes;
}

/// A column of numbers, one for each row of all tallies.
template <class F>
std::string column(const Reduction& reduction, F number) {
  std::string text = "[";
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    for (std::size_t r = 0; r < reduction.crowns[c].tally.rows.size(); ++r)
      fmt::format_to(std::back_inserter(text), "{}{}", text.size() > 1 ? "," : "", number(c, r));
  return text + "]";
}

std::string rows_json(const Reduction& reduction) {
  const auto row = [&](std::size_t c, std::size_t r) -> const Subcrown& {
    return reduction.crowns[c].tally.rows[r];
  };
  std::string text = "{\"distance\":" + column(reduction, [&](auto c, auto r) { return row(c, r).distance; });
  text += ",\"low\":" + column(reduction, [&](auto c, auto r) { return row(c, r).raters & 0xffffffffU; });
  if (reduction.raters > 32)
    text += ",\"high\":" + column(reduction, [&](auto c, auto r) { return row(c, r).raters >> 32; });
  return text + ",\"voxels\":" + column(reduction, [&](auto c, auto r) { return row(c, r).voxels; }) + "}";
}

/// Six digits are more than can be seen.
std::string level_text(double level) { return fmt::format("{:.6g}", level); }

std::string method_json(const Reduction& reduction, const raters::Outcome& outcome, bool rows) {
  const Solution& solution = outcome.solution;
  Json facts{{"name", solution.method->name},
             {"paper_name", solution.method->paper_name},
             {"hard", solution.method->kind == Kind::hard},
             {"lmsd", solution.lmsd},
             {"distance", to_string(solution.method->distance)}};
  std::string text = compact(facts);
  text.pop_back();
  if (rows)
    text += ",\"levels\":" +
            column(reduction, [&](auto c, auto r) { return level_text(solution.components[c].levels[r]); });
  text += passes_json(reduction, outcome);
  return text + "}";
}

Json component_json(const Reduction& reduction, std::size_t c) {
  const Component& component = reduction.components.list[c];
  const plot::Slice slice = *plot::choose_slice(reduction, c);
  return {{"box", {component.box.low, component.box.high}},
          {"rows", reduction.crowns[c].tally.rows.size()},
          {"voxels", component.voxels},
          {"slice", slice.index}};
}

Json view_json(const Grid& grid, Axis axis, plot::Posture posture) {
  const plot::View view = plot::whole(grid, {axis, 0}, posture);
  return {{"axis", static_cast<int>(axis)},
          {"axes", view.axis},
          {"backwards", {view.backwards[0], view.backwards[1]}},
          {"letters", view.letters}};
}

Json raters_json(const Findings& findings) {
  Json list = Json::array();
  for (std::size_t k = 0; k < findings.names.raters.size(); ++k) {
    const plot::svg::Stroke stroke = plot::rater_stroke(static_cast<int>(k), 1);
    list.push_back({{"name", findings.names.raters[k]}, {"colour", stroke.colour}, {"dash", stroke.dash}});
  }
  return list;
}

Json shades_json() {
  Json list = Json::array();
  for (int i = 0; i <= 32; ++i) list.push_back(plot::shade(i / 32.0));
  return list;
}

Json head(const raters::Case& counted, const Findings& findings, const Box& box) {
  const Reduction& reduction = *counted.reduction;
  const plot::Slice worst = *plot::choose_slice(reduction);
  Json json{{"crema", version()},
            {"case", findings.names.name},
            {"grid", to_json(reduction.grid)},
            {"box", {box.low, box.high}},
            {"unit", files::spacing_known(counted.reference) ? "mm" : "px"},
            {"main", static_cast<int>(worst.axis)},
            {"disputed", worst.index},
            {"connectivity", reduction.neighbourhood.connectivity},
            {"raters", raters_json(findings)},
            {"shades", shades_json()}};
  json["slice_wise"] = Json(nullptr);
  if (counted.options.slice_wise) json["slice_wise"] = static_cast<int>(*counted.options.slice_wise);
  // As the first method was solved: weights may have been searched for.
  const Options& used = findings.comparison.outcomes.front().options;
  constexpr std::array<std::string_view, 4> blocks{"subcrown", "crown", "voxel", "group"};
  json["blocks"] = blocks[static_cast<std::size_t>(used.blocks)];
  json["tie"] = used.tie == Tie::background ? "background" : "foreground";
  json["empty_test"] = used.empty_test == EmptyTest::apply;
  json["weights"] = used.weights;
  json["views"] = Json::array();
  for (const Axis axis : {Axis::x, Axis::y, Axis::z})
    json["views"].push_back(view_json(reduction.grid, axis, draw::posture_of(counted.reference)));
  json["components"] = Json::array();
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    json["components"].push_back(component_json(reduction, c));
  return json;
}

}  // namespace

Box shown_box(const Reduction& reduction, bool image, const std::optional<Slices>& slices) {
  Box box{reduction.grid.size, {0, 0, 0}};
  for (const Component& component : reduction.components.list)
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], component.box.low[a]);
      box.high[a] = std::max(box.high[a], component.box.high[a]);
    }
  for (std::size_t a = 0; a < 3; ++a) {
    const double wide = image ? 12 : 2;
    const auto margin =
        static_cast<std::int32_t>(std::clamp(std::round(wide / reduction.grid.spacing[a]), 1.0, 40.0));
    box.low[a] = std::max(0, box.low[a] - margin);
    box.high[a] = std::min(reduction.grid.size[a], box.high[a] + margin);
  }
  if (slices) {
    const auto a = static_cast<std::size_t>(slices->axis);
    box.low[a] = std::max(box.low[a], slices->first);
    box.high[a] = std::max(box.low[a] + 1, std::min(box.high[a], slices->last + 1));
  }
  return box;
}

Payload make_payload(const raters::Case& counted, const Findings& findings, const PageFacts& facts) {
  const Reduction& reduction = *counted.reduction;
  const Box box = shown_box(reduction, facts.image != nullptr, facts.slices);
  const Cropped cropped(reduction.grid, box);
  std::size_t rows = 1;
  for (const Crowns& crowns : reduction.crowns) rows += crowns.tally.rows.size();
  const int bytes = rows <= 0x100 ? 1 : rows <= 0x10000 ? 2 : rows <= 0x1000000 ? 3 : 4;
  Payload payload{.voxels = row_numbers(reduction, cropped, bytes)};
  std::string methods;
  for (const raters::Outcome& outcome : findings.comparison.outcomes) {
    const bool constant = constant_on_rows(outcome.solution);
    methods += (methods.empty() ? "" : ",") + method_json(reduction, outcome, constant);
    if (!constant)
      payload.painted.emplace_back(outcome.method().name, levels_of(reduction, outcome, cropped));
  }
  if (facts.image != nullptr) payload.grey = grey_shades(facts.image->values, cropped);
  payload.json = compact(head(counted, findings, box));
  payload.json.pop_back();
  payload.json += fmt::format(",\"bytes\":{},\"partial\":{},\"rows\":{},\"methods\":[{}]}}", bytes,
                              facts.slices.has_value(), rows_json(reduction), methods);
  return payload;
}

}  // namespace crema::report
