// SPDX-License-Identifier: Apache-2.0
// crema_serve: keeps the masks of a case in memory and runs once for each line it reads, so that another
// program can be timed in turn with it. A line is "fuse THREADS METHOD", "stages THREADS METHOD" or
// "paper THREADS", which tallies once and then solves and paints the paper's ten methods. Each answer is one
// line of JSON, times in milliseconds. The stages must give what fuse() gives, or nothing is timed.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "bench/programs/case.h"
#include "bench/programs/stages.h"
#include "crema/base/parallel.h"
#include "crema/voxels/votes/votes.h"

namespace {

using namespace crema;
using namespace crema::bench;

struct Held {
  Grid grid;
  std::vector<std::vector<std::uint8_t>> drawn;
  std::vector<Mask> masks;
};

std::string facts(const Consensus& consensus) {
  return fmt::format("\"found\": {}, \"lmsd\": {:.17g}, \"voxels\": {}",
                     consensus.reduction.components.list.size(), consensus.solution.lmsd,
                     consensus.solution.voxels);
}

std::string answer_fuse(const Held& held, const Options& options) {
  Consensus consensus;
  const double ms = time_ms([&] { consensus = fuse(held.grid, held.masks, options); });
  return fmt::format("{{\"ms\": {:.4f}, {}}}", ms, facts(consensus));
}

std::string answer_stages(const Held& held, const Options& options) {
  const StagedRun run = time_stages(held.grid, held.masks, options);
  std::string text;
  double sum = 0;
  for (std::size_t s = 0; s < kStages.size(); ++s) {
    text += fmt::format("\"{}\": {:.4f}, ", kStages[s], run.ms[s]);
    sum += run.ms[s];
  }
  return fmt::format("{{\"ms\": {:.4f}, {}{}}}", sum, text, facts(run.consensus));
}

std::string answer_paper(const Held& held, Options options) {
  Reduction reduction;
  const double tallied = time_ms([&] {
    std::optional<Votes> votes;
    with_threads(options.threads, [&] { votes = take_votes(held.grid.voxels(), held.masks); });
    reduction = reduce(held.grid, std::move(*votes), Needs::distances, options);
  });
  double solved = 0, painted = 0;
  int count = 0;
  for (const Method& method : methods()) {
    if (method.origin != Origin::paper) continue;
    ++count;
    options.method = method.name;
    Solution solution;
    Image image;
    solved += time_ms([&] { solution = solve(reduction, method, options); });
    painted += time_ms([&] { image = paint(reduction, solution, options); });
  }
  return fmt::format(
      "{{\"ms\": {:.4f}, \"tallied\": {:.4f}, \"solved\": {:.4f}, \"painted\": {:.4f}, "
      "\"methods\": {}}}",
      tallied + solved + painted, tallied, solved, painted, count);
}

std::string answer(const Held& held, const std::string& line) {
  std::istringstream words(line);
  std::string what, method = "jaccard";
  Options options;
  words >> what >> options.threads >> method;
  options.method = method;
  if (what == "fuse") return answer_fuse(held, options);
  if (what == "stages") return answer_stages(held, options);
  if (what == "paper") return answer_paper(held, options);
  throw UsageError(fmt::format("\"{}\" is not fuse, stages or paper with a number of threads", line));
}

/// The number of each voxel's component, from 1, as 32-bit numbers in raster order; and a check of the
/// stages.
void write_labels(const Held& held, const std::string& path) {
  const Consensus staged = time_stages(held.grid, held.masks, {}).consensus;
  if (staged.image != fuse(held.grid, held.masks, {}).image)
    throw std::logic_error("the stages and fuse() differ; nothing is timed");
  const Components& components = staged.reduction.components;
  std::vector<std::uint32_t> labels(static_cast<std::size_t>(held.grid.voxels()));
  std::uint32_t number = 0;
  for (const Component& component : components.list) {
    ++number;
    for (const Run& run : components.runs_of(component))
      std::fill_n(labels.begin() + run.first, run.length, number);
  }
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(labels.data()),
             static_cast<std::streamsize>(labels.size() * sizeof(std::uint32_t)));
  if (!file.flush()) throw FileError(path + ": could not be written");
}

Held hold(const CaseOptions& chosen) {
  const Case sample = make_case(chosen);
  Held held{sample.grid, draw_all(sample), {}};
  held.masks.assign(held.drawn.begin(), held.drawn.end());
  return held;
}

}  // namespace

int main(int argc, char** argv) {
  CaseOptions chosen;
  std::string labels;
  cli::Parser parser;
  cli::add_text_option(parser, {"--kind", "organ|lesions|cord", ""}, chosen.kind);
  declare(parser, chosen);
  cli::add_text_option(parser, {"--labels", "FILE", ""}, labels);
  bench::parse(parser, argc, argv);
  try {
    const Held held = hold(chosen);
    if (!labels.empty()) write_labels(held, labels);
    fmt::print("{{\"size\": [{}, {}, {}], \"raters\": {}}}\n", held.grid.size[0], held.grid.size[1],
               held.grid.size[2], held.masks.size());
    std::fflush(stdout);
    for (std::string line; std::getline(std::cin, line);) {
      fmt::print("{}\n", answer(held, line));
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "crema_serve: {}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
