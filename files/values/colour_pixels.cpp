// SPDX-License-Identifier: Apache-2.0
// Colours of pixels as labels.
#include <algorithm>
#include <cstring>

#include "files/io/sentence.h"
#include "files/values/colour_table.h"

namespace crema::files {

namespace {

/// Red, green, blue and alpha as they are stored.
using Stored = std::array<std::uint32_t, 4>;

/// One pixel after the other.
class PixelReader {
 public:
  PixelReader(const ColourPixels& pixels, const ColourTable& table, const std::filesystem::path& path)
      : pixels_(pixels), table_(table), path_(path) {}

  std::uint16_t label(std::size_t i) {
    const Stored stored = pixels_.entries.empty() ? colour_at(i) : entry_at(i);
    if (known_ && stored == last_) return label_;
    label_ = look_up(stored, i);
    last_ = stored;
    known_ = true;
    return label_;
  }

 private:
  [[nodiscard]] std::uint32_t most() const { return pixels_.entries.empty() ? pixels_.most : 255; }

  [[nodiscard]] std::uint32_t sample(std::size_t at) const {
    if (pixels_.sample_bytes == 1) return pixels_.samples[at];
    std::uint16_t value = 0;
    std::memcpy(&value, &pixels_.samples[2 * at], 2);
    return value;
  }

  [[nodiscard]] Stored colour_at(std::size_t i) const {
    const std::size_t first = i * pixels_.channels;
    const bool colour = pixels_.channels >= 3, alpha = pixels_.channels % 2 == 0;
    Stored stored{0, 0, 0, most()};
    for (std::size_t c = 0; c < 3; ++c) {
      stored[c] = sample(first + (colour ? c : 0));
      if (!colour && pixels_.white_is_zero) stored[c] = most() - stored[c];
    }
    if (alpha) stored[3] = sample(first + (colour ? 3 : 1));
    return stored;
  }

  [[nodiscard]] Stored entry_at(std::size_t i) const {
    const std::uint8_t number = pixels_.samples[i];
    if (number >= pixels_.entries.size())
      refuse(path_, "uses entry {} of a palette of {} colours; it is damaged: copy or save it again", number,
             pixels_.entries.size());
    const auto& entry = pixels_.entries[number];
    return {entry[0], entry[1], entry[2], entry[3]};
  }

  /// "pixel (3, 7)", "pixel (3, 7) of page 2".
  [[nodiscard]] std::string place(std::size_t i) const {
    const std::size_t row = i / pixels_.width, page = row / pixels_.page_height;
    const bool several = pixels_.samples.size() / (pixels_.channels * pixels_.sample_bytes) >
                         pixels_.width * pixels_.page_height;
    return fmt::format("pixel ({}, {}){}", i % pixels_.width, row % pixels_.page_height,
                       several ? fmt::format(" of page {}", page + 1) : "");
  }

  [[nodiscard]] std::uint16_t look_up(const Stored& stored, std::size_t i) const {
    if (stored[3] == 0) return 0;
    if (stored[3] != most())
      refuse(path_, "{} is partly transparent ({} of {}), so its colour is unclear; flatten the picture",
             place(i), stored[3], most());
    Colour colour{};
    bool whole = true;
    for (std::size_t c = 0; c < 3; ++c) {
      whole = whole && stored[c] * 255 % most() == 0;
      colour[c] = static_cast<std::uint8_t>(stored[c] * 255 / most());
    }
    const std::optional<std::uint16_t> found = whole ? table_.label_of(colour) : std::nullopt;
    if (!found)
      refuse(path_, "the colour ({}, {}, {}) of {} is not in {}; add it there, or correct the picture",
             stored[0], stored[1], stored[2], place(i), printable(table_.path));
    return *found;
  }

  const ColourPixels& pixels_;
  const ColourTable& table_;
  const std::filesystem::path& path_;
  bool known_ = false;
  Stored last_{};
  std::uint16_t label_ = 0;
};

}  // namespace

std::vector<std::uint16_t> labels_by_colour(const ColourPixels& pixels, const ColourTable& table,
                                            const std::filesystem::path& path) {
  const std::size_t count = pixels.samples.size() / (pixels.channels * pixels.sample_bytes);
  std::vector<std::uint16_t> labels(count);
  PixelReader reader(pixels, table, path);
  for (std::size_t i = 0; i < count; ++i) labels[i] = reader.label(i);
  return labels;
}

std::vector<Header> colour_headers(Header header, const ReadOptions& options) {
  if (!options.palette || options.label) return {std::move(header)};
  std::vector<Header> headers;
  header.segments = options.palette->classes;
  for (const SegmentInfo& one : options.palette->classes) {
    Header own = header;
    own.name = one.name;
    headers.push_back(std::move(own));
    header.warnings.clear();  // what is true of the file is said once
  }
  return headers;
}

ReadOptions class_options(const Header& header, const ReadOptions& options) {
  ReadOptions own = options;
  if (options.labels != nullptr || header.name.empty()) return own;
  for (const SegmentInfo& one : header.segments)
    if (one.name == header.name) own.label = static_cast<double>(one.value);
  return own;
}

}  // namespace crema::files
