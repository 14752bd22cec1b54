// SPDX-License-Identifier: Apache-2.0
#include "cli/fuse_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/exit.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "crema/agreement/record.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

using Json = nlohmann::ordered_json;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What the steps of one run hand on to each other.
struct Work {
  const FuseRequest& request;
  Session& session;
  Stopwatch watch;
  RaterFiles raters;
  Places places;
  Options options;
  Shared shared;

  [[nodiscard]] const files::Header& reference() const { return raters.headers.front(); }
  void note(const std::vector<std::string>& notes) {
    session.notices.insert(session.notices.end(), notes.begin(), notes.end());
  }
};

void check_count(std::size_t raters) {
  if (raters > static_cast<std::size_t>(kMaxRaters))
    throw InputError(fmt::format("{} raters were given, but at most {} can be fused; leave some out.", raters,
                                 kMaxRaters));
}

Axis parse_axis(const std::string& text, const Grid& grid) {
  if (text == kAutomaticAxis) return default_slice_axis(grid);
  return text == "x" ? Axis::x : text == "y" ? Axis::y : Axis::z;
}

int thread_count(const FuseRequest& request) {
  return request.threads > 0 ? request.threads
                             : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Options core_options(const FuseRequest& request, const Grid& grid, Progress& progress) {
  Options options;
  options.connectivity = request.connectivity;
  options.tie = request.tie;
  options.threads = thread_count(request);
  if (request.slice_wise) options.slice_wise = parse_axis(*request.slice_wise, grid);
  options.progress = [&progress](double share) { progress.update("counting", share); };
  // Asked for its refusal: a connectivity that does not fit is told before any voxel is read.
  make_neighbourhood(grid, options.connectivity, options.slice_wise);
  return options;
}

Loaded load(Work& work, Progress& progress) {
  const std::int64_t allowed =
      work.request.read.max_memory > 0 ? work.request.read.max_memory : default_memory();
  LoadOptions options;
  options.read = work.request.read;
  options.threads =
      affordable_threads(work.reference().grid.voxels(), static_cast<int>(work.raters.headers.size()),
                         work.options.threads, allowed);
  options.progress = [&progress](double share) { progress.update("reading", share); };
  return read_votes(work.raters, options);
}

Needs strongest_needs(const std::vector<const Method*>& methods) {
  const bool distances = std::any_of(methods.begin(), methods.end(),
                                     [](const Method* method) { return method->needs == Needs::distances; });
  return distances ? Needs::distances : Needs::groups;
}

/// The votes live no longer than this call.
Reduction count(Work& work, Progress& progress) {
  const Stopwatch reading;
  const Loaded loaded = load(work, progress);
  work.note(loaded.notes);
  work.shared.reading = reading.seconds();
  const Stopwatch counting;
  Reduction reduction =
      reduce(work.reference().grid, loaded.votes, strongest_needs(work.request.methods), work.options);
  work.shared.counting = counting.seconds();
  return reduction;
}

Outcome solve_one(Work& work, const Reduction& reduction, std::size_t m) {
  const Stopwatch watch;
  Options options = work.options;
  options.method = work.request.methods[m]->name;
  Outcome outcome{solve(reduction, *work.request.methods[m], options), work.places.images[m], 0};
  const Image image = paint(reduction, outcome.solution, options);
  work.note(files::write_image(outcome.image, image, work.reference(), {.overwrite = work.request.force}));
  outcome.seconds = watch.seconds();
  return outcome;
}

/// An empty folder is not left behind when nothing could be written into it.
std::vector<Outcome> solve_all(Work& work, const Reduction& reduction) {
  if (work.places.folder) make_folder(*work.places.folder);
  std::vector<Outcome> outcomes;
  try {
    for (std::size_t m = 0; m < work.request.methods.size(); ++m)
      outcomes.push_back(solve_one(work, reduction, m));
  } catch (...) {
    std::error_code ignored;
    if (work.places.folder) std::filesystem::remove(*work.places.folder, ignored);
    throw;
  }
  return outcomes;
}

std::string record_of(const Work& work, const Reduction& reduction, const Outcome& outcome) {
  Record record;
  record.command = work.session.arguments;
  record.files = work.request.raters;
  record.notes = work.session.notices;
  record.output = outcome.image.string();
  record.seconds = work.shared.reading + work.shared.counting + outcome.seconds;
  Options options = work.options;
  options.method = outcome.solution.method->name;
  return to_json(record, reduction, outcome.solution, options);
}

/// One method: its record. Several: an object with the version, the command and the list of their records.
std::string record_text(const Work& work, const Reduction& reduction, const std::vector<Outcome>& outcomes) {
  if (outcomes.size() == 1) return record_of(work, reduction, outcomes.front()) + "\n";
  Json json;
  json["crema"] = version();
  json["command"] = work.session.arguments;
  json["results"] = Json::array();
  for (const Outcome& outcome : outcomes)
    json["results"].push_back(Json::parse(record_of(work, reduction, outcome)));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_record(const Work& work, const std::string& text) {
  if (*work.places.record == "-") return print(text);
  files::write_text(*work.places.record, text, {.overwrite = work.request.force});
}

Work prepare_work(const FuseRequest& request, Session& session, Progress& progress) {
  check_count(request.raters.size());
  const std::vector<std::filesystem::path> paths(request.raters.begin(), request.raters.end());
  Work work{request, session, {}, read_headers(paths, request.read), {}, {}, {}};
  work.note(work.raters.notes);
  if (paths.size() == 1)
    work.note(
        {fmt::format("{}: the only rater; the consensus is this mask.", files::printable(paths.front()))});
  work.options = core_options(request, work.reference().grid, progress);
  const Wishes wishes{request.output, request.record, {.overwrite = request.force}};
  work.places = choose_places(wishes, request.methods, work.reference(), paths);
  return work;
}

}  // namespace

int run_fuse(const FuseRequest& request, Session& session) {
  session.quiet = request.quiet;
  Progress progress(request.quiet ? Show::never : Show::on_terminal);
  Work work = prepare_work(request, session, progress);
  const Reduction reduction = count(work, progress);
  progress.erase();
  if (!request.quiet) say(summary_head(work.raters.headers, reduction));
  const std::vector<Outcome> outcomes = solve_all(work, reduction);
  if (work.places.record) write_record(work, record_text(work, reduction, outcomes));
  progress.erase();
  if (!request.quiet) say(summary_methods(outcomes, work.reference(), work.shared, work.watch.seconds()));
  return kOk;
}

}  // namespace crema::cli
