// SPDX-License-Identifier: Apache-2.0
#include "cli/reading.h"

namespace crema::cli {

void declare_reading(CLI::App& app, files::ReadOptions& read) {
  take_number(app, {"--threshold", "T", "Inside is what lies above T; for probability maps.", "Input"},
              read.threshold);
  // Only the file decides whether both make sense together.
  take_number(app,
              {"--label", "L",
               "Inside is what equals L; for files with several labels. With --threshold: class L of an .npz "
               "with the probabilities of several classes, counted from 0.",
               "Input"},
              read.label);
}

}  // namespace crema::cli
