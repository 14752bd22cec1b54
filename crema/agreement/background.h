// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crema/base/warning.h"

namespace crema {

struct Method;
struct Options;
struct Reduction;

/// An image that shows the same drawings with less or more around them.
struct ImageSize {
  enum class Kind : std::uint8_t { box, image, padded };

  Kind kind = Kind::image;
  std::int32_t extra = 0;       ///< box: the margin; padded: how many times the background of the image
  std::int64_t voxels = 0;      ///< of the whole image
  std::int64_t background = 0;  ///< of these, voxels that nobody drew
};

/// "box", "box + 4", "image", "10 × background".
std::string to_string(const ImageSize& size);

/// What a consensus comes to in an image of one size.
struct Extent {
  std::int64_t voxels = 0;  ///< with a level above 0.5
  double soft_volume = 0;   ///< Σ level
  double entropy = 0;       ///< in nats
  bool converged = true;
};

/// One method, or `staple` with one of its priors, at every size.
struct ExtentCurve {
  const Method* method = nullptr;
  std::optional<int> alpha = {};  ///< of the prior A/N^alpha; none where a method has no prior
  bool sees_background = false;   ///< the method depends on how large the background is
  std::vector<Extent> at;         ///< per size; where it does not, solved once and repeated
};

/// "jaccard"; "staple" with its prior: "staple w=1/2", "staple w=mean", "staple w=mean²"; its simpler forms
/// "accuracy w=1/2", and "accuracy" with the mean.
std::string to_string(const ExtentCurve& curve);

struct BackgroundStudy {
  std::int64_t union_voxels = 0;
  double mean_voxels = 0;                    ///< what a rater drew on average
  std::vector<std::int64_t> drawn_by_least;  ///< [a]: voxels that at least a + 1 raters drew
  std::vector<ImageSize> sizes;              ///< each larger than the one before
  std::size_t image = 0;                     ///< which of them is the image itself
  std::vector<ExtentCurve> curves;
};

/// Every method that works on counts, for images from the bounding box of the raters up to a hundredfold
/// background. Only the count of voxels that nobody drew is changed; no voxel is read again. `staple` is
/// run with w = 1/2, with the mean share of the image that a rater draws, and with the square of that; its
/// simpler forms with the first two. The reduction must know distances.
BackgroundStudy study_background(const Reduction& reduction, const Options& options);

/// By how many percent of the first value the last one is larger; none where the first one is 0.
std::optional<double> percent_of_change(double first, double last);

/// Whether a method's result is another one in some of the images.
bool moves(const ExtentCurve& curve);

/// What did not converge, in sentences.
Warnings background_warnings(const BackgroundStudy& study);

}  // namespace crema
