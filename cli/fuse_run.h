// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/counting.h"
#include "cli/estimate.h"
#include "cli/shell/command.h"
#include "cli/text/verdict.h"
#include "crema/fuse.h"

namespace crema::cli {

enum class WeightSource : std::uint8_t { given, search };

/// What `crema fuse` was asked to do.
struct FuseRequest {
  Counting counting;
  std::string output;
  std::vector<const Method*> methods = {&crema::methods().front()};
  std::optional<Tie> tie;
  std::optional<Blocks> blocks;
  WeightSource weight_source = WeightSource::given;
  std::vector<double> weights;  ///< none: all count alike
  bool no_empty_test = false;
  bool certify = false;
  BudgetWish budget;
  EstimateWish estimate;
  std::optional<double> threshold_output;  ///< soft results become masks of what lies above
  std::string record;                      ///< empty: none
  bool force = false;
  bool quiet = false;
};

/// Refuses early, reads, counts, then solves, paints and writes method by method; the record comes last.
int run_fuse(const FuseRequest& request, Session& session);

}  // namespace crema::cli
