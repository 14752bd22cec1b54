// SPDX-License-Identifier: Apache-2.0
// itk_bench REPEATS RATER...: STAPLE on masks in memory, by crema and by ITK in turn, on the very same
// buffers. The maps are compared before anything is timed; seconds go to standard output as JSON.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crema/crema.h"
#include "test/itk/peer.h"

namespace {

namespace peer = crema::itk_peer;

constexpr double kClose = 1e-6;
constexpr int kThreads = 2;
constexpr int kOursPerTheirs = 5;  ///< ours is over too soon to be measured as rarely

/// Seconds that went by, and seconds of all threads on a processor: they tell how busy the machine was.
struct Times {
  std::vector<double> elapsed, processor;
};

template <class F>
void time(F work, Times& times) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t ticks = std::clock();
  work();
  times.processor.push_back(static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC);
  times.elapsed.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

std::string to_json(const Times& times) {
  return fmt::format("{{\"elapsed\": [{}], \"processor\": [{}]}}", fmt::join(times.elapsed, ", "),
                     fmt::join(times.processor, ", "));
}

crema::Consensus fuse(const peer::Masks& masks) {
  crema::Grid grid;
  grid.size = masks.size;
  grid.spacing = masks.spacing;
  crema::Options options;
  options.method = "staple";
  options.threads = kThreads;
  return crema::fuse(grid, masks.voxels, options);
}

double farthest(const crema::Consensus& ours, const peer::Staple& theirs) {
  const auto& levels = std::get<crema::SoftImage>(ours.image);
  double far = levels.size() == theirs.map.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(levels.size(), theirs.map.size()); ++i) {
    const double apart = std::abs(static_cast<double>(levels[i]) - theirs.map[i]);
    far = apart <= far ? far : apart;  // a NaN stays
  }
  return far;
}

void run(int repeats, const std::vector<std::filesystem::path>& raters) {
  const peer::Masks masks = peer::read(raters);
  const double far = farthest(fuse(masks), peer::staple(masks));
  if (!(far <= kClose))
    throw std::logic_error(fmt::format("the maps differ by up to {}; nothing was timed", far));
  Times ours, theirs;
  for (int r = 0; r < repeats; ++r) {
    time([&] { peer::staple(masks); }, theirs);
    for (int i = 0; i < kOursPerTheirs; ++i) time([&] { fuse(masks); }, ours);
  }
  fmt::print("{{\"size\": [{}], \"raters\": {}, \"difference\": {}, \"itk\": {}, \"crema\": {}}}\n",
             fmt::join(masks.size, ", "), masks.voxels.size(), far, to_json(theirs), to_json(ours));
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 2 ? std::atoi(argv[1]) : 0;
  if (repeats < 1) {
    fmt::print(stderr, "itk_bench REPEATS RATER...\n");
    return 2;
  }
  try {
    run(repeats, {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "itk_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
