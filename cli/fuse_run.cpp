// SPDX-License-Identifier: Apache-2.0
#include "cli/fuse_run.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/fuse_checks.h"
#include "cli/fuse_record.h"
#include "cli/places.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/stopwatch.h"
#include "cli/text/summary.h"
#include "cli/text/weights.h"
#include "crema/agreement/warnings.h"

namespace crema::cli {
namespace {

/// What the steps of one run hand on to each other.
struct Work {
  const FuseRequest& request;
  Session& session;
  Stopwatch watch;
  RaterFiles raters;
  Places places;
  Options options;
  Shared shared;
  std::vector<std::uint8_t> region;  ///< the options borrow it

  [[nodiscard]] const files::Header& reference() const { return raters.headers.front(); }
  void note(const Warnings& warnings) {
    session.warnings.insert(session.warnings.end(), warnings.begin(), warnings.end());
  }
};

Options fuse_options(const FuseRequest& request, const Grid& grid, Progress& progress) {
  Options options = counting_options(request.counting, grid, progress);
  options.blocks = request.blocks.value_or(Blocks::subcrown);
  options.weights = request.weights;
  options.empty_test = request.no_empty_test ? EmptyTest::skip : EmptyTest::apply;
  options.budget = budget_of(request.budget);
  apply(request.estimate, options);
  options.tie = request.tie.value_or(options.tie);
  return options;
}

Needs strongest_needs(const std::vector<const Method*>& methods) {
  Needs strongest = Needs::groups;
  for (const Method* method : methods) strongest = std::max(strongest, method->needs);
  return strongest;
}

Reduction reduce_raters(Work& work, Progress& progress) {
  Counted counted = count(work.raters, work.request.counting, strongest_needs(work.request.methods),
                          work.options, progress);
  work.note(counted.warnings);
  work.note(warnings_about_raters(counted.reduction));
  work.shared = {counted.reading, counted.counting};
  return std::move(counted.reduction);
}

/// The options of one method, with the weights found for it where a search was asked for.
Outcome prepare_outcome(const Work& work, const Reduction& reduction, const Method& method) {
  Outcome outcome;
  outcome.options = work.options;
  outcome.options.method = method.name;
  if (method.heeds != Heeds::weights) {
    outcome.options.weights.clear();
  } else if (work.request.weight_source == WeightSource::search) {
    outcome.search = find_weights(reduction, method, outcome.options);
    outcome.options.weights = outcome.search->weights;
  }
  if (work.request.certify && method.aim == Aim::distance) outcome.options.certify = Certify::yes;
  if (method.kind == Kind::soft) outcome.threshold = work.request.threshold_output;
  return outcome;
}

/// Soft levels as a mask of what lies above the threshold, where one was given; the tie policy has what lies
/// at it.
Image cut(Image image, std::optional<double> threshold, Tie tie) {
  const auto* const soft = std::get_if<SoftImage>(&image);
  if (soft == nullptr || !threshold) return image;
  HardImage mask(soft->size());
  std::transform(
      soft->begin(), soft->end(), mask.begin(), [t = static_cast<float>(*threshold), tie](float level) {
        return static_cast<std::uint8_t>(level > t || (level == t && tie == Tie::foreground) ? 1 : 0);
      });
  return mask;
}

Outcome solve_one(Work& work, const Reduction& reduction, std::size_t m) {
  const Stopwatch watch;
  const Method& method = *work.request.methods[m];
  Outcome outcome = prepare_outcome(work, reduction, method);
  outcome.solution = solve(reduction, method, outcome.options);
  outcome.image = work.places.images[m];
  if (outcome.search)
    if (std::string reason = doubt(*outcome.search, outcome.solution); !reason.empty()) work.note({reason});
  work.note(warnings_about_estimate(reduction, outcome.solution));
  const Image image =
      cut(paint(reduction, outcome.solution, outcome.options), outcome.threshold, work.options.tie);
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

void write_record(const Work& work, const Reduction& reduction, const std::vector<Outcome>& outcomes) {
  const std::string text =
      record_text(work.session, rater_names(work.raters), work.shared, reduction, outcomes);
  if (*work.places.record == "-") return print(text);
  files::write_text(*work.places.record, text, {.overwrite = work.request.force});
}

Work prepare_work(const FuseRequest& request, Session& session, Progress& progress) {
  const Warnings warnings = check_request(request);
  Work work{request, session, {}, open_raters(request.counting), {}, {}, {}, {}};
  check_weights(request.weights, work.raters.headers.size());
  work.note(work.raters.warnings);
  work.note(warnings);
  std::vector<std::filesystem::path> paths(request.counting.raters.begin(), request.counting.raters.end());
  if (!request.estimate.region_file.empty()) paths.emplace_back(request.estimate.region_file);
  if (work.raters.headers.size() == 1)
    work.note({fmt::format("{}: the only rater; the consensus is this mask.",
                           files::printable(rater_names(work.raters).front()))});
  work.options = fuse_options(request, work.reference().grid, progress);
  if (!request.estimate.region_file.empty()) {
    RegionFile region = read_region(request.estimate.region_file, work.reference(), request.counting.read);
    work.note(region.warnings);
    work.region = std::move(region.mask);
    work.options.region.mask = work.region;
  }
  const Wishes wishes{request.output, request.record, {.overwrite = request.force}, request.threshold_output};
  work.places = choose_places(wishes, request.methods, work.reference(), paths);
  return work;
}

}  // namespace

int run_fuse(const FuseRequest& request, Session& session) {
  session.quiet = request.quiet;
  Progress progress(request.quiet ? Show::never : Show::on_terminal);
  Work work = prepare_work(request, session, progress);
  const Reduction reduction = reduce_raters(work, progress);
  if (!request.quiet) say(summary_head(work.raters.headers, reduction));
  const std::vector<Outcome> outcomes = solve_all(work, reduction);
  if (work.places.record) write_record(work, reduction, outcomes);
  if (!request.quiet) say(summary_methods(outcomes, work.reference(), work.shared, work.watch.seconds()));
  return kOk;
}

}  // namespace crema::cli
