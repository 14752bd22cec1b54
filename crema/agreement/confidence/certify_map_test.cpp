// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/certify_map.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/voxels/votes/votes.h"
#include "test/random_case.h"

namespace crema {
namespace {

std::vector<float> as_map(const Image& image) {
  return std::visit([](const auto& voxels) { return std::vector<float>(voxels.begin(), voxels.end()); },
                    image);
}

/// Voxels above 0 that no mask has.
std::int64_t drawn_by_nobody(const std::vector<float>& map, const std::vector<Mask>& masks) {
  std::int64_t count = 0;
  for (std::size_t v = 0; v < map.size(); ++v)
    if (map[v] > 0 && std::none_of(masks.begin(), masks.end(), [&](Mask mask) { return mask[v] != 0; }))
      ++count;
  return count;
}

RC_GTEST_PROP(Certify, TellsTheSameLmsdAsTheMethodThatMadeTheMap, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  for (const Method& method : methods()) {
    if (!takes_masks(method)) continue;
    auto options = c.options();
    options.method = method.name;
    const Consensus consensus = fuse(c.grid, c.views(), options);
    const MapCertificate certificate =
        certify_map(consensus.reduction, as_map(consensus.image), method.distance, options);
    RC_ASSERT(std::abs(certificate.lmsd - consensus.solution.lmsd) < 1e-5);  // the image holds float32 levels
    RC_ASSERT(certificate.lower_bound <= certificate.lmsd + 1e-12);
    RC_ASSERT(certificate.voxels == consensus.solution.voxels);
    RC_ASSERT(certificate.outside == drawn_by_nobody(as_map(consensus.image), c.views()));
  }
}

TEST(Certify, CountsVoxelsThatNobodyDrewAndRefusesLevelsThatAreNone) {
  const std::vector<std::uint8_t> mask{1, 1, 0, 0};
  const Grid grid{.size = {4, 1, 1}};
  const auto reduction = reduce(grid, take_votes(4, std::vector<Mask>{mask}), Needs::distances, {});
  const std::vector<float> stray{1, 1, 0, 1}, half{1, 0.5F, 0, 0}, wrong{2, 0, 0, 0}, few{1, 1};
  EXPECT_EQ(certify_map(reduction, stray, Distance::jaccard, {}).outside, 1);
  EXPECT_EQ(certify_map(reduction, stray, Distance::jaccard, {}).lmsd, 0);
  EXPECT_THROW(certify_map(reduction, half, Distance::jaccard, {}), InputError);
  EXPECT_NO_THROW(certify_map(reduction, half, Distance::soergel, {}));
  EXPECT_THROW(certify_map(reduction, wrong, Distance::tanimoto, {}), InputError);
  EXPECT_THROW(certify_map(reduction, few, Distance::tanimoto, {}), InputError);
}

}  // namespace
}  // namespace crema
