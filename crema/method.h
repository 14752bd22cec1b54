// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "crema/counts/solvers.h"
#include "crema/counts/staple/performance.h"
#include "crema/spatial/methods.h"

namespace crema {

enum class Kind : std::uint8_t { hard, soft };

/// What a method must be told: who drew each voxel, also how far it is from the raters, or also where each
/// voxel lies.
enum class Needs : std::uint8_t { groups, distances, neighbours };

/// What a method is after: the least mean squared distance to the raters, a vote of theirs, an estimate of
/// how good they are, or a mean of their shapes.
enum class Aim : std::uint8_t { distance, vote, performance, shape };

/// Which options a method heeds besides those of its aim.
enum class Heeds : std::uint8_t { nothing, weights, region, prior_and_region };

/// A solver sees one component, all rater groups of the image, or the voxels themselves.
using AnySolver = std::variant<Solver, GroupSolver, FieldSolver>;

/// One row of the method table. Program, bindings and documentation read it; nothing else lists methods.
struct Method {
  std::string_view name;        ///< as typed: "jaccard"
  std::string_view paper_name;  ///< as printed in the paper: "MACCHIatO-J"
  Kind kind;
  Aim aim;
  Needs needs;
  Heeds heeds;
  Distance distance;  ///< in which the LMSD is reported
  AnySolver solver;
  std::string_view summary;    ///< one line for people
  std::string_view reference;  ///< whom to cite
};

/// All methods, in the order in which they are listed to people.
std::span<const Method> methods();

/// The method of that name or paper name, whatever the case.
/// Throws UsageError with the nearest name when there is none.
const Method& find_method(std::string_view name);

}  // namespace crema
