// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/kappa.h"

#include <bit>

#include "crema/counts/groups.h"
#include "crema/gather.h"

namespace crema {
namespace {

/// Whole numbers that all three coefficients are made of.
struct Answers {
  std::int64_t raters = 0, voxels = 0;
  std::int64_t inside = 0;    ///< Σ n: answers that said inside
  std::int64_t agreed = 0;    ///< Σ n(n−1)
  std::int64_t differed = 0;  ///< Σ n(K−n)
};

Answers count(const Groups& groups) {
  Answers answers{.raters = groups.raters};
  for (const Group& row : groups.rows) {
    const std::int64_t n = std::popcount(row.raters);
    answers.voxels += row.voxels;
    answers.inside += row.voxels * n;
    answers.agreed += row.voxels * n * (n - 1);
    answers.differed += row.voxels * n * (groups.raters - n);
  }
  return answers;
}

/// 1 − observed/expected disagreement. Two answers of one voxel differ with the chance 2 Σn(K−n) / NK(K−1),
/// two of all NK answers with 2AB / NK·`others`, where A said inside and B outside. Kappa draws the second
/// one with replacement, out of NK; alpha without, out of NK−1.
Measured corrected(const Groups& groups, bool replace) {
  const Answers answers = count(groups);
  if (answers.raters < 2) return Undefined::one_rater;
  const auto all = static_cast<double>(answers.voxels) * static_cast<double>(answers.raters);
  const auto inside = static_cast<double>(answers.inside);
  if (answers.inside == 0 || answers.inside == answers.voxels * answers.raters) return Undefined::one_value;
  const double others = replace ? all : all - 1;
  return 1 - static_cast<double>(answers.differed) / static_cast<double>(answers.raters - 1) * others /
                 (inside * (all - inside));
}

ChanceCorrectedAt at(const Groups& drawn, const ImageSize& size) {
  Groups groups = drawn;
  if (size.background > 0) groups.rows.insert(groups.rows.begin(), {0, size.background});
  return {size, fleiss_kappa(groups), krippendorff_alpha(groups)};
}

}  // namespace

Measured positive_agreement(const Groups& groups) {
  const Answers answers = count(groups);
  if (answers.raters < 2) return Undefined::one_rater;
  if (answers.inside == 0) return answers.raters == 2 ? Undefined::both_empty : Undefined::nobody_drew;
  return static_cast<double>(answers.agreed) /
         (static_cast<double>(answers.raters - 1) * static_cast<double>(answers.inside));
}

Measured positive_agreement(const Reduction& reduction) { return positive_agreement(gather(reduction, {})); }

Measured fleiss_kappa(const Groups& groups) { return corrected(groups, true); }

Measured krippendorff_alpha(const Groups& groups) { return corrected(groups, false); }

ChanceCorrected chance_corrected(const Reduction& reduction, const Region& region) {
  const Groups groups = gather(reduction, region);
  ChanceCorrected result{.region = region, .voxels = groups.voxels()};
  if (!groups.rows.empty() && groups.rows.front().raters == 0) result.background = groups.rows.front().voxels;
  result.kappa = fleiss_kappa(groups);
  result.alpha = krippendorff_alpha(groups);
  return result;
}

std::vector<ChanceCorrectedAt> follow_background(const Reduction& reduction) {
  constexpr std::int32_t kTimes = 10;
  Groups drawn = gather(reduction, {});
  if (!drawn.rows.empty() && drawn.rows.front().raters == 0) drawn.rows.erase(drawn.rows.begin());
  const std::int64_t union_voxels = drawn.voxels(), all = reduction.grid.voxels();
  const std::int64_t box =
      region_voxels(reduction.grid, reduction.components, {.kind = Region::Kind::box, .margin = 0});
  std::vector<ChanceCorrectedAt> list;
  if (box > 0 && box < all) list.push_back(at(drawn, {ImageSize::Kind::box, 0, box, box - union_voxels}));
  list.push_back(at(drawn, {ImageSize::Kind::image, 0, all, all - union_voxels}));
  // Where the raters left nothing, the image itself is the measure.
  const std::int64_t more = kTimes * (all > union_voxels ? all - union_voxels : all);
  list.push_back(at(drawn, {ImageSize::Kind::padded, kTimes, union_voxels + more, more}));
  return list;
}

}  // namespace crema
