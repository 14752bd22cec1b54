// SPDX-License-Identifier: Apache-2.0
// itk_bench staple|voting REPEATS RATER...: STAPLE, or majority and label voting, on masks in memory, by
// crema and by ITK in turn, on the very same buffers. Answers are compared before anything is timed; seconds
// go to standard output as JSON.
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

crema::Consensus fuse(const peer::Masks& masks, std::string_view method) {
  crema::Grid grid;
  grid.size = masks.size;
  grid.spacing = masks.spacing;
  crema::Options options;
  options.method = method;
  options.threads = kThreads;
  return crema::fuse(grid, masks.voxels, options);
}

/// The largest difference between two images; infinite for other sizes, and a NaN stays.
template <class Ours, class Theirs>
double farthest(const Ours& ours, const Theirs& theirs) {
  double far = ours.size() == theirs.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    const double apart = std::abs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i]));
    far = apart <= far ? far : apart;
  }
  return far;
}

double staples_apart(const peer::Masks& masks) {
  return farthest(std::get<crema::SoftImage>(fuse(masks, "staple").image), peer::staple(masks).map);
}

double votes_apart(const peer::Masks& masks) {
  return farthest(std::get<crema::HardImage>(fuse(masks, "majority").image), peer::vote(masks).mask);
}

void run(bool voting, int repeats, const std::vector<std::filesystem::path>& raters) {
  const peer::Masks masks = peer::read(raters);
  const double far = voting ? votes_apart(masks) : staples_apart(masks);
  if (!(far <= kClose))
    throw std::logic_error(fmt::format("the answers differ by up to {}; nothing was timed", far));
  Times ours, theirs;
  for (int r = 0; r < repeats; ++r) {
    time([&] { voting ? static_cast<void>(peer::vote(masks)) : static_cast<void>(peer::staple(masks)); },
         theirs);
    for (int i = 0; i < kOursPerTheirs; ++i) time([&] { fuse(masks, voting ? "majority" : "staple"); }, ours);
  }
  fmt::print("{{\"size\": [{}], \"raters\": {}, \"difference\": {}, \"itk\": {}, \"crema\": {}}}\n",
             fmt::join(masks.size, ", "), masks.voxels.size(), far, to_json(theirs), to_json(ours));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 3 ? argv[1] : "";
  const int repeats = argc > 3 ? std::atoi(argv[2]) : 0;
  if (repeats < 1 || (what != "staple" && what != "voting")) {
    fmt::print(stderr, "itk_bench staple|voting REPEATS RATER...\n");
    return 2;
  }
  try {
    run(what == "voting", repeats, {argv + 3, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "itk_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
