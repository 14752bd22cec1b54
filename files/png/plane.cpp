// SPDX-License-Identifier: Apache-2.0
#include "files/png/plane.h"

#include <algorithm>
#include <cstring>

#include "files/io/sentence.h"

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

[[noreturn]] void refuse_alpha(const Path& path) {
  refuse(path,
         "varies both in colour and in transparency, so that it is unclear where the mask is; flatten it");
}

template <class T>
PngPlane plane_of_samples(const PngPixels& pixels, const Path& path) {
  const std::size_t colours = pixels.channels >= 3 ? 3 : 1;
  const bool has_alpha = pixels.channels % 2 == 0;
  const Channel<T> first = channel<T>(pixels, 0);
  bool plain = constant(first), grey = true;
  for (std::size_t c = 1; c < colours; ++c) {
    plain = plain && constant(channel<T>(pixels, c));
    grey = grey && equal(first, channel<T>(pixels, c));
  }
  if (has_alpha && !constant(channel<T>(pixels, colours))) {
    if (!plain) refuse_alpha(path);
    return {
        copy(channel<T>(pixels, colours)), {sentence(path, "its transparency is taken as the mask")}, false};
  }
  if (!grey)
    refuse(path, "is a colour image, not a mask; export it as black and white, or its labels as NIfTI");
  return {copy(first), {}, false};
}

struct Use {
  bool plain = true;      ///< one colour
  bool grey = true;       ///< only greys
  bool one_alpha = true;  ///< one transparency
};

Use use_of(const PngPixels& pixels, const std::array<bool, 256>& used) {
  const auto& first = pixels.table[pixels.samples[0]];
  Use use;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto& entry = pixels.table[i];
    if (!used[i]) continue;
    use.plain = use.plain && std::equal(entry.begin(), entry.begin() + 3, first.begin());
    use.grey = use.grey && entry[0] == entry[1] && entry[1] == entry[2];
    use.one_alpha = use.one_alpha && entry[3] == first[3];
  }
  return use;
}

PngPlane plane_of_palette(const PngPixels& pixels, const Path& path) {
  std::array<bool, 256> used{};
  for (const std::uint8_t index : pixels.samples) used[index] = true;
  const Use use = use_of(pixels, used);
  if (!use.one_alpha && !use.plain) refuse_alpha(path);
  PngPlane plane{pixels.samples, {}, false};
  if (!use.one_alpha) plane.warnings.push_back(sentence(path, "its transparency is taken as the mask"));
  if (use.one_alpha && !use.grey) {
    plane.warnings.push_back(
        sentence(path, "its palette is coloured; the numbers of the colours are taken as values"));
    plane.numbered = true;
    return plane;
  }
  for (std::uint8_t& sample : plane.samples) sample = pixels.table[sample][use.one_alpha ? 0 : 3];
  return plane;
}

}  // namespace

PngPlane mask_plane(const PngPixels& pixels, const Path& path) {
  if (pixels.palette) return plane_of_palette(pixels, path);
  return pixels.sample_bytes == 2 ? plane_of_samples<std::uint16_t>(pixels, path)
                                  : plane_of_samples<std::uint8_t>(pixels, path);
}

}  // namespace crema::files
