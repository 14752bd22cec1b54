// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "crema/agreement/background.h"
#include "study/chapters/section.h"
#include "study/masks.h"
#include "study/statistics/statistics.h"

namespace crema::study {

/// fig:1a and fig:1b over a cohort: how results depend on the background, with means and spread over cases.
class BackgroundCurves {
 public:
  void take(const CountedCase& one);
  void take(const std::string& name, const BackgroundStudy& study);
  [[nodiscard]] Section cases() const;   ///< what the others are means of
  [[nodiscard]] Section sizes() const;   ///< fig:1a
  [[nodiscard]] Section priors() const;  ///< fig:1b
  /// Nothing where every case has masks.
  [[nodiscard]] std::vector<std::string> failures() const;

 private:
  struct Point {
    std::string curve, size;
    bool prior = false;  ///< it is run with several priors
    Mean image, voxels, soft, entropy, against_box, of_union, is_union;
    std::vector<double> soft_of_cases = {}, union_of_cases = {};
  };
  Point& point(const ExtentCurve& curve, const std::string& size);
  void add_case(const BackgroundStudy& study, const ExtentCurve& curve, std::size_t s,
                const std::string& size);

  std::size_t levels_ = 0;  ///< cases that were fused from levels
  std::vector<std::vector<Cell>> cases_;
  std::vector<Point> points_;
  std::map<std::string, std::size_t> places_;
};

/// What stands there when nobody requested them.
std::vector<Section> background_not_requested();

}  // namespace crema::study
