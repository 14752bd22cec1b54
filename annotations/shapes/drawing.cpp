// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/drawing.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace crema::annotations {
namespace {

/// Calls `paint` with the place of each row of a patch in its picture.
template <class F>
void each_row(const Patch& patch, Extent picture, F paint) {
  for (std::int32_t y = 0; y < patch.box.height; ++y)
    paint(patch.row(y), std::int64_t{patch.top + y} * picture.width + patch.left);
}

/// Returns whether the patch marks any pixel.
bool add_to(HardImage& mask, const Patch& patch, Extent picture) {
  bool marks = false;
  each_row(patch, picture, [&](const std::uint8_t* row, std::int64_t place) {
    for (std::int32_t x = 0; x < patch.box.width; ++x)
      if (row[x] != 0) {
        mask[static_cast<std::size_t>(place + x)] = 1;
        marks = true;
      }
  });
  return marks;
}

template <class F>
void each_place(const Window& window, Extent picture, F take) {
  for (std::int64_t y = window.top; y < window.bottom; ++y)
    for (std::int64_t x = window.left; x < window.right; ++x)
      take(static_cast<std::size_t>(y * picture.width + x));
}

/// Label maps above each other, so that labels may overlap. Only where something is drawn is looked at: of
/// many categories each is small.
class Layers {
 public:
  explicit Layers(Extent picture) : picture_(picture), pixels_(static_cast<std::size_t>(picture.pixels())) {}

  /// Puts a category into the first layer where it covers no other; returns that layer.
  std::int64_t add(const HardImage& mask, const Window& window, std::uint16_t value) {
    std::size_t free = 0;
    while (free < layers_.size() && covers(layers_[free], mask, window)) ++free;
    if (free == layers_.size()) layers_.emplace_back(pixels_);
    each_place(window, picture_, [&](std::size_t i) {
      if (mask[i] != 0) layers_[free][i] = value;
    });
    return static_cast<std::int64_t>(free);
  }

  LabelImage whole() && {
    if (layers_.empty()) return LabelImage(pixels_);
    LabelImage all(pixels_ * layers_.size());
    for (std::size_t l = 0; l < layers_.size(); ++l)
      std::copy(layers_[l].begin(), layers_[l].end(), all.begin() + static_cast<std::ptrdiff_t>(l * pixels_));
    return all;
  }

  [[nodiscard]] std::size_t count() const { return std::max<std::size_t>(layers_.size(), 1); }

 private:
  [[nodiscard]] bool covers(const LabelImage& layer, const HardImage& mask, const Window& window) const {
    bool found = false;
    each_place(window, picture_, [&](std::size_t i) { found = found || (mask[i] != 0 && layer[i] != 0); });
    return found;
  }

  Extent picture_;
  std::size_t pixels_;
  std::vector<LabelImage> layers_;
};

/// "#e66a2d" as three numbers from 0 to 1; nothing for anything else.
std::string colour_text(const std::string& colour) {
  std::uint32_t number = 0;
  if (colour.size() != 7 || colour.front() != '#') return "";
  const auto read = std::from_chars(colour.data() + 1, colour.data() + 7, number, 16);
  if (read.ec != std::errc() || read.ptr != colour.data() + 7) return "";
  return fmt::format("{:.6f} {:.6f} {:.6f}", (number >> 16) / 255.0, (number >> 8 & 0xFF) / 255.0,
                     (number & 0xFF) / 255.0);
}

}  // namespace

files::Header header_of(Extent picture) {
  files::Header header;
  header.grid.size = {picture.width, picture.height, 1};
  header.grid.measured = false;
  return header;
}

Drawing draw_mask(Extent picture, std::span<const Object* const> objects) {
  HardImage mask(static_cast<std::size_t>(picture.pixels()));
  std::int64_t unmarked = 0;
  for (const Object* one : objects)
    if (!add_to(mask, rasterise(one->shape, picture), picture)) ++unmarked;
  return {std::move(mask), header_of(picture), unmarked};
}

Drawing draw_segments(Extent picture, std::span<const Object* const> objects,
                      const std::vector<Category>& categories, std::span<const std::size_t> present) {
  Drawing drawing{{}, header_of(picture), 0};
  Layers layers(picture);
  HardImage mask(static_cast<std::size_t>(picture.pixels()));
  for (const std::size_t category : present) {
    Window window;
    for (const Object* one : objects)
      if (one->category == category) {
        const Patch patch = rasterise(one->shape, picture);
        if (!add_to(mask, patch, picture)) ++drawing.unmarked;
        if (!patch.empty()) window.add(patch);
      }
    const auto value = static_cast<std::uint16_t>(category + 1);
    const std::int64_t layer = window.empty() ? 0 : layers.add(mask, window, value);
    each_place(window, picture, [&](std::size_t i) { mask[i] = 0; });
    const Category& own = categories[category];
    drawing.reference.segments.push_back({.name = own.name,
                                          .id = fmt::format("Segment_{}", value),
                                          .colour = colour_text(own.colour),
                                          .layer = layer,
                                          .value = value});
  }
  drawing.reference.channels = static_cast<std::int32_t>(layers.count());
  drawing.image = files::label_image("drawing.seg.nrrd", std::move(layers).whole());
  return drawing;
}

std::int64_t drawing_bytes(Extent picture, std::size_t categories) {
  // Two masks of a byte; layers of two bytes, apart, together and packed.
  return picture.pixels() * (2 + (categories > 1 ? 8 * std::int64_t(categories) : 2));
}

}  // namespace crema::annotations
