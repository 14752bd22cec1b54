// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the tables of several runs tell of one case.
namespace crema::study {

/// A method, and what it was told; empty where that does not concern it.
struct Variant {
  std::string method, paper_name, kind, blocks, empty_test, connectivity, slice_wise, prior, region;

  bool operator==(const Variant&) const = default;
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
};

/// A rater against the consensus of a variant in one component of the union.
struct LesionResult {
  std::size_t variant = 0;
  std::optional<double> precision, recall, f1;
};

struct CaseFacts {
  std::string name;
  bool complete = false;  ///< no rater of the cohort is missing
  std::vector<Result> results;
  std::vector<RaterResult> raters;
  std::vector<LesionResult> lesions;
};

}  // namespace crema::study
