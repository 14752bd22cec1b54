// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "crema/fuse.h"
#include "files/files.h"

namespace crema::cli {

/// What `crema fuse` was asked to do.
struct FuseRequest {
  std::vector<std::string> raters;
  std::string output;
  std::vector<const Method*> methods = {&crema::methods().front()};
  int connectivity = 0;
  std::optional<std::string> slice_wise;  ///< x, y, z or kAutomaticAxis
  Tie tie = Tie::background;
  files::ReadOptions read;
  std::string record;  ///< empty: none
  int threads = 0;     ///< 0: one per core
  bool force = false;
  bool quiet = false;
};

/// Refuses early, reads, counts, then solves, paints and writes method by method; the record comes last.
int run_fuse(const FuseRequest& request, Session& session);

}  // namespace crema::cli
