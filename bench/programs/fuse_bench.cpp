// SPDX-License-Identifier: Apache-2.0
// Masks in memory to consensus in memory, stage by stage. Goal: the scan of the masks (votes) is the largest
// stage. Answers are compared before anything is timed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bench/programs/case.h"
#include "bench/programs/stages.h"

namespace {

using namespace crema;
using namespace crema::bench;

struct BenchSettings {
  std::vector<std::string> kinds{"organ", "lesions"};
  CaseOptions chosen;
  std::vector<std::string> methods{"jaccard"};
  std::vector<int> threads{1, 2};
  int repeats = 7;
};

/// Milliseconds of each stage, and of fuse() as a whole, for one number of threads.
struct Column {
  int threads;
  std::vector<double> ms;
};

/// The stages must paint what fuse() paints, for each number of threads; a fast wrong answer is not timed.
void compare_answers(const Grid& grid, std::span<const Mask> masks, Options options,
                     const BenchSettings& requested) {
  options.threads = 1;
  const Consensus expected = fuse(grid, masks, options);
  for (const int threads : requested.threads) {
    options.threads = threads;
    const Consensus whole = fuse(grid, masks, options);
    const Consensus staged = time_stages(grid, masks, options).consensus;
    if (whole.image != expected.image || staged.image != expected.image ||
        whole.solution.lmsd != expected.solution.lmsd || staged.solution.lmsd != expected.solution.lmsd)
      throw std::logic_error(fmt::format("answers differ with {} threads; nothing was timed", threads));
  }
}

Column measure(const Grid& grid, std::span<const Mask> masks, const Options& options, int repeats) {
  std::vector<std::vector<double>> samples(kStages.size() + 1);
  for (int r = 0; r < repeats; ++r) {
    const StagedRun run = time_stages(grid, masks, options);
    for (std::size_t s = 0; s < kStages.size(); ++s) samples[s].push_back(run.ms[s]);
  }
  for (int r = 0; r < repeats; ++r) {
    Consensus consensus;  // what it holds is given back outside the time
    samples.back().push_back(time_ms([&] { consensus = fuse(grid, masks, options); }));
  }
  Column column{.threads = options.threads, .ms = {}};
  for (const auto& sample : samples) column.ms.push_back(median(sample));
  return column;
}

void print_row(std::string_view name, std::size_t row, const std::vector<Column>& columns, double mega) {
  fmt::print("  {:<12}", name);
  double fastest = 0;
  for (const Column& column : columns) {
    const double speed = mega / column.ms[row] * 1000;
    fastest = std::max(fastest, speed);
    fmt::print("{:>11.2f}{:>11.0f}", column.ms[row], speed);
  }
  if (row < kGoals.size())
    fmt::print("{:>11.0f}  {}", kGoals[row], fastest >= kGoals[row] ? "met" : "missed");
  fmt::print("\n");
}

void print_table(const std::vector<Column>& columns, double mega) {
  fmt::print("  {:<12}", "");
  for (const Column& column : columns)
    fmt::print("{:>22}", fmt::format("{} thread{}", column.threads, column.threads == 1 ? "" : "s"));
  fmt::print("\n  {:<12}", "stage");
  for (std::size_t c = 0; c < columns.size(); ++c) fmt::print("{:>11}{:>11}", "ms", "Mvoxel/s");
  fmt::print("{:>11}\n", "goal");
  for (std::size_t s = 0; s < kStages.size(); ++s) print_row(kStages[s], s, columns, mega);
  print_row("fuse, whole", kStages.size(), columns, mega);
  for (const Column& column : columns) {
    const auto largest = std::max_element(column.ms.begin(), column.ms.end() - 1) - column.ms.begin();
    fmt::print(
        "  goal with {} thread{}, votes is the largest stage: {}\n", column.threads,
        column.threads == 1 ? "" : "s",
        largest == 0 ? "met" : fmt::format("missed, {} is", kStages[static_cast<std::size_t>(largest)]));
  }
}

void bench_phantom(const std::string& name, const std::string& method, const BenchSettings& requested) {
  CaseOptions chosen = requested.chosen;
  chosen.kind = name;
  const Case phantom = make_case(chosen);
  const auto drawn = draw_all(phantom);
  const std::vector<Mask> masks(drawn.begin(), drawn.end());
  const auto& size = phantom.grid.size;
  Options options;
  options.method = method;
  compare_answers(phantom.grid, masks, options, requested);
  const double mega = static_cast<double>(phantom.grid.voxels()) / 1e6;
  fmt::print("{} {}×{}×{}, {} raters, {:.1f} Mvoxel, {}; medians of {}\n", name, size[0], size[1], size[2],
             masks.size(), mega, method, requested.repeats);
  std::vector<Column> columns;
  for (const int threads : requested.threads) {
    options.threads = threads;
    columns.push_back(measure(phantom.grid, masks, options, requested.repeats));
  }
  print_table(columns, mega);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("  peak memory of this program so far: {:.0f} MB, the masks of this phantom being {:.0f} MB\n\n",
             static_cast<double>(usage.ru_maxrss) / 1024,
             mega * 1e6 * static_cast<double>(masks.size()) / 1048576);
}

}  // namespace

int main(int argc, char** argv) {
  BenchSettings requested;
  cli::Parser parser;
  cli::take(parser, {"--kind", "KINDS", ""},
            [&](const std::string& text) { requested.kinds = split(text, ','); });
  declare(parser, requested.chosen);
  cli::take(parser, {"--method", "METHODS", ""},
            [&](const std::string& text) { requested.methods = split(text, ','); });
  cli::take(parser, {"--threads", "N,...", ""}, [&](const std::string& text) {
    requested.threads.clear();
    for (const std::string& one : split(text, ','))
      requested.threads.push_back(static_cast<int>(parse_whole(one, {1, 1024})));
  });
  cli::add_number_option(parser, {"--repeats", "N", ""}, requested.repeats, {1, 1'000'000});
  parse(parser, argc, argv);
  try {
    for (const auto& kind : requested.kinds)
      for (const auto& method : requested.methods) bench_phantom(kind, method, requested);
  } catch (const std::exception& error) {
    fmt::print(stderr, "crema_bench: {}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
