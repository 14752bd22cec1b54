// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "annotations/export.h"
#include "annotations/import.h"
#include "cli/shell/command.h"

/// What the commands share that read annotations.
namespace crema::cli {

/// How objects are matched across annotators.
struct MatchingOptions {
  annotations::InstanceOptions how;
  std::string preset;
  bool instances = false;
  bool given = false;  ///< a setting of the matching was
};

/// --instances, --overlap, --min-overlap and --quorum; and --preset cvat.
void take_matching(Parser& app, MatchingOptions& options);
void take_matching_preset(Parser& app, MatchingOptions& options);

/// Nothing where pictures are cases. Throws UsageError for options that do not go together.
std::optional<annotations::InstanceOptions> instances_of(const MatchingOptions& options);

/// --as.
void take_export_tool(Parser& app, const annotations::Tool*& tool);

/// The lines that say what was read and what was written.
std::string read_text(const annotations::ImportReport& report, std::size_t files);
std::string export_text(const annotations::ExportReport& report, const std::string& output);

}  // namespace crema::cli
