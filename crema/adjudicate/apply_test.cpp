// SPDX-License-Identifier: Apache-2.0
#include "crema/adjudicate/apply.h"

#include <bit>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/review/zones.h"
#include "crema/base/error.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// Voxel by voxel, from the masks.
void apply_plainly(const agreement_testing::Fused& c, const Verdict& verdict, Bytes& image) {
  const Reduction& reduction = c.consensus.reduction;
  const Bytes before = agreement_testing::inside(c.consensus.image);
  const Component& component = reduction.components.list[verdict.component];
  std::set<std::int64_t> about;
  for (const Run& run : reduction.components.runs_of(component))
    for (std::int32_t i = 0; i < run.length; ++i) about.insert(run.first + i);
  bool kept = false;
  int present = 0;
  for (const Bytes& mask : c.random.masks)
    present += std::any_of(about.begin(), about.end(),
                           [&](std::int64_t v) { return mask[static_cast<std::size_t>(v)] != 0; });
  const auto votes = [&](std::int64_t v) {
    int count = 0;
    for (const Bytes& mask : c.random.masks) count += mask[static_cast<std::size_t>(v)] != 0 ? 1 : 0;
    return count;
  };
  for (const std::int64_t v : about) kept |= before[static_cast<std::size_t>(v)] != 0;
  const bool any_half =
      std::any_of(about.begin(), about.end(), [&](std::int64_t v) { return 2 * votes(v) >= present; });
  if (verdict.zone) {
    const Zones zones = find_zones(reduction, verdict.component);
    about.clear();
    for (std::size_t z = 0; z < zones.list.size(); ++z)
      if (zones.list[z].first == *verdict.zone)
        for (const Run& run : zones.voxels_of(reduction.grid, z).runs)
          for (std::int32_t i = 0; i < run.length; ++i) about.insert(run.first + i);
  }
  for (const std::int64_t voxel : about) {
    const auto v = static_cast<std::size_t>(voxel);
    bool in = before[v] != 0;
    if (verdict.action == Action::reject) in = false;
    if (verdict.action == Action::rater) in = c.random.masks[static_cast<std::size_t>(verdict.rater)][v] != 0;
    if (verdict.action == Action::majority) in = 2 * votes(voxel) > static_cast<int>(c.random.masks.size());
    if (verdict.action == Action::accept && verdict.zone) in = true;
    if (verdict.action == Action::accept && !verdict.zone && !kept)
      in = !any_half || 2 * votes(voxel) >= present;
    image[v] = in ? 1 : 0;
  }
}

Verdict random_verdict(const Reduction& reduction, std::mt19937_64& random) {
  Verdict verdict{.component = random() % reduction.crowns.size(),
                  .action = static_cast<Action>(random() % 5),
                  .rater = static_cast<int>(random() % static_cast<std::size_t>(reduction.raters))};
  const Zones zones = find_zones(reduction, verdict.component);
  if (!zones.list.empty() && random() % 2 == 0) verdict.zone = zones.list[random() % zones.list.size()].first;
  return verdict;
}

/// Decisions about the mask, or about a label of it.
void apply_to(const agreement_testing::Fused& c, std::span<const Verdict> verdicts, const Image& consensus,
              Image& image, double value = 1) {
  const DecidedStructure one{&c.consensus.reduction, &c.consensus.solution, "", value};
  apply_verdicts({&one, 1}, verdicts, consensus, image);
}

TEST(Apply, IsAPlainReadingOfTheDecisionsInTheirOrder) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const auto c = agreement_testing::make(seed, "jaccard");
    const Reduction& reduction = c.consensus.reduction;
    if (reduction.crowns.empty()) continue;
    std::mt19937_64 random(seed);
    Bytes expected = agreement_testing::inside(c.consensus.image);
    std::vector<Verdict> verdicts;
    for (int n = 0; n < 5; ++n) {
      verdicts.push_back(random_verdict(reduction, random));
      apply_plainly(c, verdicts.back(), expected);
    }
    Image image = c.consensus.image;
    apply_to(c, verdicts, c.consensus.image, image);
    ASSERT_EQ(agreement_testing::inside(image), expected);
  }
}

TEST(Apply, ABrushDrawsAndErasesAnywhere) {
  const auto c = agreement_testing::make_of_several(1, "jaccard");
  Image image = c.consensus.image;
  const auto voxels = static_cast<std::int32_t>(c.random.grid.voxels());
  const std::vector<Verdict> verdicts{{.action = Action::draw, .runs = {{0, voxels}}},
                                      {.action = Action::erase, .runs = {{1, 1}}}};
  apply_to(c, verdicts, c.consensus.image, image);
  Bytes expected(static_cast<std::size_t>(voxels), 1);
  expected[1] = 0;
  EXPECT_EQ(agreement_testing::inside(image), expected);
}

template <class Voxels>
void leaves_the_others_alone() {
  const auto c = agreement_testing::make_of_several(1, "jaccard");
  Voxels labels(static_cast<std::size_t>(c.random.grid.voxels()));
  for (auto& label : labels) label = 7;
  const Image consensus = labels;
  Image image = consensus;
  const std::vector<Verdict> verdicts{{.component = 0, .action = Action::reject}};
  apply_to(c, verdicts, consensus, image, 3);
  const Applied applied = compare_images(consensus, image);
  EXPECT_EQ(applied.added + applied.removed, 0);  // nothing was label 3
}

TEST(Apply, OfALabelLeavesTheOthersAlone) {
  leaves_the_others_alone<LabelImage>();
  leaves_the_others_alone<HardImage>();  // what labels up to 255 may be held in
}

TEST(Apply, LaterDecisionsHaveTheLastWordOnTheVoxelsThatLabelsShare) {
  const auto c = agreement_testing::make_of_several(1, "jaccard");
  const Image consensus = LabelImage(static_cast<std::size_t>(c.random.grid.voxels()));
  const std::vector<DecidedStructure> structures{{&c.consensus.reduction, &c.consensus.solution, "a", 1},
                                                 {&c.consensus.reduction, &c.consensus.solution, "b", 2}};
  const Verdict a{.label = "a", .action = Action::draw, .runs = {{0, 3}}};
  const Verdict b{.label = "b", .action = Action::draw, .runs = {{2, 3}}};
  const auto third = [&](const std::vector<Verdict>& verdicts) {
    Image image = consensus;
    apply_verdicts(structures, verdicts, consensus, image);
    return std::get<LabelImage>(image)[2];
  };
  EXPECT_EQ(third({a, b}), 2);
  EXPECT_EQ(third({b, a}), 1);
  EXPECT_EQ(third({b, a, {.label = "a", .action = Action::erase, .runs = {{2, 1}}}}), 0);
}

TEST(Apply, RefusesWhatTheCaseDoesNotHave) {
  const auto c = agreement_testing::make_of_several(1, "jaccard");
  Image image = c.consensus.image;
  const auto apply = [&](Verdict verdict) { apply_to(c, {&verdict, 1}, c.consensus.image, image); };
  EXPECT_THROW(apply({.component = 10000, .action = Action::reject}), InputError);
  EXPECT_THROW(apply({.component = 0, .zone = -2, .action = Action::reject}), InputError);
  EXPECT_THROW(apply({.component = 0, .action = Action::rater, .rater = 60}), InputError);
  EXPECT_THROW(apply({.label = "liver", .component = 0, .action = Action::reject}), InputError);
}

TEST(Apply, RefusesWhatWouldWalkOverAComponentWithoutEnd) {
  const Grid grid{.size = {250, 200, 1}};
  const Bytes mask(50'000, 1);
  const std::vector<Mask> views{mask, mask};
  const Consensus consensus = fuse(grid, views, {});
  const DecidedStructure one{&consensus.reduction, &consensus.solution};
  const std::vector<Verdict> verdicts(100'001, Verdict{.component = 0, .action = Action::keep});
  Image image = consensus.image;
  EXPECT_THROW(apply_verdicts({&one, 1}, verdicts, consensus.image, image), InputError);
  EXPECT_NO_THROW(apply_verdicts({&one, 1}, std::span(verdicts).first(10), consensus.image, image));
}

}  // namespace
}  // namespace crema
