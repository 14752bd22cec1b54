// SPDX-License-Identifier: Apache-2.0
#include "cli/counting.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "cli/reading.h"
#include "cli/shell/arguments.h"
#include "cli/shell/stopwatch.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

Axis parse_axis(const std::string& text, const Grid& grid) {
  if (text == kAutomaticAxis) return default_slice_axis(grid);
  return text == "x" ? Axis::x : text == "y" ? Axis::y : Axis::z;
}

int thread_count(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check_count(std::size_t raters) {
  if (raters > static_cast<std::size_t>(kMaxRaters))
    throw InputError(fmt::format("{} raters were given, but at most {} can be fused; leave some out.", raters,
                                 kMaxRaters));
}

Loaded load(const RaterFiles& raters, const Counting& counting, int threads, Progress& progress) {
  const std::int64_t allowed = counting.read.max_memory > 0 ? counting.read.max_memory : default_memory();
  LoadOptions options;
  options.read = counting.read;
  const auto in_place = [](const files::Placement& placement) { return placement.identity; };
  const ReadingNeed need{
      .voxels = raters.headers.front().grid.voxels(),
      .raters = static_cast<int>(raters.headers.size()),
      .turned = !std::all_of(raters.placements.begin(), raters.placements.end(), in_place)};
  options.threads = affordable_threads(need, threads, allowed);
  options.progress = [&progress](double share) { progress.update("reading", share); };
  return read_votes(raters, options);
}

}  // namespace

void declare_raters(CLI::App& app, Counting& counting) {
  take_files(app, {"RATER", "RATER...", "One mask per rater, 1 to 64 of them.", "Input"}, counting.raters);
  declare_reading(app, counting.read);
}

void declare_neighbourhood(CLI::App& app, Counting& counting, const std::string& group) {
  take_choice(
      app,
      {"--connectivity", "4|8|6|18|26",
       "Which voxels touch: 4 or 8 in 2-D and slice-wise, 6, 18 or 26 in 3-D (default: 8 or 26).", group},
      [&counting](const std::string& text) {
        counting.connectivity = static_cast<int>(parse_whole(text, {4, 26}));
      });
  take(app,
       {"--slice-wise", "[x|y|z]",
        "Treat each slice across this axis as an image of its own (without a value: the axis of the largest "
        "spacing).",
        group},
       [&counting](const std::string& text) {
         if (text != kAutomaticAxis && text != "x" && text != "y" && text != "z")
           throw UsageError(fmt::format("{} is not one of x, y, z.", files::printable(text)));
         counting.slice_wise = text;
       });
}

void declare_limits(CLI::App& app, Counting& counting) {
  const std::string group = "Limits";
  take_whole(app,
             {"--threads", "N",
              "Use at most so many threads (default: one per core). The result is the same.", group},
             counting.threads, {1, 4096});
  take_flag(app,
            {"--low-memory", "",
             "Read one rater and measure one component after the other: slower, with the least memory. The "
             "result is the same.",
             group},
            counting.low_memory);
  take(app,
       {"--max-memory", "SIZE",
        "Refuse images that need more memory, such as 512M or 4G (default: three quarters of the machine's).",
        group},
       [&counting](const std::string& text) { counting.read.max_memory = parse_memory(text); });
}

RaterFiles open_raters(const Counting& counting) {
  check_count(counting.raters.size());
  RaterFiles raters = read_headers({counting.raters.begin(), counting.raters.end()}, counting.read);
  check_count(raters.headers.size());
  return raters;
}

Options counting_options(const Counting& counting, const Grid& grid, Progress& progress) {
  Options options;
  options.connectivity = counting.connectivity;
  options.threads = thread_count(counting.threads);
  if (counting.slice_wise) options.slice_wise = parse_axis(*counting.slice_wise, grid);
  options.progress = [&progress](double share) { progress.update("counting", share); };
  // Asked for its refusal: a connectivity that does not fit is told before any voxel is read.
  make_neighbourhood(grid, options.connectivity, options.slice_wise);
  return options;
}

Counted count(const RaterFiles& raters, const Counting& counting, Needs needs, const Options& wanted,
              Progress& progress) {
  Options options = wanted;
  if (counting.low_memory) options.threads = 1;
  const Stopwatch reading;
  Loaded loaded = load(raters, counting, options.threads, progress);
  Counted counted{.reduction = {}, .warnings = std::move(loaded.warnings), .reading = reading.seconds()};
  const Stopwatch watch;
  if (options.region.kind == Region::Kind::mask)
    if (const std::int64_t lost = loaded.votes.keep_inside(options.region.mask); lost > 0)
      counted.warnings.push_back(
          fmt::format("{} voxels that raters drew lie outside the region and count as outside.", lost));
  counted.reduction = reduce(raters.headers.front().grid, loaded.votes, needs, options);
  if (needs == Needs::neighbours) counted.reduction.votes = std::make_shared<Votes>(std::move(loaded.votes));
  counted.counting = watch.seconds();
  progress.erase();
  return counted;
}

}  // namespace crema::cli
