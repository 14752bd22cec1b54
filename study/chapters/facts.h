// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "study/measures.h"

/// What the tables of several runs hold of one case.
namespace crema::study {

/// A method and its options; empty where they do not concern it.
struct Variant {
  std::string method, paper_name, kind, blocks, empty_test, connectivity, slice_wise, prior, region;

  std::size_t run = 0;  ///< that it was first seen in; not a part of what it is

  [[nodiscard]] auto settings() const {
    return std::tie(method, paper_name, kind, blocks, empty_test, connectivity, slice_wise, prior, region);
  }
  bool operator==(const Variant& other) const { return settings() == other.settings(); }
};

struct Seconds {
  double reading = 0, counting = 0, solving = 0, writing = 0;
};

/// One variant on one case.
struct Result {
  std::size_t variant = 0;  ///< its place in Facts::variants
  double kept = 0, voxels = 0, soft_volume = 0, entropy = 0;
  std::optional<double> lmsd;  ///< in its own distance
  std::optional<double> bound, parts, isolated;
  std::optional<Seconds> seconds;
};

/// A rater against the consensus of a variant.
struct RaterResult {
  std::size_t variant = 0;
  std::string rater;
  double volume = 0;
  std::optional<double> precision, recall, f1;  ///< of detection
  RaterMeasures measures = {};
  std::string_view unit = "mm³";  ///< of the volume; mm² of flat images, voxels where files state no size
};

/// A rater against the consensus of a variant in one component of the union.
struct LesionResult {
  std::size_t variant = 0;
  std::optional<double> precision, recall, f1;
};

struct CaseFacts {
  std::string name;
  bool complete = false;                             ///< no rater of the cohort is missing
  std::optional<double> agreement = {}, kappa = {};  ///< of the raters with each other
  std::vector<Result> results;
  std::vector<RaterResult> raters;
  std::vector<LesionResult> lesions;
};

}  // namespace crema::study
