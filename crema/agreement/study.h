// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crema/agreement/confidence.h"
#include "crema/agreement/detection.h"
#include "crema/agreement/kappa.h"
#include "crema/agreement/outlier.h"
#include "crema/agreement/pairs.h"
#include "crema/agreement/surfaces.h"
#include "crema/agreement/weights_found.h"

namespace crema {

/// A consensus beside which raters are put.
struct Evaluated {
  std::string name;                ///< of the method, or of the file
  const Method* method = nullptr;  ///< none: it comes from elsewhere
  Solution solution;               ///< with its image where it comes from elsewhere
  Options options;                 ///< it was solved with
};

/// A consensus from elsewhere: what it holds in each component. Its criterion is in `distance`.
Evaluated evaluate_image(const Reduction& reduction, std::string name, Image image, Distance distance,
                         const Options& options);

/// Which of the three 95th percentiles is meant by "HD95".
enum class Hd95 : std::uint8_t { max, pooled, area };

std::string_view to_string(Hd95 kind);
const Measured& hd95_of(const SurfaceDistances& distances, Hd95 kind);

struct StudyOptions {
  bool surfaces = true;  ///< surface distances are wanted
  double tolerance = 1;  ///< millimetres, for the normalised surface Dice
  Hd95 hd95 = Hd95::max;
  Region region = {};                      ///< on which kappa and alpha are told
  std::optional<LeaveOut> leave_out = {};  ///< each rater is left out once
  int replicates = 0;                      ///< of the bootstrap; 0: none
  std::uint64_t seed = 1;                  ///< of the bootstrap
  bool flips = false;                      ///< weights at which decisions turn are wanted
  std::optional<std::size_t> review = {};  ///< so many places to look at again are wanted; 0: all
};

/// Raters beside one consensus, and how sure that is.
struct ConsensusStudy {
  Evaluated evaluated;
  std::vector<RaterOverlap> overlaps;
  std::vector<SurfaceDistances> surfaces;  ///< per rater
  DetectionReport detection;
  LesionWise lesions;
  std::vector<Measured> margins;          ///< per component
  std::vector<FoundWeights> weights;      ///< per component
  std::vector<Stability> stability = {};  ///< per component where it was asked for, else empty
  std::vector<LeftOut> left_out = {};     ///< per rater where it was asked for, else empty
  std::optional<Bootstrap> bootstrap = {};
  std::vector<ReviewItem> review = {};

  [[nodiscard]] std::int64_t kept() const;
};

/// How well raters agree.
struct AgreementStudy {
  StudyOptions asked;
  Measured positive_agreement;
  ChanceCorrected chance;
  std::vector<ChanceCorrectedAt> moves;  ///< the same with less and more background
  std::vector<RaterPair> pairs;
  std::vector<SurfaceDistances> surfaces;  ///< per pair
  OutlierReport outlier;
  Measured outlier_rater;  ///< its number from 0, or why there is none
  std::vector<Suspicion> suspicions;
  std::vector<ConsensusStudy> consensuses;
};

/// All that was asked for, from counts; only surfaces and parts look at voxels again.
/// Throws UsageError when confidence is asked for in a consensus from elsewhere.
AgreementStudy study_agreement(const Reduction& reduction, std::vector<Evaluated> evaluated,
                               const StudyOptions& asked, int threads = 0);

}  // namespace crema
