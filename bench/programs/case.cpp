// SPDX-License-Identifier: Apache-2.0
#include "bench/programs/case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/phantom/phantom.h"
#include "crema/phantom/scene.h"

namespace crema::bench {
namespace {

using Size = std::array<std::int32_t, 3>;

Size parse_size(PhantomKind kind, const std::string& text) {
  if (text == "full") return phantom_size(kind, PhantomSize::full);
  if (text == "small") return phantom_size(kind, PhantomSize::small);
  Size size{};
  if (std::sscanf(text.c_str(), "%d,%d,%d", &size[0], &size[1], &size[2]) != 3)
    throw UsageError(fmt::format("--size {}: give small, full or X,Y,Z.", text));
  return size;
}

phantom::Scene scene_of(PhantomKind kind, const Size& size, int raters, int lesions) {
  constexpr std::uint64_t kSeed = 1;
  if (kind == PhantomKind::organ) return phantom::organ_scene(size, kSeed);
  if (kind == PhantomKind::cord) return phantom::cord_scene(size, kSeed);
  return phantom::lesion_scene(size, raters, lesions, kSeed);
}

/// Larger by the same factor along each axis; a single slice stays one.
Size padded(Size size, double background) {
  const bool flat = size[2] == 1;
  const double factor = flat ? std::sqrt(background) : std::cbrt(background);
  for (std::size_t a = 0; a < (flat ? 2U : 3U); ++a)
    size[a] = static_cast<std::int32_t>(std::lround(size[a] * factor));
  return size;
}

/// The mask in the middle of a larger grid.
std::vector<std::uint8_t> embed(std::span<const std::uint8_t> mask, const Size& from, const Grid& to) {
  std::vector<std::uint8_t> all(static_cast<std::size_t>(to.voxels()));
  Size low{};
  for (std::size_t a = 0; a < 3; ++a) low[a] = (to.size[a] - from[a]) / 2;
  const auto width = static_cast<std::size_t>(from[0]);
  for (std::int32_t z = 0; z < from[2]; ++z)
    for (std::int32_t y = 0; y < from[1]; ++y) {
      const auto row =
          (static_cast<std::size_t>(z) * static_cast<std::size_t>(from[1]) + static_cast<std::size_t>(y)) *
          width;
      const std::int64_t at =
          (static_cast<std::int64_t>(z + low[2]) * to.size[1] + y + low[1]) * to.size[0] + low[0];
      std::copy_n(mask.data() + row, width, all.data() + at);
    }
  return all;
}

}  // namespace

void declare(cli::Parser& parser, CaseOptions& options) {
  cli::add_text_option(parser, {"--size", "small|full|X,Y,Z", ""}, options.size);
  cli::add_number_option(parser, {"--raters", "N", ""}, options.raters, {0, 64});
  cli::add_number_option(parser, {"--lesions", "N", ""}, options.lesions, {0, 1'000'000});
  cli::take(parser, {"--background", "TIMES", ""}, [&options](const std::string& text) {
    options.background = parse_number(text);
    if (options.background < 1 || options.background > 1e4) throw UsageError("1 to 10000 times.");
  });
}

void parse(cli::Parser& parser, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    parser.parse(words);
  } catch (const UsageError& e) {
    fmt::print(stderr, "{}: {}\n", argv[0], e.what());
    std::exit(2);
  }
}

Case make_case(const CaseOptions& options) {
  const PhantomKind kind = parse_phantom_kind(options.kind);
  const Size size = parse_size(kind, options.size);
  Case sample;
  sample.raters = options.raters > 0 ? options.raters : phantom_raters(kind);
  const auto scene =
      std::make_shared<const phantom::Scene>(scene_of(kind, size, sample.raters, options.lesions));
  sample.grid = scene->grid;
  sample.grid.size = padded(size, options.background);
  sample.draw = [scene, size, grid = sample.grid](int rater) {
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(scene->grid.voxels()));
    scene->draw(rater, mask);
    return grid.size == size ? mask : embed(mask, size, grid);
  };
  return sample;
}

Image image_of(const Case& sample, int rater) {
  const auto mask = sample.draw(rater);
  HardImage image(mask.size());
  std::copy(mask.begin(), mask.end(), image.begin());
  return image;
}

std::vector<std::vector<std::uint8_t>> draw_all(const Case& sample) {
  std::vector<std::vector<std::uint8_t>> masks(static_cast<std::size_t>(sample.raters));
  parallel_for(sample.raters, [&](std::int64_t rater) {
    masks[static_cast<std::size_t>(rater)] = sample.draw(static_cast<int>(rater));
  });
  return masks;
}

}  // namespace crema::bench
