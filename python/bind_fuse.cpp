// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "crema/labels/settle/places.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/run/memory.h"

namespace crema::python {
namespace {

Fused answer(const std::shared_ptr<const Counted>& run, const Method& method) {
  Fused fused{run, raters::solve_method(run->counted, method, run->settings), {}, run->counted.warnings};
  if (!fused.outcome.joint)
    fused.image = std::make_shared<Image>(raters::paint_outcome(run->counted, fused.outcome, {}).image);
  append(fused.warnings, fused.outcome.warnings);
  fused.outcome.options.progress = {};  // nobody listens once the call is over
  fused.outcome.options.stop = {};
  return fused;
}

/// One counting of the voxels, and every method's answer from it.
std::vector<Fused> fuse(const Intake& intake, const Settings& settings, const std::vector<std::string>& names,
                        std::vector<std::string> command, const nb::object& progress) {
  std::vector<const Method*> methods = find_methods(names);
  Warnings unfit = keep_applicable(methods, settings);
  append(unfit, check(settings, methods));
  const auto made = std::make_shared<Counted>(intake, settings, std::move(command));
  std::vector<Fused> answers;
  run(progress, 2 + static_cast<int>(methods.size()), [&](Control& control) {
    raters::Case& counted = made->counted;
    made->count(intake, raters::needs_of(methods), control.hooks());
    append(counted.warnings, unfit);
    methods = raters::keep_possible(counted, methods, counted.warnings);
    raters::check_memory(counted, methods, settings, {.images = raters::Afterwards::Images::kept});
    counted.options.progress = [&control](double share) { control.report(share); };
    control.reach(2);
    for (const Method* method : methods) {
      answers.push_back(answer(made, *method));
      control.reach(2 + static_cast<int>(answers.size()));
    }
    counted.options.progress = {};
    counted.options.stop = {};
    for (StructureCounts& own : counted.counts.structures) own.reduction.votes.reset();
  });
  return answers;
}

/// The program's record; that of one structure is the record of a mask.
nb::object record(const Fused& fused, std::optional<std::size_t> structure) {
  const Counted& run = *fused.run;
  RunFacts facts = run.facts(fused.warnings);
  facts.solving = fused.outcome.solving;
  facts.writing = fused.outcome.painting;
  const auto record_of = [&](const LabelCounts& counts, const raters::Outcome& outcome) {
    return fuse_record(facts, run.settings, counts, outcome.structures,
                       {.options = outcome.options,
                        .search = outcome.search,
                        .threshold = outcome.threshold,
                        .joint = outcome.joint ? &*outcome.joint : nullptr});
  };
  if (!structure || !fused.outcome.joint) return to_python(record_of(run.counted.counts, fused.outcome));
  Json own;
  python::run([&] {
    const LabelCounts alone{.structures = {run.counted.counts.structures[*structure]}};
    own = record_of(alone, raters::only(run.counted, fused.outcome, *structure));
  });
  return to_python(run.reported_of(structure, {std::move(own)}));
}

using Voxels = std::variant<Given<std::uint8_t>, Given<Label>, Given<float>>;

/// Labels in as few bytes as hold them.
Voxels copy_labels(const LabelImage& image) {
  const Label largest = image.empty() ? Label{0} : *std::max_element(image.begin(), image.end());
  if (largest > 255) return give(LabelImage(image));
  HardImage narrow(image.size());
  for (std::size_t v = 0; v < image.size(); ++v)
    if (image[v] != 0) narrow[v] = static_cast<std::uint8_t>(image[v]);
  return give(std::move(narrow));
}

Voxels lend_image(const std::shared_ptr<Image>& image) {
  if (std::holds_alternative<HardImage>(*image)) return lend<HardImage>(image);
  return lend<SoftImage>(image);
}

/// A mask, levels or a label map; several where labels overlap.
std::vector<Voxels> images(const Fused& fused) {
  if (!fused.outcome.joint) return {lend_image(fused.image)};
  const LabelConsensus& joint = *fused.outcome.joint;
  if (joint.layers.empty()) return {copy_labels(joint.image)};
  std::vector<Voxels> layers;
  for (const LabelImage& layer : joint.layers) layers.push_back(copy_labels(layer));
  return layers;
}

/// The levels of one structure; none where the method gives masks.
std::optional<Voxels> levels(const Fused& fused, std::size_t structure) {
  if (!fused.outcome.joint)
    return std::holds_alternative<SoftImage>(*fused.image) ? std::optional(lend_image(fused.image))
                                                           : std::nullopt;
  if (fused.outcome.joint->levels.empty()) return {};
  Image image;
  run([&] { image = image_of_label(fused.run->counted.counts, *fused.outcome.joint, structure); });
  return lend_image(std::make_shared<Image>(std::move(image)));
}

/// Per structure: value, name, voxels, components, LMSD, bound, its values in the image, its layer.
auto structures(const Fused& fused) {
  using Row = std::tuple<Label, std::string, std::int64_t, std::size_t, double, std::optional<double>,
                         std::vector<Label>, std::size_t>;
  std::vector<Row> rows;
  const raters::Case& counted = fused.run->counted;
  const std::vector<std::vector<Label>> shown = values_shown(counted.counts);
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const Structure& structure = counted.counts.structures[s].structure;
    const Solution& solution = fused.outcome.structures[s];
    const auto& joint = fused.outcome.joint;
    rows.emplace_back(structure.value, structure.name, solution.voxels, solution.components.size(),
                      solution.lmsd, solution.lower_bound, shown[s],
                      joint && !joint->layer_of.empty() ? joint->layer_of[s] : 0);
  }
  return rows;
}

/// Columns, one value per subcrown: component, distance, raters, voxels, level.
auto subcrowns(const Fused& fused, std::size_t structure) {
  std::vector<std::int64_t> component, voxels;
  std::vector<std::int32_t> distance;
  std::vector<std::uint64_t> raters;
  std::vector<double> level;
  const Reduction& reduction = fused.reduction(structure);
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      component.push_back(static_cast<std::int64_t>(c));
      distance.push_back(rows[r].distance);
      raters.push_back(rows[r].raters);
      voxels.push_back(rows[r].voxels);
      level.push_back(fused.outcome.structures[structure].components[c].levels[r]);
    }
  }
  return std::make_tuple(give(std::move(component)), give(std::move(distance)), give(std::move(raters)),
                         give(std::move(voxels)), give(std::move(level)));
}

/// How many raters drew each voxel of one structure.
HardImage count_votes(const StructureCounts& own) {
  HardImage votes(static_cast<std::size_t>(own.reduction.grid.voxels()));
  for (std::size_t c = 0; c < own.reduction.crowns.size(); ++c)
    for_each_voxel(own, c, [&](std::size_t voxel, std::uint32_t row) {
      const Raters raters = own.reduction.crowns[c].tally.rows[row].raters;
      votes[voxel] = static_cast<std::uint8_t>(std::popcount(raters));
    });
  return votes;
}

/// How many raters drew each voxel as any of the structures.
HardImage count_all_votes(const LabelCounts& counts) {
  Canvas<Raters> drawn(static_cast<std::size_t>(counts.grid().voxels()));
  for (const StructureCounts& own : counts.structures)
    for (std::size_t c = 0; c < own.reduction.crowns.size(); ++c)
      for_each_voxel(own, c, [&](std::size_t voxel, std::uint32_t row) {
        drawn[voxel] |= own.reduction.crowns[c].tally.rows[row].raters;
      });
  HardImage votes(drawn.size());
  for (std::size_t v = 0; v < drawn.size(); ++v)
    if (drawn[v] != 0) votes[v] = static_cast<std::uint8_t>(std::popcount(drawn[v]));
  return votes;
}

Given<std::uint8_t> votes(const Fused& fused, std::optional<std::size_t> structure) {
  const LabelCounts& counts = fused.run->counted.counts;
  if (counts.structures.size() == 1) structure = 0;
  HardImage found;
  run([&] { found = structure ? count_votes(counts.structures[*structure]) : count_all_votes(counts); });
  return give(std::move(found));
}

}  // namespace

void bind_fuse(nb::module_& m) {
  nb::class_<Fused>(m, "Fused")
      .def_prop_ro("method", [](const Fused& fused) { return fused.outcome.method().name; })
      .def_prop_ro("lmsd", [](const Fused& fused) { return fused.outcome.lmsd(); })
      .def_prop_ro("lower_bound",
                   [](const Fused& fused) {
                     const raters::Outcome& outcome = fused.outcome;
                     return outcome.joint ? outcome.joint->lower_bound
                                          : outcome.structures.front().lower_bound;
                   })
      .def_prop_ro("labelled", [](const Fused& fused) { return fused.outcome.joint.has_value(); })
      .def_prop_ro("lmsd_alone",
                   [](const Fused& fused) {
                     return fused.outcome.joint ? fused.outcome.joint->lmsd_alone : fused.outcome.lmsd();
                   })
      .def_prop_ro("claimed_twice",
                   [](const Fused& fused) {
                     return fused.outcome.joint ? fused.outcome.joint->claimed_twice : std::int64_t{0};
                   })
      .def_prop_ro("raters", [](const Fused& fused) { return fused.reduction(0).raters; })
      .def_prop_ro("favours_foreground",
                   [](const Fused& fused) { return fused.outcome.options.tie == Tie::foreground; })
      .def_prop_ro("warnings", [](const Fused& fused) { return spelled(fused.warnings); })
      .def_prop_ro("reference", [](const Fused& fused) { return fused.run->counted.reference; })
      .def("structures", structures)
      .def("images", images)
      .def("levels", levels, nb::arg("structure"))
      .def("subcrowns", subcrowns, nb::arg("structure"))
      .def("votes", votes, nb::arg("structure").none())
      .def("record", record, nb::arg("structure").none(),
           nb::sig("def record(self, structure: int | None) -> dict[str, typing.Any]"));
  m.def("fuse", fuse, nb::arg("raters"), nb::arg("settings"), nb::arg("methods"), nb::arg("command"),
        nb::arg("progress").none());
}

}  // namespace crema::python
