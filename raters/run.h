// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/fuse.h"
#include "crema/settings.h"
#include "crema/weights.h"
#include "raters/votes.h"

/// From a list of inputs to counts, and from counts to what the methods answer. The program and the Python
/// package both go this way.
namespace crema::raters {

/// How the work and whoever waits for it talk to each other.
struct Hooks {
  /// Told which share of a stage is done, from 0 to 1; on any thread. May throw Cancelled.
  std::function<void(std::string_view stage, double share)> progress = {};
  /// Once it says true the work ends with Cancelled.
  std::function<bool()> stop = {};
};

/// Where the masks of one case come from.
struct Source {
  files::Header reference;         ///< of the common grid
  std::vector<std::string> names;  ///< one per rater
  Warnings warnings = {};          ///< known before any voxel is read
  Raters repeats = 0;              ///< of whom it is told already that they are copies
  std::function<Loaded(const Settings&, int threads, const Hooks&)> take = {};
  std::function<std::string()> describe = {};  ///< what values the masks hold
  Mask region = {};  ///< in memory, for Region::Kind::mask; empty where a file is named
};

/// Files are folded into the votes while they are read; none is held.
Source from_files(RaterFiles raters);

/// Masks in memory, borrowed; those that have a name in `unchecked` are checked by the rules for files.
Source from_memory(files::Header reference, std::vector<Mask> masks, std::vector<std::string> names,
                   std::vector<std::string> unchecked);

/// One case, counted.
struct Case {
  files::Header reference;
  std::vector<std::string> names;
  std::shared_ptr<Reduction> reduction;
  Options options;                   ///< what all methods share; may borrow `region`
  std::vector<std::uint8_t> region;  ///< read from a file
  Warnings warnings;
  double reading = 0, counting = 0;  ///< seconds
};

/// As many as are wanted, or one per core where that is 0.
int thread_count(int wanted);

/// Throws UsageError unless there are as many weights as raters, or none.
void check_weights(const Settings& settings, std::size_t raters);

/// The strongest needs of several methods.
Needs needs_of(std::span<const Method* const> methods);

/// Checks the settings against the raters, takes the votes and counts. Settings are checked against methods
/// before.
Case count(const Source& source, const Settings& settings, Needs needs, const Hooks& hooks);

/// One method's part in a run.
struct Outcome {
  Options options;  ///< as it was solved with
  std::optional<WeightSearch> search;
  Solution solution;
  std::optional<double> threshold;  ///< levels above it became a mask
  Warnings warnings;
  double solving = 0, painting = 0;  ///< seconds
  bool paintable = false;            ///< its image may be painted over by another method's

  [[nodiscard]] const Method& method() const { return *solution.method; }
};

/// Asks one method.
Outcome solve_method(const Case& counted, const Method& method, const Settings& settings);

/// Paints what it answered; once. `canvas` may be the image of another outcome of the case that is paintable
/// and no longer needed.
Image paint_outcome(const Case& counted, Outcome& outcome, Image canvas = {});

}  // namespace crema::raters
