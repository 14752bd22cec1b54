// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort/report.h"

#include <algorithm>
#include <filesystem>

#include "crema/base/text.h"
#include "crema/tables/citation.h"
#include "figure/thumbnail.h"
#include "files/plan.h"
#include "plot/svg.h"
#include "raters/run/adjudicate.h"
#include "report/case/report.h"
#include "report/engine_page.h"

namespace crema::cli {
namespace {

/// Settings as they are typed; a report has all levels, whatever was written as a mask.
std::string settings_of(const Json& identity) {
  std::string text;
  const auto* given = std::get_if<Json::Object>(&member(identity, "settings").value());
  if (given == nullptr) return text;
  for (const Json::Member& setting : *given) {
    if (setting.name == "threshold_output") continue;
    if (const auto* on = std::get_if<bool>(&setting.value.value()))
      text += " " + (*on ? flag_of(setting.name) : off_flag_of(setting.name));
    else
      text += " " + flag_of(setting.name) + " " + shell_quote(cohort::typed(setting.value));
  }
  return text;
}

/// Whether somebody without a file counts as an empty mask, which a run alone can say.
bool has_absent(const cohort::CaseMaterial& material) {
  return material.counted.names.size() > material.one.raters.size() &&
         text_in(member(member(material.identity, "tables"), "missing")) == "empty";
}

/// From the folder of the data.
std::string command_of(const cohort::CaseMaterial& material) {
  if (has_absent(material))
    return "crema cohort run . -o RUN --missing empty --report" + settings_of(material.identity);
  std::string text = "crema report", methods;
  for (const cohort::RaterFile& file : material.one.raters) text += " " + shell_quote(file.path);
  for (const raters::Outcome& outcome : material.outcomes)
    methods += (methods.empty() ? "" : ",") + std::string(outcome.method().name);
  if (material.image != nullptr) text += " --image " + shell_quote(material.one.image);
  return text + " --methods " + methods + settings_of(material.identity) + " --case " +
         shell_quote(material.one.name) + " -o report.html";
}

std::vector<InputFact> inputs_of(const Json& inputs) {
  std::vector<InputFact> facts;
  for (const Json& input : list_in(inputs)) {
    if (text_in(member(input, "path")).empty()) continue;  // of somebody without a file
    facts.push_back(
        {std::string(text_in(member(input, "path"))), std::string(text_in(member(input, "sha256")))});
  }
  return facts;
}

/// The raters' files, for decisions; none where somebody has no file.
std::vector<InputFact> masks_of(const cohort::CaseMaterial& material, const std::vector<InputFact>& inputs) {
  std::vector<InputFact> masks;
  if (has_absent(material)) return masks;
  for (const cohort::RaterFile& file : material.one.raters) {
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const InputFact& one) { return one.path == file.path; });
    if (found == inputs.end()) return {};
    masks.push_back(*found);
  }
  return masks;
}

}  // namespace

std::string case_report(const cohort::CaseMaterial& material) {
  std::vector<const Method*> methods;
  for (const raters::Outcome& outcome : material.outcomes) methods.push_back(&outcome.method());
  report::PageFacts facts{.methods = methods_sentence(methods), .bibtex = bibtex(methods)};
  facts.command = command_of(material);
  facts.image = material.image;
  facts.run.raters = material.counted.names;
  facts.run.warnings = material.warnings;
  facts.run.inputs = inputs_of(material.inputs);
  facts.masks = masks_of(material, facts.run.inputs);
  facts.decided = raters::decided_settings(material.settings);
  if (const std::string engine = report::engine_name(); !engine.empty()) facts.engine = "../../" + engine;
  return report::make_page(material.counted, material.outcomes, material.settings, facts, material.one.name);
}

void write_engine(const cohort::RunFolder& folder, const std::filesystem::path& work) {
  const std::string name = report::engine_name();
  if (name.empty() || std::filesystem::exists(folder.path / name)) return;
  files::StagedSet staged(work / "engine");
  staged.put_text(folder.path / name, report::make_engine());
  staged.publish();
}

cohort::Thumbnail case_thumbnail(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes) {
  const std::optional<std::size_t> s = figure::most_disputed(counted);
  if (!s || outcomes.empty()) return {};
  return {plot::svg::base64(figure::make_thumbnail(counted, outcomes.front(), *s)), counted.label(*s)};
}

}  // namespace crema::cli
