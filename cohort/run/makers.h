// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace crema::raters {
struct Case;
struct Outcome;
}  // namespace crema::raters

/// What a run draws of its cases. Whoever runs brings it: nothing is drawn in this room. Called from several
/// threads.
namespace crema::cohort {

struct CaseMaterial;

/// The text of a case's own page.
using ReportMaker = std::function<std::string(const CaseMaterial&)>;

/// A case as a small PNG, in base64; empty: there is nothing to see. Before outcomes are painted.
using ThumbnailMaker = std::function<std::string(const raters::Case&, const std::vector<raters::Outcome>&)>;

}  // namespace crema::cohort
