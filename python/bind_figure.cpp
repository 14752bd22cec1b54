// SPDX-License-Identifier: Apache-2.0
// Pictures of a consensus, and pictures as files.
#include <tuple>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/base/error.h"
#include "figure/case_figure.h"
#include "files/plan.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/work.h"
#include "raters/read/grey_image.h"

namespace crema::python {
namespace {

using Sentences = std::vector<std::string>;
using Path = std::filesystem::path;

constexpr int kMinDots = 30, kMaxDots = 2400;

/// What is to be drawn of a consensus.
struct Wish {
  figure::Request request;
  std::optional<std::size_t> structure;  ///< none: all
  std::optional<Path> file;
  std::optional<Borrowed<float>> grey;
};

/// The answers that are at hand and those of other methods, with their images.
std::vector<raters::Outcome> outcomes_of(const Fused& fused, const figure::Request& request,
                                         Warnings& warnings) {
  std::vector<raters::Outcome> outcomes;
  if (!draws_answers(request)) return outcomes;
  for (const Method* method : request.methods) {
    if (method != &fused.outcome.method()) {
      outcomes.push_back(raters::solve_method(fused.run->counted, *method, fused.run->settings));
      append(warnings, outcomes.back().warnings);
      continue;
    }
    outcomes.push_back(fused.outcome);
    if (!fused.outcome.joint) outcomes.back().structures.front() = fused.solution(0);
  }
  return outcomes;
}

figure::Drawn draw_wish(const Fused& fused, const Wish& wish, Warnings& warnings) {
  const raters::Case& counted = fused.run->counted;
  const figure::Wanted wanted = parse_wanted(wish.request, counted.reference.grid);
  raters::GreyImage grey;
  if (wish.file) {
    const auto file = raters::open_grey(*wish.file, counted.reference, fused.run->settings);
    grey = raters::read_grey(file, counted.reference.grid, fused.run->settings);
    append(warnings, grey.warnings);
  }
  const std::span<const float> beneath = wish.grey ? view(*wish.grey) : grey.values;
  const std::vector<raters::Outcome> outcomes = outcomes_of(fused, wish.request, warnings);
  if (!wish.structure) return figure::draw_case(wish.request, wanted, counted, outcomes, beneath, warnings);
  std::vector<figure::Answered> answers;
  for (const raters::Outcome& outcome : outcomes)
    answers.push_back(figure::answer_of(counted, outcome, *wish.structure));
  return figure::draw(wish.request, wanted, {counted, *wish.structure, counted.names}, answers, beneath,
                      warnings);
}

/// The picture, what it shows in words, and what there is to say about it.
std::tuple<std::string, std::string, ReportedWarnings> figure(
    const Fused& fused, std::optional<std::size_t> structure, const std::string& show,
    const std::string& slice, const std::optional<Sentences>& methods, bool whole, bool outlines,
    const std::optional<Path>& file, const std::optional<Borrowed<float>>& grey) {
  Wish wish{{.show = show, .slice = slice, .whole = whole, .image = file || grey}, structure, file, grey};
  wish.request.outlines = outlines;
  if (methods)
    wish.request.methods = find_methods(*methods);
  else if (figure::draws_consensus(show))
    wish.request.methods = {&fused.outcome.method()};
  keep_applicable(wish.request.methods, fused.run->settings);
  figure::complete(wish.request, fused.run->settings);
  require_counted(fused, wish.request.methods);
  if (needs_of(wish.request) > fused.run->needs)
    throw UsageError(fmt::format("{}: {} did not count distances; start from a result of jaccard.",
                                 Sentence::setting("show", show), fused.outcome.method().name));
  figure::Drawn drawn;
  Warnings warnings;
  run([&] { drawn = draw_wish(fused, wish, warnings); });
  return {drawn.svg, drawn.shown, spelled(warnings)};
}

/// Writes a picture; the ending of the name says what it becomes. Inputs are never replaced.
void save_picture(const Path& path, const std::string& svg, int dots_per_inch, bool overwrite,
                  const std::vector<Path>& inputs) {
  if (dots_per_inch < kMinDots || dots_per_inch > kMaxDots)
    throw UsageError(fmt::format("{}: give a whole number from {} to {}.",
                                 Sentence::setting("dpi", std::to_string(dots_per_inch)), kMinDots,
                                 kMaxDots));
  run([&] {
    const auto target = figure::target_of(path);
    const files::WriteOptions options{.overwrite = overwrite};
    files::OutputPlan plan;
    for (const Path& input : inputs) plan.add_input(input);
    plan.add_text(path, "the figure");
    plan.check(options);
    files::OutputSet outputs(options);
    outputs.put_text(path, target ? plot::render(svg, *target, dots_per_inch) : svg);
    outputs.publish();
  });
}

}  // namespace

void bind_figure(nb::module_& m) {
  m.def("figure", figure,
        nb::sig("def figure(fused: Fused, structure: int | None, show: str, slice: str, "
                "methods: Sequence[str] | None, whole: bool, outlines: bool, file: str | None, "
                "grey: NDArray[numpy.float32] | None) -> tuple[str, str, list[str]]"));
  m.def("save_picture", save_picture,
        nb::sig("def save_picture(path: str, svg: str, dpi: int, overwrite: bool, inputs: Sequence[str]) -> "
                "None"));
}

}  // namespace crema::python
