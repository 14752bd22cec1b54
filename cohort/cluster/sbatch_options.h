// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What people hand to sbatch, as words.
namespace crema::cohort {

/// An option of sbatch: "--partition" and "-p"; one letter or none.
struct SbatchName {
  std::string_view name;
  char letter = 0;
};

/// The last value that the words give to an option: "--time=5", "--time 5", "-t5" or "-t 5"; nothing where it
/// is not among them. A name may be cut short, as sbatch allows.
std::optional<std::string> option_in(const std::vector<std::string>& words, SbatchName option);

/// The words without an option and its values.
std::vector<std::string> without(const std::vector<std::string>& words, SbatchName option);

/// Those of the words that say where a job may run and who pays for it, which a run's merge needs as its
/// tasks do.
std::vector<std::string> shared_options(const std::vector<std::string>& words);

}  // namespace crema::cohort
