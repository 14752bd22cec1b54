// SPDX-License-Identifier: Apache-2.0
#include "cli/reading.h"

namespace crema::cli {

void declare_reading(CLI::App& app, files::ReadOptions& read) {
  CLI::Option* threshold =
      take_number(app, {"--threshold", "T", "Inside is what lies above T; for probability maps.", "Input"},
                  read.threshold);
  CLI::Option* label = take_number(
      app, {"--label", "L", "Inside is what equals L; for files with several labels.", "Input"}, read.label);
  threshold->excludes(label);
}

}  // namespace crema::cli
