// SPDX-License-Identifier: Apache-2.0
#include "annotations/export.h"

#include <algorithm>

#include <fmt/format.h>

#include "cohort/run/request.h"
#include "cohort/run/result.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/base/version.h"
#include "files/files.h"
#include "files/plan.h"

namespace crema::annotations {
namespace {

namespace fs = std::filesystem;

/// The method whose results are taken, and whether they are levels.
struct Chosen {
  std::string name;
  bool soft = false;
};

Chosen choose_method(const Json& identity, const std::string& wanted) {
  const cohort::CohortRequest request = cohort::request_from(identity);
  std::vector<std::string> names;
  for (const Method* one : request.methods) names.emplace_back(one->name);
  const auto found = wanted.empty() ? names.begin() : std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    throw UsageError(fmt::format("{}: the run has {}.", Sentence::setting("method", printable(wanted)),
                                 fmt::join(names, ", ")));
  const Method& method = *request.methods[static_cast<std::size_t>(found - names.begin())];
  return {*found, method.kind == Kind::soft};
}

/// The image of a method among the outputs of a case; empty where there is none.
fs::path image_of(const cohort::RunFolder& folder, const Json& result, const std::string& method) {
  for (const fs::path& path : cohort::sound_outputs(result, folder)) {
    const std::string name = path.filename().string();
    if (name.substr(0, name.find('.')) == method) return path;
  }
  return {};
}

/// A mask of a case as runs in its picture; none where it is empty. Throws InputError where it lies outside.
std::optional<Runs> runs_in(const files::Header& header, const CaseRecord& one, const Picture& picture,
                            const Chosen& method) {
  files::ReadOptions options;
  if (method.soft) options.threshold = 0.5;
  const Extent size{header.grid.size[0], header.grid.size[1]};
  if (one.left + size.width > picture.size.width || one.top + size.height > picture.size.height)
    throw InputError(
        fmt::format("{}: has {} × {} pixels, which do not fit into picture {} of {} × {}; run the "
                    "cohort again.",
                    files::printable(header.path), size.width, size.height, printable(picture.file),
                    picture.size.width, picture.size.height));
  const Patch part = cropped({one.left, one.top, size, files::read_mask(header, options).voxels});
  if (part.empty()) return std::nullopt;
  return runs_of(part, Runs::Order::rows);
}

std::size_t category_named(const Record& record, const std::string& name, const fs::path& path) {
  const auto found = std::find_if(record.categories.begin(), record.categories.end(),
                                  [&](const Category& one) { return one.name == name; });
  if (found == record.categories.end())
    throw InputError(
        fmt::format("{}: holds the segment {}, which is none of the imported categories; run the "
                    "cohort again.",
                    files::printable(path), printable(name)));
  return static_cast<std::size_t>(found - record.categories.begin());
}

void take_case(const Record& record, const CaseRecord& one, const fs::path& path, const Chosen& method,
               std::vector<FusedObject>& objects) {
  const std::vector<files::Header> headers = files::read_headers(path);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const files::Header& header = headers[i];
    const std::size_t category =
        one.category
            ? *one.category
            : category_named(record,
                             header.segments.size() == headers.size() ? header.segments[i].name : header.name,
                             path);
    if (std::optional<Runs> runs = runs_in(header, one, record.pictures[one.picture], method))
      objects.push_back({one.picture, category, std::move(*runs)});
  }
}

}  // namespace

ExportReport export_consensus(const ExportRequest& request) {
  cohort::RunFolder folder{request.run};
  const cohort::RunRecord run = cohort::read_run(folder);
  folder.fan_out = run.fan_out;
  if (std::error_code ignored; fs::exists(folder.path / "packs", ignored))
    throw UsageError(fmt::format("{}: its results are packed; {} without {} puts them back.",
                                 files::printable(folder.path), Sentence::command("cohort plan"),
                                 Sentence::setting("pack")));
  const Record record = read_record(run.root);
  const Chosen method = choose_method(run.identity, request.method);
  files::OutputPlan plan;
  plan.add_input_tree(request.run);
  plan.add_input_tree(run.root);
  plan.add_text(request.output, "the annotations");
  plan.check({.overwrite = request.overwrite});
  ExportReport report{request.tool != nullptr ? request.tool : record.tool, method.name,
                      record.pictures.size()};
  Consensus consensus{record.pictures,
                      record.categories,
                      {},
                      fmt::format("consensus by crema {} ({})", version(), method.name)};
  for (const CaseRecord& one : record.cases) {
    const cohort::CaseState state = cohort::state_of(folder, one.name, run.identity);
    const fs::path image = state.kind == cohort::CaseState::Kind::done
                               ? image_of(folder, state.result, method.name)
                               : fs::path();
    if (!image.empty())
      take_case(record, one, image, method, consensus.objects);
    else if (report.missing++ == 0)
      report.first_missing = one.name;
  }
  std::stable_sort(consensus.objects.begin(), consensus.objects.end(),
                   [](const FusedObject& a, const FusedObject& b) { return a.picture < b.picture; });
  report.objects = consensus.objects.size();
  files::write_text(request.output, report.tool->write(consensus), {.overwrite = request.overwrite});
  return report;
}

}  // namespace crema::annotations
