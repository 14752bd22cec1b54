// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/request.h"
#include "crema/agreement/candidate.h"
#include "crema/agreement/measures.h"
#include "crema/records/tables.h"

namespace crema::cli {

/// The options of `crema agreement`.
struct AgreementRequest : Request {
  std::string consensus;  ///< a file; empty: of the methods
  std::string candidate;  ///< a mask to be compared with the raters as if it were one; empty: none
  std::vector<const Method*> methods;
  bool methods_given = false;
  std::string csv, maps, review, case_name;  ///< empty: not requested
  std::size_t places = 100;                  ///< on the list of what to look at again; 0: all
};

/// Where everything goes, checked before any voxel is read; once the labels are known, with a folder of maps
/// for each.
files::OutputPlan plan_agreement(const AgreementRequest& request, const files::Header& reference,
                                 const raters::Case* counted = nullptr);

/// One structure of the case.
struct StudiedStructure {
  CaseNames names;
  AgreementStudy study;
  std::optional<CandidateIndex> candidate = {};
};

/// Tables, maps and the list of findings of all structures; returns what the formats cannot hold.
Warnings put_agreement(const AgreementRequest& request, const raters::Case& counted,
                       const std::vector<StudiedStructure>& studied, files::OutputSet& outputs);

}  // namespace crema::cli
