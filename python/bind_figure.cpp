// SPDX-License-Identifier: Apache-2.0
// Pictures of a consensus, and pictures as files.
#include <tuple>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/error.h"
#include "draw/figure.h"
#include "files/plan.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/work.h"
#include "raters/grey_image.h"

namespace crema::python {
namespace {

using Sentences = std::vector<std::string>;
using Path = std::filesystem::path;

constexpr int kLeastDots = 30, kMostDots = 2400;

/// What was asked to be drawn of a consensus.
struct Asked {
  draw::Request request;
  std::optional<Path> file;
  std::optional<Borrowed<float>> grey;
};

std::vector<draw::Answered> answers_of(const Fused& fused, const Borrowed<float>& levels,
                                       const draw::Request& request, Warnings& warnings) {
  std::vector<draw::Answered> answers;
  if (!draws_answers(request)) return answers;
  const raters::Outcome& own = fused.outcome;
  for (const Method* method : request.methods) {
    if (method == &own.method())
      answers.push_back({method, own.solution, image_of(levels, method->kind)});
    else
      answers.push_back(draw::ask(fused.run->counted, *method, fused.run->settings, warnings));
  }
  return answers;
}

draw::Drawn draw_asked(const Fused& fused, const Borrowed<float>& levels, const Asked& asked,
                       Warnings& warnings) {
  const raters::Case& counted = fused.run->counted;
  const draw::Wanted wanted = parse_wanted(asked.request, counted.reference.grid);
  raters::GreyImage grey;
  if (asked.file) {
    const auto file = raters::open_grey(*asked.file, counted.reference, fused.run->settings);
    grey = raters::read_grey(file, counted.reference.grid, fused.run->settings);
    append(warnings, grey.warnings);
  }
  const auto answers = answers_of(fused, levels, asked.request, warnings);
  return draw::draw(asked.request, wanted, counted, answers, asked.grey ? view(*asked.grey) : grey.values,
                    warnings);
}

/// The picture, what it shows in words, and what there is to say about it.
std::tuple<std::string, std::string, Sentences> figure(const Fused& fused, const Borrowed<float>& levels,
                                                       const std::string& show, const std::string& slice,
                                                       const std::optional<Sentences>& methods, bool whole,
                                                       const std::optional<Path>& file,
                                                       const std::optional<Borrowed<float>>& grey) {
  Asked asked{{.show = show, .slice = slice, .whole = whole, .image = file || grey}, file, grey};
  asked.request.methods = methods ? find_methods(*methods) : std::vector{&fused.outcome.method()};
  draw::complete(asked.request, fused.run->settings);
  require_counted(fused, asked.request.methods);
  if (needs_of(asked.request) > fused.run->needs)
    throw UsageError(fmt::format("{}: {} did not count distances; start from a result of jaccard.",
                                 Sentence::setting("show", show), fused.outcome.method().name));
  draw::Drawn drawn;
  Warnings warnings;
  run([&] { drawn = draw_asked(fused, levels, asked, warnings); });
  return {drawn.svg, drawn.shown, spelled(warnings)};
}

/// Writes a picture; the ending of the name says what it becomes. Inputs are never replaced.
void save_picture(const Path& path, const std::string& svg, int dots_per_inch, bool overwrite,
                  const std::vector<Path>& inputs) {
  if (dots_per_inch < kLeastDots || dots_per_inch > kMostDots)
    throw UsageError(fmt::format("{}: give a whole number from {} to {}.",
                                 Sentence::setting("dpi", std::to_string(dots_per_inch)), kLeastDots,
                                 kMostDots));
  run([&] {
    const auto target = draw::target_of(path);
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
        nb::sig("def figure(fused: Fused, levels: NDArray[numpy.float32], show: str, slice: str, "
                "methods: Sequence[str] | None, whole: bool, file: str | None, "
                "grey: NDArray[numpy.float32] | None) -> tuple[str, str, list[str]]"));
  m.def("save_picture", save_picture,
        nb::sig("def save_picture(path: str, svg: str, dpi: int, overwrite: bool, inputs: Sequence[str]) -> "
                "None"));
}

}  // namespace crema::python
