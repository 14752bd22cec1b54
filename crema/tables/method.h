// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "crema/counts/staple/performance.h"

namespace crema {

// What solvers take and give is known to those who call them.
struct Answer;
struct Field;
struct LevelAnswer;
struct LevelComponent;
struct LevelField;
struct LevelMaps;
struct Options;
struct Reduction;
struct Tally;

enum class Kind : std::uint8_t { hard, soft };

/// What a method needs to know: who drew each voxel, also how far it is from the raters, or also where each
/// voxel lies.
enum class Needs : std::uint8_t { groups, distances, neighbours };

/// What a method is after: the least mean squared distance to the raters, a vote of theirs, a vote of those
/// who drew something in the component, an estimate of how good they are, or a mean of their shapes.
enum class Aim : std::uint8_t { distance, vote, local_vote, performance, shape };

/// Kinds of settings that a method may accept; a setting names the one it needs in its row of the settings.
enum class Accept : std::uint32_t {
  nothing = 0,
  criterion = 1 << 0,  ///< what concerns the criterion and its proof
  weights = 1 << 1,
  slices = 1 << 2,
  region = 1 << 3,
  prior = 1 << 4,
  iterations = 1 << 5,
  preset = 1 << 6,
  drop_below = 1 << 7,
  coupling = 1 << 8,
  window = 1 << 9,
  softness = 1 << 10,
  labels = 1 << 11,  ///< several labels at once; the column `several` says which methods do
  tversky = 1 << 12,
  levels = 1 << 13,      ///< raters who give levels instead of masks
  proof = 1 << 14,       ///< a lower bound of its criterion, also on levels
  tie = 1 << 15,         ///< what an exact tie of masks becomes
  empty_test = 1 << 16,  ///< a component may be left empty in the end
  undecided = 1 << 17,   ///< a label for voxels that nothing decides; the column `several` says where
};

constexpr Accept operator|(Accept a, Accept b) {
  return static_cast<Accept>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// What a method does with several labels at once: it refuses them, solves each alone and has conflicts
/// settled, or looks at all that raters say of a voxel together in a way of its own.
enum class Several : std::uint8_t { refused, settled, plurality, staple, simple, shape };

/// Whether the paper compares the method.
enum class Origin : std::uint8_t { paper, elsewhere };

/// A solver sees one component, all rater groups of the image, or the voxels themselves, which the reduction
/// must have kept.
using Solver = Answer (*)(const Tally&, const SolveOptions&);
using FieldSolver = Field (*)(const Reduction&, const Options&);
using AnySolver = std::variant<Solver, GroupSolver, FieldSolver>;

/// Of levels: sees one component, in the method's distance.
using PartSolver = LevelAnswer (*)(const LevelComponent&, const Distance&, const SolveOptions&);
/// Of levels: sees the whole support; gives levels of each part, and of the rest behind them.
using SupportSolver = LevelField (*)(const LevelMaps&, const SolveOptions&);
/// How a method fuses levels; nothing: it takes masks only.
using LevelSolver = std::variant<std::monostate, PartSolver, SupportSolver>;

/// One row of the method table. Program, bindings and documentation read it; nothing else lists methods.
struct Method {
  std::string_view name;        ///< as typed: "jaccard"
  std::string_view paper_name;  ///< as printed in the paper: "MACCHIatO-J"
  Kind kind;
  Aim aim;
  Needs needs;
  Accept accepts;
  Several several;
  Origin origin;
  Distance distance;  ///< in which the LMSD is reported; its settings come with the options of a run
  AnySolver solver;
  std::string_view summary;    ///< one line for people
  std::string_view reference;  ///< whom to cite
  LevelSolver levels = {};     ///< for raters who give levels
};

/// Whether the method fuses masks; others fuse levels only.
bool takes_masks(const Method& method);

/// All methods, in the order in which they are listed to people.
std::span<const Method> methods();

/// Whether the method accepts settings of that kind.
constexpr bool accepts(const Method& method, Accept kind) {
  if (kind == Accept::labels) return method.several != Several::refused;
  if (kind == Accept::undecided)
    return method.several == Several::plurality || method.several == Several::staple ||
           method.several == Several::simple;
  return (static_cast<unsigned>(method.accepts) & static_cast<unsigned>(kind)) == static_cast<unsigned>(kind);
}

/// The method of that name or paper name, whatever the case.
/// Throws UsageError with the nearest name when there is none.
const Method& find_method(std::string_view name);

/// Methods by name, each once, in the order given; "paper" stands for those that the paper compares, "all"
/// for every one. Throws UsageError when none is named.
std::vector<const Method*> find_methods(std::span<const std::string> names);

/// "jaccard", "jaccard and dice", "jaccard, dice or staple".
std::string list_names(std::span<const Method* const> methods, std::string_view last);

/// All distances, in the order of their table.
std::vector<Distance> distances();
/// Throws UsageError with the names there are.
Distance find_distance(std::string_view name);

}  // namespace crema
