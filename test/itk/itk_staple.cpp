// SPDX-License-Identifier: Apache-2.0
// itk_staple float32|float64 OUT.nii[.gz] RATER.nii[.gz]...: ITK's STAPLE from files to a file; what it found
// out about the raters goes to standard output as JSON.
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "test/itk/peer.h"

namespace {

namespace peer = crema::itk_peer;

/// Numbers to the last bit; JSON has no NaN.
std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + (value == value ? fmt::format("{:.17g}", value) : "null");
  return "[" + text + "]";
}

void run(peer::Precision precision, const std::filesystem::path& out,
         const std::vector<std::filesystem::path>& raters) {
  const peer::Staple staple = peer::staple(peer::read(raters));
  peer::write(staple, out, precision);
  fmt::print("{{\"sensitivity\": {}, \"specificity\": {}, \"elapsed_iterations\": {}}}\n",
             list_of(staple.sensitivity), list_of(staple.specificity), staple.elapsed_iterations);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view precision = argc > 3 ? argv[1] : "";
  if (precision != "float32" && precision != "float64") {
    fmt::print(stderr, "itk_staple float32|float64 OUT RATER...\n");
    return 2;
  }
  try {
    run(precision == "float32" ? peer::Precision::float32 : peer::Precision::float64, argv[2],
        {argv + 3, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "itk_staple: {}\n", error.what());
    return 1;
  }
  return 0;
}
