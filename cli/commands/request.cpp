// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/request.h"

#include "cli/shell/output.h"
#include "raters/open/facts.h"
#include "raters/open/segments.h"
#include "raters/run/memory.h"

namespace crema::cli {

void add_raters_option(Parser& app, Request& request) {
  add_files_option(app, {"RATER", "RATER...", "One mask per rater, 1 to 64 of them.", "Input"},
                   request.raters);
  add_setting_group(app, request.settings, "Input");
}

void add_output_option(Parser& app, Request& request, const std::string& what) {
  const std::string group = "Output";
  add_text_option(app, {"--json", "FILE", what + " - is standard output.", group}, request.record);
  add_flag(app, {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", group},
           request.force);
  add_flag(app, {"-q,--quiet", "", "Print errors only. Warnings are still in the record.", group},
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

raters::Case load(const Request& request, Session& session, const Loading& loading) {
  session.quiet = request.quiet;
  Progress progress(show_of(request));
  const std::vector<std::filesystem::path> paths(request.raters.begin(), request.raters.end());
  raters::Case counted = raters::load({.paths = paths,
                                       .settings = request.settings,
                                       .methods = loading.methods,
                                       .needs = loading.needs,
                                       .opened = loading.opened},
                                      hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  return counted;
}

files::OutputPlan plan_for(const Request& request, const std::vector<std::string>& more_inputs) {
  files::OutputPlan plan;
  for (const std::string& path : request.raters) plan.add_input(raters::split_input(path).file);
  for (const std::string& path : more_inputs) plan.add_input(raters::split_input(path).file);
  for (const std::string& path : named_files(request.settings))
    plan.add_input(raters::split_input(path).file);
  return plan;
}

void add_record(files::OutputPlan& plan, const Request& request) {
  if (!request.record.empty() && request.record != "-") plan.add_text(request.record, "the record");
}

RunFacts facts_of(const Request& request, const Session& session, const raters::Case& counted,
                  const std::vector<std::string>& more_inputs) {
  RunFacts facts{.command = session.arguments,
                 .raters = counted.names,
                 .warnings = spelled(session.warnings, Spelling::program)};
  facts.reading = counted.reading;
  facts.counting = counted.counting;
  if (!request.settings.provenance || request.record.empty()) return facts;
  std::vector<std::filesystem::path> inputs;
  for (const std::string& path : request.raters) inputs.push_back(raters::split_input(path).file);
  for (const std::string& path : more_inputs) inputs.push_back(raters::split_input(path).file);
  for (const std::string& path : {request.settings.region_file, request.settings.palette})
    if (!path.empty()) inputs.push_back(raters::split_input(path).file);
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
    say_lines(text);
  else
    print_lines(text);
}

}  // namespace crema::cli
