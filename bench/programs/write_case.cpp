// SPDX-License-Identifier: Apache-2.0
// crema_case DIR: writes rater-1.nii.gz … of a case that `crema demo` has no options for: a number of
// lesions, more background, sizes of which not all masks fit in memory.
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "bench/programs/case.h"
#include "files/files.h"

namespace {

using namespace crema;

void write(const bench::CaseOptions& chosen, const std::filesystem::path& folder) {
  const bench::Case sample = bench::make_case(chosen);
  files::Header header;
  header.grid = sample.grid;
  header.positioned = true;
  std::filesystem::create_directories(folder);
  for (int rater = 0; rater < sample.raters; ++rater)
    files::write_image(folder / fmt::format("rater-{:02}.nii.gz", rater + 1), bench::image_of(sample, rater),
                       header, {.overwrite = true});
}

}  // namespace

int main(int argc, char** argv) {
  bench::CaseOptions chosen;
  std::string folder;
  cli::Parser parser;
  cli::add_text_option(parser, {"DIR", "DIR", ""}, folder).required();
  cli::add_text_option(parser, {"--kind", "organ|lesions|cord", ""}, chosen.kind);
  declare(parser, chosen);
  bench::parse(parser, argc, argv);
  try {
    write(chosen, folder);
  } catch (const std::exception& error) {
    fmt::print(stderr, "crema_case: {}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
