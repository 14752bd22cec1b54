// SPDX-License-Identifier: Apache-2.0
// LMSD and time of the four kinds of blocks on the phantoms: the paper's comparison of heuristics, with the
// true minimiser beside them. Answers are checked before they are printed: nothing may lie below the proven
// bound.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/programs/case.h"
#include "crema/crema.h"
#include "crema/phantom/phantom.h"
#include "crema/voxels/votes/votes.h"

namespace {

using namespace crema;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Timed {
  double lmsd, seconds;
  std::optional<double> lower_bound;
  std::size_t unproven;
};

Timed run(const Grid& grid, const Votes& votes, const Method& method, Options options, int repeats) {
  const Reduction reduction = reduce(grid, votes, Needs::distances, options);
  std::vector<double> seconds;
  Solution solution;
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    solution = solve(reduction, method, options);
    seconds.push_back(now() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return {solution.lmsd, seconds[seconds.size() / 2], solution.lower_bound, solution.unproven};
}

/// One line of the table; false when something lies below the bound.
bool report(const Grid& grid, const Votes& votes, const Method& method, int repeats, bool voxels) {
  Options options;
  options.threads = 1;
  options.blocks = Blocks::group;
  const Timed group = run(grid, votes, method, options, repeats);
  bool sound = *group.lower_bound <= group.lmsd;
  std::string line = fmt::format("{:<9}", method.name);
  for (const Blocks blocks : {Blocks::subcrown, Blocks::crown, Blocks::voxel}) {
    if (blocks == Blocks::voxel && !voxels) {
      line += fmt::format(" | {:>24}", "not run");
      continue;
    }
    options.blocks = blocks;
    const Timed timed = run(grid, votes, method, options, blocks == Blocks::voxel ? 1 : repeats);
    sound = sound && timed.lmsd >= *group.lower_bound;
    line += fmt::format(" | {:>12.8f} {:>8.1f} ms", timed.lmsd, timed.seconds * 1e3);
  }
  fmt::print("{} | {:>12.8f} {:>8.1f} ms | bound {:.8f}{}\n", line, group.lmsd, group.seconds * 1e3,
             *group.lower_bound,
             group.unproven == 0 ? "" : fmt::format(", {} components not proven", group.unproven));
  return sound;
}

}  // namespace

int main(int argc, char** argv) {
  std::string kind = "lesions";
  bool small = false, voxels = false;
  int repeats = 5;
  cli::Parser parser;
  cli::add_text_option(parser, {"--kind", "organ|lesions|cord", ""}, kind);
  cli::add_flag(parser, {"--small", "", ""}, small);
  cli::add_flag(parser, {"--voxels", "", ""}, voxels);
  cli::add_number_option(parser, {"--repeats", "N", ""}, repeats, {1, 1'000'000});
  bench::parse(parser, argc, argv);
  PhantomOptions phantom_options{.kind = parse_phantom_kind(kind)};
  phantom_options.size = phantom_size(phantom_options.kind, small ? PhantomSize::small : PhantomSize::full);
  const Phantom phantom = make_phantom(phantom_options);
  const Votes votes =
      take_votes(phantom.grid.voxels(), std::vector<Mask>(phantom.masks.begin(), phantom.masks.end()));
  fmt::print("{:<9} | {:>24} | {:>24} | {:>24} | {:>24} |\n", kind, "subcrown", "crown", "voxel", "group");
  bool sound = true;
  for (const Method& method : methods())
    if (method.aim == Aim::distance) sound = report(phantom.grid, votes, method, repeats, voxels) && sound;
  if (!sound) fmt::print("A criterion lies below the bound: one of the two is wrong.\n");
  return sound ? 0 : 1;
}
