// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/request.h"

#include "cli/shell/output.h"
#include "raters/facts.h"
#include "raters/memory.h"
#include "raters/segments.h"

namespace crema::cli {

void take_raters(CLI::App& app, Request& request) {
  take_files(app, {"RATER", "RATER...", "One mask per rater, 1 to 64 of them.", "Input"}, request.raters);
  take_group(app, request.settings, "Input");
}

void take_output(CLI::App& app, Request& request, const std::string& what) {
  const std::string group = "Output";
  take_text(app, {"--json", "FILE", what + " - is standard output.", group}, request.record);
  take_flag(app, {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", group},
            request.force);
  take_flag(app, {"-q,--quiet", "", "Print errors only. Warnings are still in the record.", group},
            request.quiet);
}

std::string method_choices() {
  std::string names;
  for (const Method& method : methods()) names += std::string(method.name) + "|";
  return names + "paper|all";
}

std::vector<const Method*> parse_methods(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& name : split(text, ',')) names.push_back(printable(trimmed(name)));
  return find_methods(names);
}

std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

Show show_of(const Request& request) { return request.quiet ? Show::never : Show::on_terminal; }

raters::Hooks hooks_of(Progress& progress, const Settings& settings) {
  return {.progress = [&progress](std::string_view stage,
                                  double share) { progress.update(std::string(stage), share); },
          .stop = raters::watch_memory(settings)};
}

raters::RaterFiles open(const Request& request, Session& session) {
  session.quiet = request.quiet;
  return raters::open_raters({request.raters.begin(), request.raters.end()}, request.settings);
}

files::OutputPlan plan_for(const Request& request, const std::vector<std::string>& more_inputs) {
  files::OutputPlan plan;
  for (const std::string& path : request.raters) plan.add_input(raters::split_input(path).file);
  for (const std::string& path : more_inputs) plan.add_input(path);
  for (const std::string& path : {request.settings.region_file, request.settings.like})
    if (!path.empty()) plan.add_input(path);
  return plan;
}

void add_record(files::OutputPlan& plan, const Request& request) {
  if (!request.record.empty() && request.record != "-") plan.add_text(request.record, "the record");
}

RunFacts facts_of(const Request& request, const Session& session, const raters::Case& counted,
                  const std::vector<std::string>& more_inputs) {
  RunFacts facts = facts_of(request, session, counted.names, more_inputs);
  facts.reading = counted.reading;
  facts.counting = counted.counting;
  return facts;
}

RunFacts facts_of(const Request& request, const Session& session, const std::vector<std::string>& raters,
                  const std::vector<std::string>& more_inputs) {
  RunFacts facts{
      .command = session.arguments, .raters = raters, .warnings = texts(session.warnings, Spelling::program)};
  if (!request.settings.provenance || request.record.empty()) return facts;
  std::vector<std::filesystem::path> inputs;
  for (const std::string& path : request.raters) inputs.push_back(raters::split_input(path).file);
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  if (!request.settings.region_file.empty()) inputs.emplace_back(request.settings.region_file);
  facts.inputs = raters::checksums(inputs);
  facts.date = raters::now();
  return facts;
}

void deliver(const Request& request, const std::string& text, const Json& record, files::OutputSet& outputs) {
  if (!request.record.empty() && request.record != "-") outputs.put_text(request.record, record_text(record));
  outputs.publish();
  if (request.record == "-") print(record_text(record));
  if (request.quiet) return;
  if (request.record == "-")
    say(text);
  else
    print(text);
}

}  // namespace crema::cli
