// SPDX-License-Identifier: Apache-2.0
#include "report/case/payload.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/base/text.h"
#include "crema/base/version.h"
#include "crema/levels/level_maps.h"
#include "crema/records/record_parts.h"
#include "figure/case_figure.h"
#include "files/format.h"
#include "plot/palette.h"
#include "report/case/cropped.h"
#include "report/case/desk.h"
#include "report/case/passes.h"
#include "report/compact_json.h"

namespace crema::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

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

/// A level as a byte, which is above one half where the level is.
std::uint8_t step_of(double level) {
  const auto step = static_cast<std::uint8_t>(std::lround(level * 255));
  return level > 0.5 ? step : std::min<std::uint8_t>(step, 127);
}

Bytes levels_of(const Reduction& reduction, const raters::Outcome& outcome, const Cropped& cropped) {
  Solution solution = outcome.structures.front();
  Image own;
  if (!solution.image) own = paint(reduction, solution, outcome.options);
  const Image& image = solution.image ? *solution.image : own;
  Bytes bytes(cropped.voxels());
  std::visit(
      [&](const auto& levels) {
        cropped.each_row([&](const Run& run) {
          cropped.each(run, [&](std::size_t place, std::size_t i) {
            const double level = static_cast<double>(levels[static_cast<std::size_t>(run.first) + i]);
            bytes[place] = step_of(level);
          });
        });
      },
      image);
  return bytes;
}

/// What one rater gave, where raters gave levels: from 128 on where it reaches one half.
Bytes levels_of(const LevelMaps& maps, int rater, const Cropped& cropped) {
  Bytes bytes(cropped.voxels());
  const auto add = [&](const LevelPart& part) {
    const auto values = part.of(rater);
    std::size_t first = 0;
    for (const Run& run : part.runs) {
      cropped.each(run, [&](std::size_t place, std::size_t i) {
        bytes[place] = static_cast<std::uint8_t>(std::lround(static_cast<double>(values[first + i]) * 255));
      });
      first += static_cast<std::size_t>(run.length);
    }
  };
  for (const LevelPart& part : maps.parts) add(part);
  add(maps.rest);
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

/// As the program writes levels into files, so that the page can write the same.
std::string exact_text(double level) { return fmt::format("{}", static_cast<float>(level)); }

enum class Digits { seen, all };

std::string method_json(const Reduction& reduction, const raters::Outcome& outcome, bool rows,
                        Digits digits) {
  const Solution& solution = outcome.structures.front();
  Json facts{{"name", solution.method->name},
             {"paper_name", solution.method->paper_name},
             {"hard", solution.method->kind == Kind::hard},
             {"lmsd", solution.lmsd},
             {"distance", to_string(solution.method->distance)}};
  std::string text = compact(facts);
  text.pop_back();
  if (rows)
    text += ",\"levels\":" + column(reduction, [&](auto c, auto r) {
              const double level = solution.components[c].levels[r];
              return digits == Digits::all ? exact_text(level) : level_text(level);
            });
  text += passes_json(reduction, outcome);
  return text + "}";
}

/// Whether a label took the voxels of a row when it was alone; empty where no labels claimed the same voxels.
std::string alone_json(const Reduction& reduction, const Findings& findings) {
  if (findings.alone == nullptr || findings.alone->components.size() != reduction.crowns.size() ||
      !constant_on_rows(*findings.alone))
    return "";
  return ",\"alone\":" + column(reduction, [&](auto c, auto r) {
           return findings.alone->components[c].levels[r] > 0.5 ? 1 : 0;
         });
}

Json component_json(const Reduction& reduction, std::size_t c) {
  const Component& component = reduction.components.list[c];
  const plot::Slice slice = *plot::choose_slice(reduction, c);
  return {{"box", {component.box.low, component.box.high}},
          {"rows", reduction.crowns[c].tally.rows.size()},
          {"voxels", component.voxels},
          {"slice", slice.index}};
}

Json box_json(const Box& box) { return {box.low, box.high}; }

/// What the page can ask again, by the table of methods: those that look at one component or at all rater
/// groups, and estimate nothing; of levels, all that take them.
Json what_if_json(bool levels) {
  const auto offered = [levels](const Method& method) {
    return levels ? accepts(method, Accept::levels)
                  : method.aim != Aim::performance && method.aim != Aim::shape &&
                        method.needs != Needs::neighbours && takes_masks(method) &&
                        !std::holds_alternative<FieldSolver>(method.solver);
  };
  Json list = Json::array();
  for (const Method& method : methods())
    if (offered(method))
      list.push_back({{"name", method.name},
                      {"criterion", accepts(method, Accept::criterion)},
                      {"empty_test", accepts(method, Accept::empty_test)},
                      {"tie", accepts(method, Accept::tie)},
                      {"proof", accepts(method, levels ? Accept::proof : Accept::criterion)}});
  return list;
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
  const Reduction& reduction = counted.reduction(findings.structure);
  const plot::Slice worst = *plot::choose_slice(reduction);
  Json json{{"crema", version()},
            {"case", findings.names.name},
            {"grid", to_json(reduction.grid)},
            {"box", box_json(box)},
            {"unit", reduction.grid.measured ? "mm" : "px"},
            {"main", static_cast<int>(worst.axis)},
            {"disputed", worst.index},
            {"connectivity", reduction.neighbourhood.connectivity},
            {"raters", raters_json(findings)},
            {"shades", shades_json()}};
  json["grid"]["spacing"] = reduction.grid.spacing;  // the page draws with it, whatever its unit
  if (counted.labelled()) json["label"] = figure::title_of(counted, findings.structure);
  json["colour"] = figure::colour_of(counted, findings.structure);
  json["what_if"] = what_if_json(reduction.levels != nullptr);
  json["slice_wise"] = Json(nullptr);
  if (counted.options.slice_wise) json["slice_wise"] = static_cast<int>(*counted.options.slice_wise);
  // As the first method was solved: weights may have been searched for.
  const Options& used = findings.outcomes.front().options;
  json["blocks"] = word_of(used.blocks, kBlocksWords);
  json["tie"] = word_of(used.tie, kTieWords);
  json["empty_test"] = used.empty_test == EmptyTest::apply;
  json["weights"] = used.weights;
  json["views"] = Json::array();
  for (const Axis axis : {Axis::x, Axis::y, Axis::z})
    json["views"].push_back(view_json(reduction.grid, axis, figure::posture_of(counted.reference)));
  json["components"] = Json::array();
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    json["components"].push_back(component_json(reduction, c));
  return json;
}

}  // namespace

Payload make_payload(const raters::Case& counted, const Findings& findings, const PageFacts& facts) {
  const Reduction& reduction = counted.reduction(findings.structure);
  const Box box = shown_box(reduction, facts.pictured(), facts.slices);
  const Cropped cropped(reduction.grid, box);
  std::size_t rows = 1;
  for (const Crowns& crowns : reduction.crowns) rows += crowns.tally.rows.size();
  const int bytes = rows <= 0x100 ? 1 : rows <= 0x10000 ? 2 : rows <= 0x1000000 ? 3 : 4;
  Payload payload{.voxels = row_numbers(reduction, cropped, bytes)};
  std::string methods;
  for (const raters::Outcome& outcome : findings.outcomes) {
    const bool constant = constant_on_rows(outcome.structures.front());
    methods += (methods.empty() ? "" : ",") +
               method_json(reduction, outcome, constant, methods.empty() ? Digits::all : Digits::seen);
    if (!constant)
      payload.painted.emplace_back(outcome.method().name, levels_of(reduction, outcome, cropped));
  }
  if (reduction.levels)
    for (int k = 0; k < reduction.raters; ++k)
      payload.painted.emplace_back(fmt::format("#{}", k), levels_of(*reduction.levels, k, cropped));
  Json facts_of_all = head(counted, findings, box);
  facts_of_all["rater_levels"] = reduction.levels != nullptr;
  facts_of_all["desk"] = desk_json(counted, findings, facts);
  if (facts.image != nullptr) facts_of_all["grey_box"] = box_json(box_of_all(counted, facts));
  payload.json = compact(facts_of_all);
  payload.json.pop_back();
  payload.json +=
      fmt::format(",\"bytes\":{},\"partial\":{},\"rows\":{}{},\"methods\":[{}]}}", bytes,
                  facts.slices.has_value(), rows_json(reduction), alone_json(reduction, findings), methods);
  return payload;
}

}  // namespace crema::report
