// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "raters/run/run.h"

namespace crema::raters {

/// Stages an image under a name; called from one thread at a time for each image, from several for different
/// ones. Returns warnings.
using PutImage = std::function<Warnings(const std::filesystem::path&, const Image&, const files::Header&)>;

/// Throws InputError where segments overlap and the image would hold one label per voxel.
void check_overlaps(const Case& counted, const std::filesystem::path& image);

/// Methods to run on one case, and where their images go.
struct MethodJob {
  std::span<const Method* const> methods;
  const Settings& settings;
  std::vector<std::filesystem::path> images = {};  ///< one per method, or none: no image is wanted
  PutImage put = {};
  std::vector<Outcome> solved = {};  ///< where the methods have answered already
  /// Called once for each method before its result is painted.
  std::function<void(std::size_t, const Outcome&)> answered = {};
};

/// One method's part in a run, and where it went.
struct FusedMethod {
  Outcome outcome;
  std::filesystem::path image;  ///< empty: not written
  double writing = 0;           ///< seconds
};

/// Solves, paints and stages method by method: nothing gets its name before all are done. Where threads and
/// memory allow it, images are packed while the next methods are at work, and painted over where they fit.
std::vector<FusedMethod> run_methods(const Case& counted, MethodJob job, Warnings& warnings);

}  // namespace crema::raters
