// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/shell/terminal.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/io/system/regular.h"
#include "raters/open/names.h"
#include "raters/open/segments.h"
#include "raters/run/adjudicate.h"
#include "raters/run/memory.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kApplyDescription =
    "Makes the final mask of an adjudicated case: fuses the raters as on the page, then applies each "
    "decision to the consensus. Undecided voxels keep the consensus. The file holds the SHA-256 of every "
    "input; decisions about other inputs are refused.\n\n"
    "A decision is about a component or a zone of it: accept (inside), reject (outside), keep (as in the "
    "consensus), rater (as that rater drew it) or majority (as more than half of the raters drew it); or "
    "about runs of voxels from a brush. Later decisions override earlier ones. docs/adjudicate.md describes "
    "the file.\n\n"
    "'--compare' takes only files of decisions and shows where adjudicators agree.";

struct ApplyRequest : Request {
  std::string decisions, output;
  bool compare = false;
};

constexpr std::int64_t kMaxBytes = 64 << 20;

/// With a stop, of which some sentences have one.
std::string ended(std::string sentence) {
  if (!sentence.ends_with('.') && !sentence.ends_with('?')) sentence += '.';
  return sentence;
}

/// Throws InputError that names the file.
Decisions read_decisions(const std::string& path) {
  const files::Regular file = files::open_regular(path);
  if (file.descriptor >= 0) ::close(file.descriptor);
  const std::string name = files::printable(path);
  if (file.size > kMaxBytes)
    throw InputError(fmt::format("{}: has {} bytes, but decisions take at most {}; it is another file.", name,
                                 file.size, kMaxBytes));
  const std::string text = files::read_text(path);
  try {
    return parse_decisions(text);
  } catch (const InputError& error) {
    throw InputError(name + ": " + ended(error.sentence.marked()));
  }
}

/// What concerns the decisions is about their file.
template <class Step>
auto about(const std::string& path, const Step& step) {
  try {
    return step();
  } catch (const UsageError&) {
    throw;
  } catch (const LabelsError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(files::printable(path) + ": " + ended(error.sentence.marked()));
  }
}

std::string place_words(const ComparedPlace& place) {
  std::string text = place.label.empty() ? "" : files::printable(place.label) + ", ";
  text += fmt::format("component {}", place.component + 1);
  if (place.zone) text += fmt::format(", zone {}", *place.zone);
  return text;
}

int compare_files(const ApplyRequest& request, Session& session) {
  if (!request.output.empty() || !request.record.empty())
    throw UsageError("--compare: prints a table alone; leave --output and --json out.");
  session.quiet = request.quiet;
  std::vector<std::string> paths{request.decisions};
  paths.insert(paths.end(), request.raters.begin(), request.raters.end());
  std::vector<Decisions> all;
  for (const std::string& path : paths) all.push_back(read_decisions(path));
  const std::vector<ComparedPlace> places = compare_decisions(all, paths);
  std::vector<Cells> rows{{"place"}};
  for (const std::string& name : raters::short_names(paths)) rows[0].push_back(files::printable(name));
  std::size_t shared = 0, same = 0;
  for (const ComparedPlace& place : places) {
    Cells cells{place_words(place)};
    std::size_t decided = 0;
    for (const std::string& action : place.actions) {
      cells.push_back(action.empty() ? "–" : action);
      decided += action.empty() ? 0U : 1U;
    }
    shared += decided > 1 ? 1U : 0U;
    same += decided > 1 && place.same ? 1U : 0U;
    if (!place.same || decided < paths.size()) rows.push_back(std::move(cells));
  }
  if (request.quiet) return kOk;
  print_lines(line("decided",
                   fmt::format("{}, {} of them by several", counted(std::ssize(places), "place"), shared)) +
              line("alike", fmt::format("{} of {}", same, shared)) +
              (rows.size() > 1 ? "\n" + table(rows, {.width = text_width(Stream::output)}) : ""));
  return kOk;
}

std::string applied_text(const ApplyRequest& request, const Decisions& decisions, const Applied& applied,
                         double seconds) {
  return line("decisions",
              fmt::format("{}, {} of them", files::printable(request.decisions), decisions.list.size())) +
         line("voxels", fmt::format("{} more and {} less than the consensus of {}", applied.added,
                                    applied.removed, decisions.method)) +
         line("written", files::printable(request.output)) + line("time", fmt::format("{:.2f} s", seconds));
}

Json applied_record(const ApplyRequest& request, const Decisions& decisions, const Applied& applied,
                    const RunFacts& run) {
  Json inputs = Json::array();
  for (const InputFact& input : run.inputs)
    inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
  return {{"command", run.command},
          {"output", request.output},
          {"added_voxels", applied.added},
          {"inputs", inputs},
          {"date", run.date},
          {"removed_voxels", applied.removed},
          {"decisions", to_json(decisions)}};
}

int run_apply(ApplyRequest request, Session& session) {
  const raters::Stopwatch watch;
  if (request.compare) return compare_files(request, session);
  if (request.output.empty()) throw UsageError("--output is missing; give -o final.nii.gz.");
  const Decisions decisions = read_decisions(request.decisions);
  const Settings limits = request.settings;
  request.settings = about(request.decisions, [&] { return raters::settings_of(decisions); });
  for (const std::string_view name : {"threads", "max_memory", "low_memory", "provenance"})
    if (was_given(limits, name)) {
      request.settings.options.threads = limits.options.threads;
      request.settings.max_memory = limits.max_memory;
      request.settings.low_memory = limits.low_memory;
      request.settings.provenance = limits.provenance;
    }
  const Method& method =
      about(request.decisions, [&]() -> const Method& { return raters::method_of(decisions); });
  std::vector<std::filesystem::path> paths;
  for (const std::string& path : request.raters) paths.push_back(raters::split_input(path).file);
  about(request.decisions, [&] { raters::check_inputs(decisions, paths); });
  files::OutputPlan plan;
  const raters::Case counted =
      load(request, session,
           {.methods = {&method}, .needs = Needs::distances, .opened = [&](const files::Header& reference) {
              plan = plan_for(request, {request.decisions});
              plan.add_image(request.output, reference.grid);
              add_record(plan, request);
              plan.check(request.write());
            }});
  const raters::Adjudicated result = about(request.decisions, [&] {
    return raters::adjudicate(counted, decisions, request.settings, request.output, session.warnings);
  });
  const MadeFolders folder(plan.missing_folders());
  files::OutputSet outputs(request.write());
  append(session.warnings, outputs.put_image(request.output, result.picture.image, result.picture.reference));
  const RunFacts run = facts_of(request, session, counted, {request.decisions});
  deliver(request, applied_text(request, decisions, result.applied, watch.seconds()),
          applied_record(request, decisions, result.applied, run), outputs);
  return kOk;
}

Run declare_apply(Parser& app) {
  auto request = std::make_shared<ApplyRequest>();
  add_text_option(app, {"DECISIONS", "DECISIONS", "The decisions, as saved by the page.", "Input"},
                  request->decisions)
      .required();
  add_files_option(
      app,
      {"RATER", "RATER...", "The masks of the page, in its order; with --compare more decisions.", "Input"},
      request->raters);
  add_text_option(app, {"-o,--output", "FILE", "The final mask.", "Output"}, request->output);
  add_flag(app, {"--compare", "", "Compare files of decisions about one case.", "Output"}, request->compare);
  add_output_option(app, *request, "Write the decisions, inputs and outcome as a record;");
  add_settings(app, request->settings, {"provenance"});
  add_setting_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_apply(*request, session); };
}

}  // namespace

Command apply_command() {
  return {"apply",
          "Make the final mask of an adjudicated case",
          {{"what was decided on a page", "crema apply decisions.json rater-*.nii.gz -o final.nii.gz"},
           {"where two adjudicators differ", "crema apply --compare first.json second.json"}},
          kApplyDescription,
          declare_apply};
}

}  // namespace crema::cli
