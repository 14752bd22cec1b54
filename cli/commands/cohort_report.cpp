// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort_report.h"

#include "cli/shell/quote.h"
#include "crema/citation.h"
#include "report/report.h"

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

/// From the folder of the data.
std::string command_of(const cohort::CaseMaterial& material) {
  std::string text = "crema report", methods;
  for (const cohort::RaterFile& file : material.one.raters) text += " " + shell_quote(file.path);
  for (const raters::Outcome& outcome : material.outcomes)
    methods += (methods.empty() ? "" : ",") + std::string(outcome.method().name);
  return text + " --methods " + methods + settings_of(material.identity) + " --case " +
         shell_quote(material.one.name) + " -o report.html";
}

std::vector<InputFact> inputs_of(const Json& inputs) {
  std::vector<InputFact> facts;
  for (const Json& input : list_in(inputs))
    facts.push_back(
        {std::string(text_in(member(input, "path"))), std::string(text_in(member(input, "sha256")))});
  return facts;
}

}  // namespace

std::string case_report(const cohort::CaseMaterial& material) {
  std::vector<const Method*> methods;
  for (const raters::Outcome& outcome : material.outcomes) methods.push_back(&outcome.method());
  report::PageFacts facts{.methods = methods_sentence(methods), .bibtex = bibtex(methods)};
  facts.command = command_of(material);
  facts.run.raters = material.counted.names;
  facts.run.warnings = material.warnings;
  facts.run.inputs = inputs_of(material.inputs);
  const report::Findings findings =
      report::find_out(material.counted, material.outcomes, material.settings, material.one.name);
  return report::make_page(material.counted, findings, material.settings, facts);
}

}  // namespace crema::cli
