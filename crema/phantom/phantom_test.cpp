// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/phantom.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/voxels/components.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

constexpr std::array kKinds{PhantomKind::organ, PhantomKind::lesions, PhantomKind::cord, PhantomKind::toy,
                            PhantomKind::spine};

std::uint64_t fingerprint(const Phantom& phantom) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const auto& mask : phantom.masks)
    for (const std::uint8_t v : mask) h = (h ^ v) * 0x100000001b3U;
  return h;
}

Components union_components(const Phantom& phantom) {
  const std::vector<Mask> masks(phantom.masks.begin(), phantom.masks.end());
  const Votes votes = take_votes(phantom.grid.voxels(), masks);
  return find_components(phantom.grid, votes, make_neighbourhood(phantom.grid, 0, std::nullopt));
}

std::int64_t count(Mask mask) { return std::count(mask.begin(), mask.end(), std::uint8_t{1}); }

double dice(Mask a, Mask b) {
  const auto both = std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0});
  return 2.0 * static_cast<double>(both) / static_cast<double>(count(a) + count(b));
}

bool has_voxel_in(Mask mask, std::span<const Run> runs) {
  return std::any_of(runs.begin(), runs.end(), [&](const Run& run) {
    const auto begin = mask.begin() + run.first;
    return std::find(begin, begin + run.length, std::uint8_t{1}) != begin + run.length;
  });
}

/// How many components of the union were drawn by so many raters.
std::vector<int> components_by_raters(const Phantom& phantom) {
  const Components components = union_components(phantom);
  std::vector<int> result(phantom.masks.size() + 1, 0);
  for (const Component& component : components.list) {
    const auto drew = [&](const auto& mask) { return has_voxel_in(mask, components.runs_of(component)); };
    ++result[static_cast<std::size_t>(std::count_if(phantom.masks.begin(), phantom.masks.end(), drew))];
  }
  return result;
}

void expect_good_masks(const PhantomOptions& options) {
  const Phantom phantom = make_phantom(options);
  for (const auto& mask : phantom.masks) {
    ASSERT_EQ(std::ssize(mask), phantom.grid.voxels());
    EXPECT_TRUE(std::all_of(mask.begin(), mask.end(), [](std::uint8_t v) { return v <= 1; }));
    EXPECT_GT(count(mask), 0);
    EXPECT_LT(count(mask), phantom.grid.voxels());
  }
}

std::string refusal(const PhantomOptions& options) {
  try {
    make_phantom(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Phantom, GivesTheSameBytesOnEveryMachine) {
  EXPECT_EQ(fingerprint(make_phantom({.kind = PhantomKind::organ})), 0x4b187a3eaa83a723U);
  EXPECT_EQ(fingerprint(make_phantom({.kind = PhantomKind::lesions})), 0x12f3e68bd935483fU);
  EXPECT_EQ(fingerprint(make_phantom({.kind = PhantomKind::cord})), 0xd85dc3992d08381eU);
}

TEST(Phantom, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const PhantomKind kind : kKinds) {
    Phantom one, three;
    with_threads(1, [&] { one = make_phantom({.kind = kind}); });
    with_threads(3, [&] { three = make_phantom({.kind = kind}); });
    EXPECT_EQ(one.masks, three.masks);
  }
}

TEST(Phantom, FollowsTheSeed) {
  for (const PhantomKind kind : kKinds)
    EXPECT_NE(make_phantom({.kind = kind, .seed = 1}).masks, make_phantom({.kind = kind, .seed = 2}).masks);
}

TEST(Phantom, HasTheSizeAndRatersOfThePaperUnlessToldOtherwise) {
  const Phantom phantom = make_phantom({.kind = PhantomKind::cord});
  EXPECT_EQ(phantom.grid.size, phantom_size(PhantomKind::cord, PhantomSize::small));
  EXPECT_EQ(std::ssize(phantom.masks), 4);
  const Phantom other = make_phantom({.kind = PhantomKind::cord, .size = {20, 30, 3}, .raters = 9});
  EXPECT_EQ(other.grid.size, (std::array<std::int32_t, 3>{20, 30, 3}));
  EXPECT_EQ(std::ssize(other.masks), 9);
}

TEST(Phantom, ARaterDrawsTheSameHoweverManyOthersThereAre) {
  for (const PhantomKind kind : {PhantomKind::organ, PhantomKind::cord}) {
    const Phantom few = make_phantom({.kind = kind, .raters = 2});
    const Phantom many = make_phantom({.kind = kind, .raters = 6});
    EXPECT_EQ(few.masks[0], many.masks[0]);
    EXPECT_EQ(few.masks[1], many.masks[1]);
  }
}

TEST(Phantom, MasksAreZeroAndOneAndNeverEmpty) {
  for (const PhantomKind kind : kKinds)
    for (const std::array<std::int32_t, 3> size :
         {std::array{48, 40, 12}, std::array{8, 8, 1}, std::array{8, 8, 8}, std::array{64, 9, 1},
          std::array{17, 90, 2}, std::array{96, 96, 1}})
      for (const int raters : {1, 2, 5, 64})
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
          SCOPED_TRACE(testing::Message()
                       << "kind " << static_cast<int>(kind) << ", size " << size[0] << 'x' << size[1] << 'x'
                       << size[2] << ", raters " << raters << ", seed " << seed);
          expect_good_masks({.kind = kind, .size = size, .raters = raters, .seed = seed});
        }
}

TEST(Phantom, AnOrganIsOneComponentOnWhichRatersMostlyAgree) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Phantom phantom = make_phantom({.kind = PhantomKind::organ, .seed = seed});
    EXPECT_EQ(union_components(phantom).list.size(), 1U);
    for (std::size_t i = 1; i < phantom.masks.size(); ++i) {
      const double overlap = dice(phantom.masks[i], phantom.masks[i - 1]);
      EXPECT_GT(overlap, 0.84);
      EXPECT_LT(overlap, 0.96);
    }
  }
}

TEST(Phantom, TheFullOrganFillsABoxLikeThoseOfThePaper) {
  const auto size = phantom_size(PhantomKind::organ, PhantomSize::full);
  const Phantom phantom = make_phantom({.kind = PhantomKind::organ, .size = size});
  const Components components = union_components(phantom);
  ASSERT_EQ(components.list.size(), 1U);
  const auto box = components.list[0].box.size();
  EXPECT_TRUE(box[0] >= 58 && box[0] <= 227) << box[0];
  EXPECT_TRUE(box[1] >= 53 && box[1] <= 184) << box[1];
  EXPECT_TRUE(box[2] >= 62 && box[2] <= 180) << box[2];
}

TEST(Phantom, ACordIsOneComponentWhoseRatersDisagreeOnItsEnds) {
  const Phantom phantom = make_phantom({.kind = PhantomKind::cord});
  EXPECT_EQ(union_components(phantom).list.size(), 1U);
  EXPECT_EQ(phantom.grid.spacing[2], 10 * phantom.grid.spacing[0]);
  const std::int64_t slice = phantom.grid.voxels() / phantom.grid.size[2];
  const auto first_slice_empty = [&](const auto& mask) {
    return std::count(mask.begin(), mask.begin() + slice, std::uint8_t{1}) == 0;
  };
  const auto last_slice_empty = [&](const auto& mask) {
    return std::count(mask.end() - slice, mask.end(), std::uint8_t{1}) == 0;
  };
  const auto skipping = std::count_if(phantom.masks.begin(), phantom.masks.end(), first_slice_empty) +
                        std::count_if(phantom.masks.begin(), phantom.masks.end(), last_slice_empty);
  EXPECT_GT(skipping, 0);
  EXPECT_LT(skipping, 8);
}

TEST(Phantom, TheFullLesionsAreAboutNinetyOverThreeDecadesOfSize) {
  const auto size = phantom_size(PhantomKind::lesions, PhantomSize::full);
  const Components components = union_components(make_phantom({.kind = PhantomKind::lesions, .size = size}));
  EXPECT_GE(components.list.size(), 80U);
  EXPECT_LE(components.list.size(), 100U);
  const auto [least, most] =
      std::minmax_element(components.list.begin(), components.list.end(),
                          [](const Component& a, const Component& b) { return a.voxels < b.voxels; });
  EXPECT_LE(least->voxels, 10);
  EXPECT_GE(most->voxels, 5000);
}

TEST(Phantom, SomeLesionsAreDrawnByAMinorityMostByTheMajority) {
  const std::vector<int> drawn = components_by_raters(make_phantom({.kind = PhantomKind::lesions}));
  ASSERT_EQ(drawn.size(), 8U);
  const int minority = drawn[1] + drawn[2] + drawn[3];
  const int majority = drawn[4] + drawn[5] + drawn[6] + drawn[7];
  EXPECT_EQ(drawn[0], 0);
  EXPECT_GE(minority, 2);
  EXPECT_GT(majority, minority);
}

TEST(Phantom, SomeLesionsMergeForSomeRatersOnly) {
  const Phantom all = make_phantom({.kind = PhantomKind::lesions, .size = {128, 128, 64}, .seed = 5});
  int split = 0;
  const Components merged = union_components(all);
  for (const auto& mask : all.masks) {
    const Components own = union_components({.grid = all.grid, .masks = {mask}});
    int present = 0;
    for (const Component& component : merged.list)
      present += has_voxel_in(mask, merged.runs_of(component)) ? 1 : 0;
    if (static_cast<int>(own.list.size()) > present) ++split;
  }
  EXPECT_GT(split, 0);
}

TEST(Phantom, HasAsManyLesionsAsAskedFor) {
  const PhantomOptions options{
      .kind = PhantomKind::lesions, .size = {160, 160, 160}, .raters = 1, .lesions = 200};
  const std::size_t found = union_components(make_phantom(options)).list.size();
  EXPECT_GT(found, 160U);
  EXPECT_LE(found, 200U);
}

TEST(Phantom, AToyHasOneComponentAndNoVoxelWithTwoVotes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Phantom phantom = make_phantom({.kind = PhantomKind::toy, .seed = seed});
    ASSERT_EQ(phantom.masks.size(), 3U);
    EXPECT_EQ(union_components(phantom).list.size(), 1U) << seed;
    for (std::size_t v = 0; v < phantom.masks[0].size(); ++v)
      ASSERT_LE(phantom.masks[0][v] + phantom.masks[1][v] + phantom.masks[2][v], 1) << seed;
  }
}

TEST(Phantom, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(refusal({.size = {7, 96, 96}}),
            "phantom of size 7×96×96: the first two axes need at least 8 voxels and the last at least 1; "
            "choose a larger size.");
  EXPECT_NE(refusal({.size = {96, 96, 0}}), "accepted");
  EXPECT_NE(refusal({.size = {-96, -96, 9}}), "accepted");
  EXPECT_NE(refusal({.size = {2'000'000'000, 2'000'000'000, 2'000'000'000}}), "accepted");
  EXPECT_EQ(refusal({.raters = 65}), "phantom with 65 raters: there may be 1 to 64.");
  EXPECT_NE(refusal({.raters = -1}), "accepted");
  EXPECT_NE(refusal({.lesions = -1}), "accepted");
}

TEST(Phantom, KnowsItsKindsByName) {
  EXPECT_EQ(parse_phantom_kind("organ"), PhantomKind::organ);
  EXPECT_EQ(parse_phantom_kind("lesions"), PhantomKind::lesions);
  EXPECT_EQ(parse_phantom_kind("cord"), PhantomKind::cord);
  EXPECT_EQ(parse_phantom_kind("toy"), PhantomKind::toy);
  EXPECT_EQ(parse_phantom_kind("spine"), PhantomKind::spine);
  EXPECT_THROW(parse_phantom_kind("brain"), UsageError);
}

}  // namespace
}  // namespace crema
