// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/shell/command.h"
#include "cli/shell/progress.h"
#include "crema/records/records.h"
#include "files/plan.h"
#include "raters/run/run.h"

namespace crema::cli {

/// The options of every command that reads raters.
struct Request {
  std::vector<std::string> raters;
  Settings settings;
  std::string record;  ///< empty: none; "-": standard output
  bool force = false;
  bool quiet = false;

  [[nodiscard]] files::WriteOptions write() const { return {.overwrite = force}; }
};

/// The names of all methods, and of sets of them, as an option lists its words.
std::string method_choices();
/// Methods by name, separated by commas. Throws UsageError with the nearest name.
std::vector<const Method*> parse_methods(const std::string& text);

/// RATER..., and how files become masks.
void add_raters_option(Parser& app, Request& request);

/// --json, --force and --quiet. `what` says what the record holds.
void add_output_option(Parser& app, Request& request, const std::string& what);

/// "results/" names the folder "results".
std::filesystem::path without_slash(const std::filesystem::path& path);

/// Progress on the terminal, unless it is to be quiet.
Show show_of(const Request& request);
/// What the process takes is watched as well.
raters::Hooks hooks_of(Progress& progress, const Settings& settings);

/// What a command wants of its raters besides their counts.
struct Loading {
  std::vector<const Method*> methods = {};  ///< settings are checked against them
  Needs needs = Needs::groups;              ///< at least; methods may need more
  /// Called with the common grid before any voxel is read: outputs are planned here.
  std::function<void(const files::Header&)> opened = {};
};

/// From the command line to counts, with progress on the terminal; warnings go to the session.
raters::Case load(const Request& request, Session& session, const Loading& loading);

/// A plan that knows the inputs of a request and, where one was requested, its record.
files::OutputPlan plan_for(const Request& request, const std::vector<std::string>& more_inputs);
void add_record(files::OutputPlan& plan, const Request& request);

/// What a record says of the run; checksums are taken only where a record is to hold them.
RunFacts facts_of(const Request& request, const Session& session, const raters::Case& counted,
                  const std::vector<std::string>& more_inputs);

/// Prints the text, and the record where it was requested: on standard output the record alone, with the text
/// on standard error.
void deliver(const Request& request, const std::string& text, const Json& record, files::OutputSet& outputs);

}  // namespace crema::cli
