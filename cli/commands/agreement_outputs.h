// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/commands/request.h"
#include "crema/agreement/study.h"
#include "crema/agreement/tables.h"

namespace crema::cli {

/// What `crema agreement` is told.
struct AgreementRequest : Request {
  std::string consensus;  ///< a file; empty: methods are asked
  std::vector<const Method*> methods;
  bool methods_given = false;
  StudyOptions study;
  bool seed_given = false;
  std::string csv, maps, review, case_name;  ///< empty: not asked for
  std::size_t places = 100;                  ///< on the list of what to look at again; 0: all
};

/// Where everything goes, checked before any voxel is read.
files::OutputPlan plan_agreement(const AgreementRequest& request, const files::Header& reference);

/// Tables, maps and the list of places; returns what the formats cannot hold.
Warnings put_agreement(const AgreementRequest& request, const raters::Case& counted, const CaseNames& names,
                       const AgreementStudy& study, files::OutputSet& outputs);

}  // namespace crema::cli
