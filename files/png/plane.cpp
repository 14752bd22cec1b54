// SPDX-License-Identifier: Apache-2.0
#include "files/png/plane.h"

#include <algorithm>
#include <cstring>

#include "files/io/sentence.h"
#include "files/png/palette.h"

namespace crema::files {

namespace {

using Path = std::filesystem::path;

/// One channel of interleaved samples.
template <class T>
struct Channel {
  const std::uint8_t* first;
  std::size_t stride;
  std::size_t count;

  T operator[](std::size_t i) const {
    T sample;
    std::memcpy(&sample, first + i * stride, sizeof(T));
    return sample;
  }
};

template <class T>
Channel<T> channel(const PngPixels& pixels, std::size_t index) {
  return {pixels.samples.data() + index * sizeof(T), pixels.channels * sizeof(T),
          pixels.width * pixels.height};
}

template <class T>
bool constant(const Channel<T>& samples) {
  for (std::size_t i = 1; i < samples.count; ++i) {
    if (samples[i] != samples[0]) return false;
  }
  return true;
}

template <class T>
bool equal(const Channel<T>& a, const Channel<T>& b) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

template <class T>
std::vector<std::uint8_t> copy(const Channel<T>& samples) {
  std::vector<std::uint8_t> bytes(samples.count * sizeof(T));
  for (std::size_t i = 0; i < samples.count; ++i) {
    std::memcpy(&bytes[i * sizeof(T)], samples.first + i * samples.stride, sizeof(T));
  }
  return bytes;
}

/// What to do with a picture in colours.
std::string colour_advice(PlaneUse use, const ReadOptions& options) {
  if (use == PlaneUse::levels) return "so its levels are unclear; export it as grey";
  if (!options.takes_label) return "not a mask; export it as black and white";
  return fmt::format(
      "not a mask; if its colours stand for labels, name a table of them with {}, or export it as black and "
      "white",
      Sentence::setting("palette"));
}

template <class T>
PngPlane plane_of_samples(const PngPixels& pixels, PlaneUse use, const ReadOptions& options,
                          const Path& path) {
  const std::size_t colours = pixels.channels >= 3 ? 3 : 1;
  const bool has_alpha = pixels.channels % 2 == 0;
  const Channel<T> first = channel<T>(pixels, 0);
  bool plain = constant(first), grey = true;
  for (std::size_t c = 1; c < colours; ++c) {
    plain = plain && constant(channel<T>(pixels, c));
    grey = grey && equal(first, channel<T>(pixels, c));
  }
  if (has_alpha && !constant(channel<T>(pixels, colours))) {
    if (!plain) refuse(path, "varies both in colour and in transparency, so the mask is unclear; flatten it");
    return {copy(channel<T>(pixels, colours)), {sentence(path, "its transparency is used as the mask")}};
  }
  if (!grey) refuse(path, "is a colour image, {}", colour_advice(use, options));
  return {copy(first), {}};
}

}  // namespace

PngPlane mask_plane(const PngPixels& pixels, PlaneUse use, const ReadOptions& options, const Path& path) {
  if (pixels.palette) return palette_plane(pixels, use, options, path);
  return pixels.sample_bytes == 2 ? plane_of_samples<std::uint16_t>(pixels, use, options, path)
                                  : plane_of_samples<std::uint8_t>(pixels, use, options, path);
}

}  // namespace crema::files
