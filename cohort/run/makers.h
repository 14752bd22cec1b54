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

/// One structure of a case as a small picture.
struct Thumbnail {
  std::string png = {};    ///< in base64; empty: there is nothing to see
  std::string label = {};  ///< of the structure; empty for a mask
};

/// Before outcomes are painted.
using ThumbnailMaker = std::function<Thumbnail(const raters::Case&, const std::vector<raters::Outcome>&)>;

}  // namespace crema::cohort
