// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/joint/replicas.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "crema/agreement/measures.h"
#include "crema/base/error.h"
#include "crema/labels/classes.h"
#include "crema/labels/regions.h"
#include "crema/labels/testing.h"

namespace crema {
namespace {

constexpr std::size_t kRaters = 4;
const Grid kGrid = grid_of(15, 12, 3);

/// A case of some of the raters, with components of its own.
using CountOf = std::function<LabelCounts(const std::vector<std::size_t>& raters)>;

struct Kind {
  const char* name;
  CountOf count;
  std::vector<const char*> methods;
  Options options = {};
};

Maps some(const Maps& maps, const std::vector<std::size_t>& raters) {
  Maps chosen;
  for (const std::size_t k : raters) chosen.push_back(maps[k]);
  return chosen;
}

CountOf labels(unsigned seed) {
  const Maps maps = random_maps(kGrid, kRaters, 3, seed);
  return [maps](const std::vector<std::size_t>& raters) { return counted(kGrid, some(maps, raters)); };
}

CountOf regions(unsigned seed) {
  const Maps maps = random_maps(kGrid, kRaters, 3, seed);
  return [maps](const std::vector<std::size_t>& raters) {
    Warnings ignored;
    LabelCounts counts = count_labels(taken(kGrid, some(maps, raters)),
                                      nest({{"whole", {1, 2, 3}}, {"core", {2, 3}}, {"inner", {3}}}, ignored),
                                      Needs::distances, {});
    counts.regions = true;
    return counts;
  };
}

/// Levels of three classes that fall off around what each rater drew, and sum to at most 1.
CountOf classes(unsigned seed) {
  const Maps maps = random_maps(kGrid, kRaters, 3, seed);
  return [maps](const std::vector<std::size_t>& raters) {
    ClassLevels levels(3);
    for (const std::size_t k : raters)
      for (std::size_t s = 0; s < 3; ++s) {
        std::vector<float> map(maps[k].size());
        for (std::size_t v = 0; v < map.size(); ++v) {
          double near = 0;
          for (const std::size_t w : {v == 0 ? v : v - 1, v, std::min(v + 1, map.size() - 1)})
            near += maps[k][w] == s + 1 ? 0.3 : 0;
          map[v] = static_cast<float>(near);
        }
        levels[s].emplace_back(0.05).add(0, map);
      }
    return count_classes(kGrid, {{1, "", {1}, -1, 1}, {2, "", {2}, -1, 2}, {3, "", {3}, -1, 3}},
                         std::move(levels), Needs::groups, {.blocks = Blocks::group});
  };
}

std::vector<Kind> kinds(unsigned seed) {
  return {{"labels", labels(seed), {"jaccard", "dice", "tanimoto", "majority", "staple"}},
          {"regions", regions(seed), {"jaccard", "soergel", "staple"}},
          {"classes", classes(seed), {"jaccard", "tanimoto", "median"}, {.blocks = Blocks::group}}};
}

std::vector<std::size_t> all_but(std::size_t left) {
  std::vector<std::size_t> raters;
  for (std::size_t k = 0; k < kRaters; ++k)
    if (k != left) raters.push_back(k);
  return raters;
}

/// One label of a joint consensus, as it is put beside the raters.
Solution part(const LabelCounts& counts, const LabelConsensus& joint, std::size_t s) {
  return evaluate_image(counts.structures[s].reduction, "", image_of_label(counts, joint, s),
                        joint.method->distance, {})
      .solution;
}

TEST(JointReplicas, LeavingARaterOutIsTheJointConsensusOfTheOthers) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const Kind& kind : kinds(seed))
      for (const char* name : kind.methods) {
        const Method& method = find_method(name);
        const LabelCounts all = kind.count({0, 1, 2, 3});
        const LabelConsensus with = solve_labels(all, method, kind.options);
        JointReplicas replicas;
        for (std::size_t s = 0; s < all.structures.size(); ++s) {
          Solution own = part(all, with, s);
          own.method = &method;
          const auto found = replicas.leave_one_out(all, s, own, kind.options, LeaveOut::exact);
          ASSERT_EQ(found.size(), kRaters);
          for (std::size_t k = 0; k < kRaters; ++k) {
            const LabelCounts less = kind.count(all_but(k));
            if (less.structures.size() != all.structures.size()) continue;
            const LabelConsensus without = solve_labels(less, method, kind.options);
            const VoxelSet a = set_of_image(kGrid, image_of_label(all, with, s)),
                           b = set_of_image(kGrid, image_of_label(less, without, s));
            const CommonCounts expected{a.voxels, b.voxels, count_common(a, b)};
            ASSERT_EQ(found[k].voxels, expected) << kind.name << ' ' << name << ' ' << seed << ' ' << s;
            ASSERT_DOUBLE_EQ(found[k].lmsd, without.labels[s].joint.lmsd) << kind.name << ' ' << name;
          }
        }
      }
}

TEST(JointReplicas, AFixedOneIsTheJointConsensusWithWeightZero) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const Kind& kind : kinds(seed))
      for (const char* name : {"jaccard", "tanimoto"}) {
        const LabelCounts all = kind.count({0, 1, 2, 3});
        Solution own = part(all, solve_labels(all, find_method(name), kind.options), 1);
        own.method = &find_method(name);
        JointReplicas replicas;
        const auto found = replicas.leave_one_out(all, 1, own, kind.options, LeaveOut::fixed);
        Options options = kind.options;
        options.weights = {1, 1, 0, 1};
        const LabelConsensus without = solve_labels(all, find_method(name), options);
        ASSERT_EQ(found[2].voxels.second, set_of_image(kGrid, image_of_label(all, without, 1)).voxels);
        ASSERT_DOUBLE_EQ(found[2].lmsd, without.labels[1].joint.lmsd) << kind.name << ' ' << name;
      }
}

/// The first seed that draws every rater once.
std::uint64_t seed_of_all() {
  for (std::uint64_t seed = 0;; ++seed)
    if (draw_raters(kRaters, seed, 0) == std::vector<double>(kRaters, 1)) return seed;
}

TEST(JointReplicas, EveryRaterDrawnOnceIsTheJointConsensus) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const Kind& kind : kinds(seed))
      for (const char* name : kind.methods) {
        const LabelCounts all = kind.count({0, 1, 2, 3});
        const LabelConsensus joint = solve_labels(all, find_method(name), kind.options);
        JointReplicas replicas;
        for (std::size_t s = 0; s < all.structures.size(); ++s) {
          const Solution own = part(all, joint, s);
          const Bootstrap found =
              replicas.bootstrap(all, s, find_method(name), kind.options, 1, seed_of_all());
          ASSERT_EQ(found.voxels.median, static_cast<double>(own.voxels)) << kind.name << ' ' << name;
          ASSERT_NEAR(found.soft_volume.median, own.soft_volume, 1e-6 * own.soft_volume);
          ASSERT_DOUBLE_EQ(found.lmsd.median, joint.labels[s].joint.lmsd) << kind.name << ' ' << name;
          for (std::size_t c = 0; c < own.components.size(); ++c)
            ASSERT_EQ(found.kept[c], own.components[c].voxels > 0 ? 1 : 0) << kind.name << ' ' << name;
          ASSERT_EQ(set_of_image(kGrid, *found.image), set_of_image(kGrid, image_of_label(all, joint, s)));
        }
      }
}

TEST(JointReplicas, RefusesMethodsThatLookAtNeighboursButForNewComponents) {
  const LabelCounts all = labels(1)({0, 1, 2, 3});
  Solution own{.method = &find_method("shape")};
  JointReplicas replicas;
  EXPECT_THROW(replicas.leave_one_out(all, 0, own, {}, LeaveOut::fixed), UsageError);
  EXPECT_THROW(replicas.bootstrap(all, 0, *own.method, {}, 2, 1), UsageError);
  EXPECT_THROW(replicas.bootstrap(all, 0, find_method("jaccard"), {}, 0, 1), UsageError);
}

}  // namespace
}  // namespace crema
