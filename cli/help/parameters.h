// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/describe.h"

/// A command as programs that show forms for others see it.
namespace crema::cli {

/// What a parameter holds.
enum class Holds : std::uint8_t { nothing, text, word, whole, real, masks, file, image_out, file_out };

struct Parameter {
  std::string id;  ///< "threshold_output"; unlike any other
  Holds holds = Holds::text;
  std::vector<std::string> words;  ///< that may be chosen
  OptionText option;
};

/// The options of a command in their order, without those that make it describe itself.
std::vector<Parameter> parameters_of(const CommandText& command);

/// As the execution model of 3D Slicer has it (XML).
std::string slicer_description(const CommandText& command);

/// As Boutiques has it (JSON, schema 0.5).
std::string boutiques_description(const CommandText& command);

}  // namespace crema::cli
