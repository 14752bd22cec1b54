// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/candidate.h"
#include "crema/agreement/compare_methods.h"
#include "crema/agreement/measures.h"
#include "raters/run/certify.h"
#include "raters/run/run.h"

namespace crema::raters {

/// One structure of a method's answer, to put raters beside. To be used before the outcome is painted.
Evaluated evaluate(const Case& counted, const Outcome& outcome, std::size_t s);
/// Takes the decisions of a mask, which may be many, out of the outcome.
Evaluated evaluate(const Case& counted, Outcome&& outcome, std::size_t s);

/// One structure of a consensus from elsewhere; `name` is what it is called. Warns of voxels that nobody
/// drew.
Evaluated evaluate(const Case& counted, const ConsensusFile& file, const std::string& name, std::size_t s,
                   Warnings& warnings);

/// Reads a mask, or a label map where the case has labels, to be compared as a candidate. Throws InputError
/// where it holds anything else, or does not lie on the raters' grid.
ConsensusFile read_candidate(const Case& counted, const std::filesystem::path& path,
                             const Settings& settings);

/// Is it as good as a rater, in one structure?
CandidateIndex compare_candidate(const Case& counted, const ConsensusFile& file, std::size_t s);

/// One warning where the candidate is a rater's own mask.
Warnings warnings_about_candidate(const Case& counted, const ConsensusFile& file, const CandidateIndex& index,
                                  std::size_t s);

/// Raters beside the consensuses of one structure. What is on the list of decisions says which labels the
/// raters gave it.
AgreementStudy study(const Case& counted, std::size_t s, std::vector<Evaluated> evaluated,
                     const MeasureOptions& wanted);

/// One warning where the files do not say how large a voxel is.
Warnings warnings_about_size(const files::Header& reference);

/// One warning where axes are not at right angles: voxels are drawn as boxes.
Warnings warnings_about_shear(const Grid& grid);

/// Several methods on one structure, all in the same terms.
struct StructureComparison {
  std::vector<MethodRow> rows;
  std::vector<MethodPair> pairs;
};

/// Several methods on one case.
struct Comparison {
  std::vector<Outcome> outcomes;  ///< in the order in which they were requested
  std::vector<StructureComparison> structures;
};

/// Solves, and compares. Majority and average are solved to be compared with, also where they were not
/// requested.
Comparison compare(const Case& counted, std::span<const Method* const> methods, const Settings& settings,
                   Warnings& warnings);

/// Runs the methods one after the other; their warnings are appended.
std::vector<Outcome> solve_methods(const Case& counted, std::span<const Method* const> methods,
                                   const Settings& settings, Warnings& warnings);

/// Compares methods that have answered, structure by structure. What they painted themselves must still be
/// with them.
std::vector<StructureComparison> compare_structures(const Case& counted, const std::vector<Outcome>& outcomes,
                                                    const Settings& settings);

/// The weights of a comparison: those that were given, the same for all methods; those that each method found
/// for itself would make its numbers incomparable.
std::vector<double> common_weights(const Case& counted, const Settings& settings);

}  // namespace crema::raters
