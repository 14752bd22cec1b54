// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/phantom.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/counts/tally.h"
#include "crema/phantom/hash.h"
#include "crema/phantom/scene.h"

namespace crema {
namespace {

using Size = std::array<std::int32_t, 3>;

constexpr std::int32_t kSmallestInPlane = 8;
constexpr double kMaxVoxels = 0x1p36;
constexpr int kMaxLesions = 10'000'000;
constexpr const char* kUnknownKind =
    "phantom of an unknown kind: there are organ, lesions, cord, spine and toy.";

struct KindRow {
  std::string_view name;
  int raters;
  Size small, full;
};

constexpr std::array<KindRow, 5> kKinds{{
    {"organ", 5, {48, 96, 96}, {160, 480, 480}},
    {"lesions", 7, {64, 96, 96}, {200, 370, 370}},
    {"cord", 4, {96, 96, 9}, {300, 300, 15}},
    {"toy", 3, {24, 18, 1}, {24, 18, 1}},
    {"spine", 4, {96, 96, 9}, {300, 300, 15}},
}};

const KindRow& row_of(PhantomKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::string to_text(const Size& size) { return fmt::format("{}×{}×{}", size[0], size[1], size[2]); }

void check_size(const Size& size) {
  if (size[0] < kSmallestInPlane || size[1] < kSmallestInPlane || size[2] < 1)
    throw InputError(
        fmt::format("phantom of size {}: the first two axes need at least {} voxels and the last at least 1; "
                    "choose a larger size.",
                    to_text(size), kSmallestInPlane));
  if (static_cast<double>(size[0]) * size[1] * size[2] > kMaxVoxels)
    throw InputError(
        fmt::format("phantom of size {}: more than 2^36 voxels; choose a smaller size.", to_text(size)));
}

void check_counts(int raters, int lesions) {
  if (raters < 1 || raters > kMaxRaters)
    throw InputError(fmt::format("phantom with {} raters: there may be 1 to {}.", raters, kMaxRaters));
  if (lesions < 0 || lesions > kMaxLesions)
    throw InputError(
        fmt::format("phantom with {} lesions: there may be 1 to {}, or 0 for as many as suit the size.",
                    lesions, kMaxLesions));
}

void check_errors(double shared) {
  if (!(shared >= 0 && shared <= 1))
    throw InputError(fmt::format("phantom with shared errors of {}: there may be 0 to 1.", shared));
}

phantom::Scene scene_of_panel(const PhantomOptions& options, const Size& size, int raters,
                              const phantom::Panel& panel) {
  switch (options.kind) {
    case PhantomKind::organ:
      return phantom::organ_scene(size, panel, options.seed);
    case PhantomKind::lesions:
      return phantom::lesion_scene(size, raters, options.lesions, panel, options.seed);
    case PhantomKind::cord:
      return phantom::cord_scene(size, phantom::Matter::grey, panel, options.seed);
    case PhantomKind::spine:
      return phantom::cord_scene(size, phantom::Matter::whole, panel, options.seed);
    case PhantomKind::toy:
      return phantom::toy_scene(size, raters, options.seed);
  }
  throw InputError(kUnknownKind);
}

phantom::Scene scene_of(const PhantomOptions& options, const Size& size, int raters) {
  const phantom::Panel panel{.key = options.panel.value_or(options.seed), .shared = options.shared_errors};
  if (options.panel) return scene_of_panel(options, size, raters, panel);
  switch (options.kind) {
    case PhantomKind::organ:
      return phantom::organ_scene(size, options.seed);
    case PhantomKind::lesions:
      return phantom::lesion_scene(size, raters, options.lesions, options.seed);
    case PhantomKind::cord:
      return phantom::cord_scene(size, options.seed);
    case PhantomKind::spine:
    case PhantomKind::toy:
      return scene_of_panel(options, size, raters, panel);
  }
  throw InputError(kUnknownKind);
}

}  // namespace

PhantomKind parse_phantom_kind(std::string_view name) {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i].name == name) return static_cast<PhantomKind>(i);
  throw UsageError(
      fmt::format("no phantom is called \"{}\": there are organ, lesions, cord, spine and toy.", name));
}

std::array<std::int32_t, 3> phantom_size(PhantomKind kind, PhantomSize size) {
  return size == PhantomSize::full ? row_of(kind).full : row_of(kind).small;
}

int phantom_raters(PhantomKind kind) { return row_of(kind).raters; }

PhantomOptions case_of_cohort(const PhantomOptions& cohort, int number) {
  PhantomOptions one = cohort;
  one.panel = cohort.seed;
  one.seed = phantom::bits(cohort.seed, phantom::Draw::order, number);
  return one;
}

Phantom make_phantom(const PhantomOptions& options) {
  const Size size = options.size == Size{} ? phantom_size(options.kind, PhantomSize::small) : options.size;
  const int raters = options.raters == 0 ? phantom_raters(options.kind) : options.raters;
  check_size(size);
  check_counts(raters, options.lesions);
  check_errors(options.shared_errors);
  const phantom::Scene scene = scene_of(options, size, raters);
  Phantom result{.grid = scene.grid, .masks = {}};
  result.masks.resize(static_cast<std::size_t>(raters));
  parallel_for(raters, [&](std::int64_t rater) {
    auto& mask = result.masks[static_cast<std::size_t>(rater)];
    mask = HardImage(static_cast<std::size_t>(scene.grid.voxels()));
    scene.draw(static_cast<int>(rater), mask);
  });
  return result;
}

}  // namespace crema
