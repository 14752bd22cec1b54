// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/page.h"

namespace crema::cli {

struct FuseRequest : Request {
  std::string output;        ///< empty: numbers alone are wanted
  std::string components;    ///< where their table goes; empty: nowhere
  std::string levels;        ///< where the levels of several labels go; empty: nowhere
  bool fractional = false;   ///< levels may go into a DICOM segmentation
  bool every_frame = false;  ///< a DICOM segmentation has frames without a voxel, too
  PageRequest page;          ///< no file: none
  std::vector<const Method*> methods = {&crema::methods().front()};
  bool method_given = false;
};

/// Throws UsageError unless these are one method that makes levels.
void check_makes_levels(std::span<const Method* const> methods, bool of_levels);

/// All files of the run, checked before any voxel is read.
struct Planned {
  files::OutputPlan plan;
  std::vector<std::filesystem::path> images;
};

/// Where each method's image goes: one method makes a file, several make a folder.
Planned plan_run(FuseRequest& request, const files::Header& reference);

/// Where segments overlap: keeps the methods that fuse each of them alone, and throws InputError where an
/// image could not hold them, before anything is computed for nothing.
void fit_to_overlaps(FuseRequest& request, const raters::Case& counted, Planned& planned, Warnings& warnings);

}  // namespace crema::cli
