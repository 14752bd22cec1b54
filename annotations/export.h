// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "annotations/record.h"

/// From the run of an imported cohort back to an annotation tool.
namespace crema::annotations {

struct ExportRequest {
  std::filesystem::path run;  ///< the folder of a cohort's run
  std::filesystem::path output;
  const Tool* tool = nullptr;  ///< none: the one that was imported from
  std::string method = {};     ///< empty: the first one of the run
  bool overwrite = false;
};

struct ExportReport {
  const Tool* tool = nullptr;
  std::string method;
  std::size_t pictures = 0, objects = 0;
  std::size_t missing = 0;    ///< cases without a result
  std::string first_missing;  ///< one of them
};

/// Writes each consensus as a mask that the tool imports: an object where objects were imported, else a mask
/// for each category of a picture. Throws UsageError for a method that the run has not, InputError where the
/// data of the run were not imported.
ExportReport export_consensus(const ExportRequest& request);

}  // namespace crema::annotations
