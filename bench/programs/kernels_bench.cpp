// SPDX-License-Identifier: Apache-2.0
// crema_kernels FOLDER: runs each hot kernel once on a small phantom, on one thread, and asks callgrind to
// count that kernel's instructions alone; bench/instructions.py reads the counts. --about says what the
// counts depend on besides the sources. Without valgrind's header it exits with 77.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "bench/programs/case.h"
#include "bench/programs/stages.h"
#include "crema/base/parallel.h"
#include "files/files.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define CREMA_HEADER_FOUND true
#else
#define CREMA_HEADER_FOUND false
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)
#endif

namespace {

using namespace crema;
using namespace crema::bench;
namespace fs = std::filesystem;

constexpr bool kHeaderFound = CREMA_HEADER_FOUND;
constexpr int kSkipped = 77;
#ifdef NDEBUG
constexpr std::string_view kBuild = "optimised";
#else
constexpr std::string_view kBuild = "with assertions";
#endif

/// Counts the work under that name; the number of voxels goes to standard output.
void count(const std::string& name, std::int64_t voxels, const std::function<void()>& work) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  work();
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
  fmt::print("{} {}\n", name, voxels);
}

struct Subject {
  std::string name;
  CaseOptions chosen;
  std::string_view method;
  int connectivity;
};

void count_stages(const Subject& subject) {
  const Case sample = make_case(subject.chosen);
  std::vector<std::vector<std::uint8_t>> drawn;
  // Threads that wait for work count too, so that there must be none.
  with_threads(1, [&] { drawn = draw_all(sample); });
  const std::vector<Mask> masks(drawn.begin(), drawn.end());
  Options options;
  options.method = subject.method;
  options.connectivity = subject.connectivity;
  options.threads = 1;
  // Once uncounted: what is set up at the first use is not the kernels'.
  const auto plainly = [](std::size_t, const std::function<void()>& work) { work(); };
  run_stages(sample.grid, masks, options, plainly);
  run_stages(sample.grid, masks, options, [&](std::size_t stage, const std::function<void()>& work) {
    count(fmt::format("{} {}", subject.name, kStages[stage]), sample.grid.voxels(), work);
  });
}

void count_files(const fs::path& folder) {
  const Case sample = make_case({.kind = "lesions", .size = "small"});
  files::Header header;
  header.grid = sample.grid;
  header.positioned = true;
  const Image image = image_of(sample, 0);
  const fs::path path = folder / "mask.nii.gz";
  files::write_image(path, image, header, {.overwrite = true});
  files::read_mask(files::read_header(path));
  count("write", sample.grid.voxels(), [&] { files::write_image(path, image, header, {.overwrite = true}); });
  count("read", sample.grid.voxels(), [&] { files::read_mask(files::read_header(path)); });
}

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {"organ jaccard", {.kind = "organ", .size = "small"}, "jaccard", 26},
      {"lesions jaccard", {.kind = "lesions", .size = "small"}, "jaccard", 26},
      {"organ tanimoto, 6 neighbours", {.kind = "organ", .size = "small"}, "tanimoto", 6},
      {"lesions of 20 raters", {.kind = "lesions", .size = "small", .raters = 20}, "dice", 26},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (!kHeaderFound) {
    std::cout << "valgrind's header was not found when this was built (Debian: valgrind)\n";
    return kSkipped;
  }
  if (argc != 2) {
    std::cerr << "crema_kernels FOLDER | --about\n";
    return 2;
  }
  if (std::string_view(argv[1]) == "--about") {
    fmt::print("{} {}, {}\n", __VERSION__, "x86-64", kBuild);
    return 0;
  }
  try {
    for (const Subject& subject : subjects()) count_stages(subject);
    count_files(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "crema_kernels: {}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
