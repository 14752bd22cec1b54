// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "annotations/examples.h"
#include "annotations/formats/tool.h"
#include "annotations/objects/instances.h"

/// From the exports of an annotation tool to a cohort: each annotator is a rater, each picture a case, or
/// each object that annotators have in common.
namespace crema::annotations {

struct ImportRequest {
  std::vector<std::filesystem::path> paths;
  std::filesystem::path folder;              ///< new or empty
  std::optional<InstanceOptions> instances;  ///< each object becomes a case
  std::int64_t max_memory = 0;
};

struct ImportReport {
  const Tool* tool = nullptr;
  std::size_t pictures = 0, annotators = 0, categories = 0, cases = 0;
  std::int64_t objects = 0;  ///< that annotators drew
  std::int64_t too_few = 0;  ///< clusters below the quorum
  std::int64_t splits = 0;   ///< objects that others drew as several
  Examples unmarked;         ///< what annotators drew that holds no centre of a pixel
  bool segments = false;     ///< files hold several categories
  Warnings warnings;
};

/// Throws UsageError where the folder holds something, InputError and ResourceError as read_exports does.
/// The folder is complete, or as it was.
ImportReport import_annotations(const ImportRequest& request);

}  // namespace crema::annotations
