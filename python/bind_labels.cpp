// SPDX-License-Identifier: Apache-2.0
// Several labels, from files or from memory.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/label_record.h"
#include "crema/labels/separate.h"
#include "files/values/values.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/facts.h"
#include "raters/labels.h"

namespace crema::python {
namespace {

using Names = std::vector<std::string>;
using Paths = std::vector<std::filesystem::path>;
using LabelArray = Borrowed<std::uint16_t>;

/// The raters of one call: files, or maps that are in memory.
struct LabelIntake {
  std::shared_ptr<const raters::RaterFiles> files = {};
  raters::LabelSource source = {};
  Names told = {};
  Paths paths = {};
};

/// One case, counted, and all that its records tell besides.
struct LabelRun {
  raters::LabelCase counted;
  Settings settings;
  Names told, command;
  std::string date;
};

struct FusedLabels {
  std::shared_ptr<const LabelRun> run;
  raters::LabelOutcome outcome;
  Warnings warnings;

  [[nodiscard]] const LabelConsensus& consensus() const { return outcome.consensus; }
  [[nodiscard]] const LabelCounts& counts() const { return run->counted.counts; }
};

LabelIntake open_label_files(const Paths& paths, const Names& names, const Settings& settings) {
  LabelIntake intake{.paths = raters::files_of(paths)};
  python::run([&] {
    intake.files = std::make_shared<raters::RaterFiles>(raters::open_raters(paths, settings));
    intake.source.reference = intake.files->reference;
    intake.told = names.empty() ? raters::rater_names(*intake.files) : names;
  });
  return intake;
}

LabelIntake open_label_maps(const files::Header& reference, const std::vector<LabelArray>& maps,
                            const Names& names, Names told, const Names& warnings) {
  LabelIntake intake{.told = std::move(told)};
  intake.source = {.reference = reference, .names = names, .maps = {}, .warnings = {}};
  intake.source.warnings.assign(warnings.begin(), warnings.end());
  python::run([&] {
    std::vector<std::span<const Label>> views;
    for (const LabelArray& map : maps) views.push_back(view(map));
    intake.source.maps = std::make_shared<LabelMaps>(take_labels(reference.grid, views));
  });
  return intake;
}

/// Numbers of any kind as labels, by the rules for files. `stored` are their bytes.
Given<std::uint16_t> to_labels(const Bytes& stored, const files::ValueType& type, const std::string& name,
                               const Grid& grid) {
  std::vector<Label> labels(static_cast<std::size_t>(grid.voxels()), 0);
  python::run([&] {
    const files::LabelSink sink = [&](std::int64_t first, std::span<const Label> part) {
      std::copy(part.begin(), part.end(), labels.begin() + first);
    };
    const files::MaskSink nobody = [](std::int64_t, Mask) {};
    files::ReadOptions options;
    options.labels = &sink;
    files::MaskBuilder builder(type, options, nobody);
    builder.take(view(stored));
    static_cast<void>(builder.finish(name, grid));
  });
  return give(std::move(labels));
}

Given<std::uint16_t> apply(const files::Placement& placement, const Grid& reference, const Grid& other,
                           const LabelArray& labels) {
  const auto own = view(labels);
  std::vector<Label> placed;
  python::run([&] {
    placed = files::apply(placement, reference, other, std::vector<Label>(own.begin(), own.end()));
  });
  return give(std::move(placed));
}

std::vector<FusedLabels> fuse(const LabelIntake& intake, const Settings& settings, const Names& names,
                              Names command, const nb::object& progress) {
  const std::vector<const Method*> methods = find_methods(names);
  const Warnings unfit = check(settings, methods);
  const auto made = std::make_shared<LabelRun>();
  made->settings = settings;
  made->told = intake.told;
  made->command = std::move(command);
  made->date = raters::now();
  std::vector<FusedLabels> answers;
  python::run(progress, 2 + static_cast<int>(methods.size()), [&](Control& control) {
    const raters::Hooks hooks = control.hooks();
    made->counted = intake.files ? raters::count_labels(*intake.files, settings, methods, hooks)
                                 : raters::count_labels(intake.source, settings, methods, hooks);
    append(made->counted.warnings, unfit);
    control.reach(2);
    for (const Method* method : methods) {
      FusedLabels fused{made, raters::solve_labels(made->counted, *method), made->counted.warnings};
      append(fused.warnings, fused.outcome.consensus.warnings);
      fused.outcome.options.stop = {};
      answers.push_back(std::move(fused));
      control.reach(2 + static_cast<int>(answers.size()));
    }
    made->counted.options.stop = {};
  });
  return answers;
}

/// The labels as which a structure's voxels are written: its own, and those of what lies inside it.
std::vector<Label> shown_as(const LabelCounts& counts, std::size_t s) {
  std::vector<Label> shown;
  for (std::size_t i = 0; i < counts.structures.size(); ++i) {
    int outer = static_cast<int>(i);
    while (outer != Structure::kNone && outer != static_cast<int>(s))
      outer = counts.structures[static_cast<std::size_t>(outer)].structure.parent;
    if (outer != Structure::kNone) shown.push_back(counts.structures[i].structure.value);
  }
  return shown;
}

/// Per label: value, name, voxels, LMSD, bound, values in the image, layer.
auto label_rows(const FusedLabels& fused) {
  using Row = std::tuple<Label, std::string, std::int64_t, double, std::optional<double>, std::vector<Label>,
                         std::size_t>;
  std::vector<Row> rows;
  const LabelConsensus& consensus = fused.consensus();
  for (std::size_t s = 0; s < consensus.labels.size(); ++s) {
    const Structure& structure = fused.counts().structures[s].structure;
    const LabelResult& label = consensus.labels[s];
    rows.emplace_back(structure.value, structure.name, label.voxels, label.lmsd, label.alone.lower_bound,
                      shown_as(fused.counts(), s), consensus.layer_of.empty() ? 0 : consensus.layer_of[s]);
  }
  return rows;
}

/// One image, or several where labels overlap; they can be had once.
std::vector<Given<std::uint16_t>> take_images(FusedLabels& fused) {
  LabelConsensus& consensus = fused.outcome.consensus;
  std::vector<Given<std::uint16_t>> images;
  if (consensus.layers.empty()) images.push_back(give(std::move(consensus.image)));
  for (LabelImage& layer : consensus.layers) images.push_back(give(std::move(layer)));
  return images;
}

std::optional<Given<float>> levels(const FusedLabels& fused) {
  if (fused.consensus().levels.empty()) return {};
  SoftImage maps;
  python::run([&] { maps = level_maps(fused.counts(), fused.consensus(), Rest::leave); });
  return give(std::move(maps));
}

/// The program's record.
nb::object record(const FusedLabels& fused) {
  const LabelRun& run = *fused.run;
  RunFacts facts{
      .command = run.command, .raters = run.told, .warnings = spelled(fused.warnings), .date = run.date};
  facts.reading = run.counted.reading;
  facts.counting = run.counted.counting;
  facts.solving = fused.outcome.solving;
  return to_python(label_record(facts, run.settings, fused.counts(),
                                {fused.outcome.consensus, fused.outcome.options, ""}));
}

}  // namespace

void bind_labels(nb::module_& m) {
  nb::class_<LabelIntake>(m, "LabelRaters")
      .def_ro("paths", &LabelIntake::paths)
      .def_prop_ro("reference", [](const LabelIntake& intake) {
        files::Header header = intake.source.reference;
        header.consensus = true;
        return header;
      });
  nb::class_<FusedLabels>(m, "FusedLabels")
      .def_prop_ro("method", [](const FusedLabels& fused) { return fused.consensus().method->name; })
      .def_prop_ro("lmsd", [](const FusedLabels& fused) { return fused.consensus().lmsd; })
      .def_prop_ro("lmsd_alone", [](const FusedLabels& fused) { return fused.consensus().lmsd_alone; })
      .def_prop_ro("lower_bound", [](const FusedLabels& fused) { return fused.consensus().lower_bound; })
      .def_prop_ro("claimed_twice", [](const FusedLabels& fused) { return fused.consensus().claimed_twice; })
      .def_prop_ro("warnings", [](const FusedLabels& fused) { return spelled(fused.warnings); })
      .def("labels", label_rows)
      .def("take_images", take_images)
      .def("levels", levels)
      .def("record", record, nb::sig("def record(self) -> dict[str, typing.Any]"));
  m.def("open_label_files", open_label_files,
        nb::sig("def open_label_files(paths: Sequence[str], names: Sequence[str], settings: Settings) -> "
                "LabelRaters"));
  m.def("open_label_maps", open_label_maps, nb::arg("reference"), nb::arg("maps"), nb::arg("names"),
        nb::arg("told"), nb::arg("warnings"));
  m.def("to_labels", to_labels, nb::arg("stored"), nb::arg("type"), nb::arg("name"), nb::arg("grid"));
  m.def("apply_labels", apply, nb::arg("placement"), nb::arg("reference"), nb::arg("other"),
        nb::arg("labels"));
  m.def("fuse_labels", fuse, nb::arg("raters"), nb::arg("settings"), nb::arg("methods"), nb::arg("command"),
        nb::arg("progress").none());
  m.def(
      "file_of", [](const std::string& path) { return raters::split_input(path).file.string(); },
      nb::arg("path"));
}

}  // namespace crema::python
