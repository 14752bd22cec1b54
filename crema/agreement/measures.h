// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crema/agreement/confidence/stability.h"
#include "crema/agreement/confidence/uniqueness.h"
#include "crema/agreement/confidence/weights_found.h"
#include "crema/agreement/detection.h"
#include "crema/agreement/joint/replicas.h"
#include "crema/agreement/kappa.h"
#include "crema/agreement/level_agreement.h"
#include "crema/agreement/pairs.h"
#include "crema/agreement/review/review.h"
#include "crema/agreement/surfaces/surfaces.h"
#include "crema/agreement/warnings/outlier.h"
#include "crema/measure_options.h"
#include "crema/options.h"
#include "crema/solution.h"

namespace crema {

/// A consensus beside which raters are put.
struct Evaluated {
  std::string name;                ///< of the method, or of the file
  const Method* method = nullptr;  ///< none: it comes from elsewhere
  Solution solution;               ///< with its image where it comes from elsewhere
  Options options;                 ///< it was solved with
  JointPart joint = {};            ///< where it is one of several labels
};

/// The consensus without each rater, as it was solved: a label together with all others.
std::vector<LeftOut> leave_one_out(const Reduction& reduction, const Evaluated& evaluated, LeaveOut mode);

/// A consensus from elsewhere: what it holds in each component. Its criterion is in `distance`.
Evaluated evaluate_image(const Reduction& reduction, std::string name, Image image, Distance distance,
                         const Options& options);

const Measured& hd95_of(const SurfaceDistances& distances, Hd95 kind);

/// Raters beside one consensus, and how sure that is.
struct ConsensusStudy {
  Evaluated evaluated;
  std::vector<RaterOverlap> overlaps;
  std::vector<SurfaceDistances> surfaces;     ///< per rater
  std::vector<LevelScore> level_scores = {};  ///< per rater where they gave levels, else empty
  DetectionReport detection;
  std::vector<MeanAgreement> lesions;     ///< per rater, means over components
  std::vector<Measured> margins;          ///< per component
  std::vector<FoundWeights> weights;      ///< per component
  std::vector<Stability> stability = {};  ///< per component where it was requested, else empty
  std::vector<LeftOut> left_out = {};     ///< per rater where it was requested, else empty
  std::optional<Bootstrap> bootstrap = {};
  std::optional<Uniqueness> uniqueness = {};  ///< where it was requested and the method minimises a distance
  std::vector<ReviewItem> review = {};
  std::size_t review_all = 0;  ///< so many there are, of which the list may hold the first

  [[nodiscard]] std::int64_t kept() const;
};

/// How well raters agree.
struct AgreementStudy {
  MeasureOptions requested;
  Grid grid = {};
  Measured positive_agreement;
  ChanceCorrected chance;
  std::vector<ChanceCorrectedAt> moves;  ///< the same with less and more background
  std::vector<RaterPair> pairs;
  std::vector<SurfaceDistances> surfaces;      ///< per pair
  std::vector<LevelOverlap> level_pairs = {};  ///< per pair where raters gave levels, else empty
  OutlierReport outlier;
  Measured outlier_rater;  ///< its number from 0, or why there is none
  std::vector<Suspicion> suspicions;
  std::vector<ConsensusStudy> consensuses;
};

/// All that was requested, from counts; only surfaces and parts look at voxels again.
/// Throws UsageError when confidence is requested in a consensus from elsewhere.
AgreementStudy study_agreement(const Reduction& reduction, std::vector<Evaluated> evaluated,
                               const MeasureOptions& requested, int threads = 0);

}  // namespace crema
