// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/chapters/section.h"
#include "study/masks.h"
#include "study/volumes.h"

namespace crema::study {

/// Each rater's volume beside the mean of all raters of the case.
struct BlandAltman {
  struct Point {
    double mean = 0, difference = 0;
    std::size_t rater = 0;
  };
  std::vector<Point> points;
  double limit = 0;  ///< of agreement with the mean
  std::vector<std::string> raters;
  std::string unit;  ///< of the sizes: mm³, mm² or voxels
};

/// 1.96 √((K−1)/K · (σ²_rater + σ²_error)); none where variances cannot be estimated.
std::optional<double> limit_of_agreement(const std::vector<Observation>& observations, std::size_t raters);

/// Raters who keep their identity over cases: who draws large, who is far from the others, and how much of
/// the spread is whose.
class RaterStudy {
 public:
  explicit RaterStudy(Identity identity) : volumes_(identity) {}

  /// From tables: volumes.
  void take(const CaseFacts& facts) { volumes_.take(facts); }
  /// From masks: F1 of each rater against the consensus of the others.
  void take(const CountedCase& one);

  /// effects, variance and loam.
  [[nodiscard]] std::vector<Section> sections() const;
  [[nodiscard]] std::optional<BlandAltman> bland_altman() const;

 private:
  Volumes volumes_;
  RaterNames names_;
  std::vector<Observation> f1_;
};

/// How many raters are enough: the consensus of some of them against that of the others, and of all.
class PanelStudy {
 public:
  void take(const CountedCase& one);
  [[nodiscard]] Section section() const;

 private:
  struct Panels {
    std::size_t cases = 0;
    std::vector<double> against_rest, against_all;
  };
  std::map<std::pair<int, int>, Panels> sizes_;  ///< by the raters of a case and those of a panel
};

}  // namespace crema::study
