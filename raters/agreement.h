// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/compare_methods.h"
#include "crema/agreement/study.h"
#include "raters/certify.h"
#include "raters/run.h"

namespace crema::raters {

/// Asks a method for a consensus; what it has to say goes to the warnings.
Evaluated evaluate_method(const Case& counted, const Method& method, const Settings& settings,
                          Warnings& warnings);

/// Reads a consensus from elsewhere; `name` is what it is called. Warns of voxels that nobody drew.
Evaluated evaluate_file(const Case& counted, ConsensusFile& file, const std::string& name,
                        const Settings& settings, Warnings& warnings);

/// One warning where the files do not say how large a voxel is.
Warnings warnings_about_size(const files::Header& reference);
Warnings warnings_about_size(const Case& counted);

/// Several methods on one case.
struct Comparison {
  std::vector<Outcome> outcomes;  ///< in the order in which they were asked for
  std::vector<MethodRow> rows;
  std::vector<MethodPair> pairs;
};

/// Solves, and tells all in the same terms. Majority and average are solved to be compared with, also where
/// they were not asked for.
Comparison compare(const Case& counted, std::span<const Method* const> methods, const Settings& settings,
                   Warnings& warnings);

/// Asks the methods one after the other; what they have to say goes to the warnings.
std::vector<Outcome> solve_methods(const Case& counted, std::span<const Method* const> methods,
                                   const Settings& settings, Warnings& warnings);

/// The same of methods that have answered. What they painted themselves must still be with them.
Comparison compare(const Case& counted, std::vector<Outcome> outcomes, const Settings& settings);

/// What a comparison weighs raters by: the weights that were given, the same for all methods; those that each
/// method found for itself would make its numbers incomparable.
std::vector<double> common_weights(const Case& counted, const Settings& settings);

}  // namespace crema::raters
