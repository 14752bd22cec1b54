// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "crema/counts/solvers.h"

namespace crema {

enum class Kind : std::uint8_t { hard, soft };

/// What a method must be told about a component: who drew each voxel, or also how far it is from the raters.
enum class Needs : std::uint8_t { groups, distances };

/// What a method is after: the least mean squared distance to the raters, or a vote of theirs.
enum class Aim : std::uint8_t { distance, vote };

/// One row of the method table. Program, bindings and documentation read it; nothing else lists methods.
struct Method {
  std::string_view name;        ///< as typed: "jaccard"
  std::string_view paper_name;  ///< as printed in the paper: "MACCHIatO-J"
  Kind kind;
  Aim aim;
  Needs needs;
  Distance distance;  ///< in which the LMSD is reported
  Solver solver;
  std::string_view summary;    ///< one line for people
  std::string_view reference;  ///< whom to cite
};

/// All methods, in the order in which they are listed to people.
std::span<const Method> methods();

/// The method of that name or paper name, whatever the case.
/// Throws UsageError with the nearest name when there is none.
const Method& find_method(std::string_view name);

}  // namespace crema
