// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/agreement/joint/replicas.h"
#include "crema/labels/settle/joint.h"
#include "crema/tables/settings.h"
#include "crema/weights.h"
#include "raters/open/segments.h"
#include "raters/read/votes.h"
#include "raters/run/hooks.h"

/// The conductor: from a list of inputs to the counts of a case, and from counts to what the methods answer.
/// Program, package, cohort, app and study all go this way.
namespace crema::raters {

struct LevelArrays;
struct LoadedLevels;

/// Label maps as the raters gave them.
struct LoadedLabels {
  std::shared_ptr<const LabelMaps> maps;
  SegmentLabels segments = {};  ///< names and colours, where the files have them
  Warnings warnings = {};
};

/// Where the raters of one case come from.
struct Source {
  files::Header reference;         ///< of the common grid
  std::vector<std::string> names;  ///< one per rater
  Warnings warnings = {};          ///< known before any voxel is read
  Raters repeats = 0;              ///< of whom it is known already that they are copies
  std::function<Loaded(const Settings&, int threads, const Hooks&)> take = {};
  /// Puts numbers where the settings name segments.
  std::function<LoadedLabels(Settings&, int threads, const Hooks&)> take_labels = {};
  std::function<LoadedLevels(const Settings&, int threads, const Hooks&)> take_levels = {};
  std::function<std::string()> describe = {};  ///< what values the masks hold
  Mask region = {};  ///< in memory, for Region::Kind::mask; empty where a file is named
};

/// Files are folded into votes or runs while they are read; none is held.
Source from_files(RaterFiles raters);

/// Masks in memory, borrowed; `unchecked` has a name for each that is to be checked by the rules for files,
/// and an empty one for each other.
Source from_memory(files::Header reference, std::vector<Mask> masks, std::vector<std::string> names,
                   std::vector<std::string> unchecked);

/// Label maps in memory.
Source from_maps(files::Header reference, std::shared_ptr<const LabelMaps> maps,
                 std::vector<std::string> names);

/// Maps of levels in memory.
Source from_levels(files::Header reference, LevelArrays maps, std::vector<std::string> names);

/// One case, counted: n structures on one grid. A mask is the case n = 1.
struct Case {
  files::Header reference;  ///< of the common grid; its segments are the structures, where they have names
  std::vector<std::string> names;
  LabelCounts counts;
  Options options;                   ///< what all methods share; may borrow `region`
  std::vector<std::uint8_t> region;  ///< read from a file
  Warnings warnings;
  double reading = 0, counting = 0;  ///< seconds

  [[nodiscard]] std::size_t structures() const { return counts.structures.size(); }
  [[nodiscard]] const Reduction& reduction(std::size_t s) const { return counts.structures[s].reduction; }
  /// Whether raters gave labels: results are label maps then, even of one label.
  [[nodiscard]] bool labelled() const { return counts.maps != nullptr; }
  /// What a structure is called in tables: its name, its number, or nothing for a mask.
  [[nodiscard]] std::string label(std::size_t s) const;
};

/// Whether several labels, or regions of them, are wanted.
bool wants_labels(const Settings& settings);

/// As many as are wanted, or one per core where that is 0.
int thread_count(int wanted);

/// Throws UsageError unless there are as many weights as raters, or none.
void check_weights(const Settings& settings, std::size_t raters);

/// The strongest needs of several methods.
Needs needs_of(std::span<const Method* const> methods);

/// Checks the settings against the raters, reads and counts. Settings are checked against methods before.
Case count(const Source& source, const Settings& settings, Needs needs, const Hooks& hooks);

/// What a front end wants of files.
struct CaseRequest {
  const std::vector<std::filesystem::path>& paths;
  const Settings& settings;
  std::span<const Method* const> methods = {};  ///< settings are checked against them
  Needs needs = Needs::groups;                  ///< at least; methods may need more
  std::span<const AbsentRater> absent = {};     ///< raters without a file, who marked nothing
  Lacking lacking = Lacking::refused;           ///< what files without the segment that is named are
  /// Called with the common grid before any voxel is read: outputs are planned and other inputs opened here.
  std::function<void(const files::Header&)> opened = {};
};

/// The way of all files: settings against methods, headers, outputs, voxels, counts, warnings.
Case load(const CaseRequest& request, const Hooks& hooks);

/// One method's part in a run.
struct Outcome {
  Options options;  ///< as it was solved with
  std::optional<WeightSearch> search;
  std::vector<Solution> structures;              ///< what each structure of the case gets
  std::optional<LabelConsensus> joint;           ///< how labels share the image; none for a mask
  std::shared_ptr<JointReplicas> replicas = {};  ///< of `joint`, once they are requested
  std::optional<double> threshold;               ///< levels above it become a mask
  Warnings warnings;
  double solving = 0, painting = 0;  ///< seconds
  bool paintable = false;            ///< its image may be painted over by another method's

  [[nodiscard]] const Method& method() const { return *structures.front().method; }
  /// LMSD over all structures.
  [[nodiscard]] double lmsd() const;
};

/// Where segments overlap: without the methods that need one label per voxel, which a warning says; all of
/// them where none would be left.
std::vector<const Method*> keep_possible(const Case& counted, std::span<const Method* const> methods,
                                         Warnings& warnings);

/// Runs one method.
Outcome solve_method(const Case& counted, const Method& method, const Settings& settings);

/// What one structure gets, with its image where counts do not say which voxels it has. To be used before
/// the outcome is painted.
Solution solution_of(const Case& counted, const Outcome& outcome, std::size_t s);

/// What it takes to solve a structure again with other raters: the labels that share its image.
JointPart joint_part(const Case& counted, const Outcome& outcome, std::size_t s);

/// One structure's part of an outcome, as an outcome of its own.
Outcome only(const Case& counted, const Outcome& outcome, std::size_t s);

/// An image, and what its file says of it.
struct Picture {
  Image image;
  files::Header reference;
};

/// Paints a result as the file of that name holds it: a mask, levels, a label map, or a segmentation with as
/// many layers as overlapping labels need. `canvas` may be the image of another outcome of the case that is
/// paintable and no longer needed. Once per outcome.
Picture paint_outcome(const Case& counted, Outcome& outcome, const std::filesystem::path& path,
                      Image canvas = {});

/// The levels of all labels, one map each, as channels; where raters gave channels, in the same form, with
/// the background first. Throws ResourceError where they are too large.
Picture paint_levels(const Case& counted, const Outcome& outcome);

/// Requires the memory that the levels of all labels take.
void require_levels(const Case& counted);

}  // namespace crema::raters
