// SPDX-License-Identifier: Apache-2.0
#include "files/png/palette.h"

#include <algorithm>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

using Path = std::filesystem::path;
using Entries = std::vector<std::size_t>;  ///< numbers of palette entries, in order

constexpr std::size_t kMaxListed = 12;

/// Entries that occur in the picture, every one of them in the palette.
Entries entries_in_use(const PngPixels& pixels, const Path& path) {
  std::array<bool, 256> used{};
  for (const std::uint8_t index : pixels.samples) used[index] = true;
  Entries entries;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) entries.push_back(i);
  }
  if (!entries.empty() && entries.back() >= pixels.colours)
    refuse(path, "uses entry {} of a palette of {} colours; it is damaged: copy or save it again",
           entries.back(), pixels.colours);
  return entries;
}

Entries all_entries(const PngPixels& pixels) {
  Entries entries(pixels.colours);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = i;
  return entries;
}

struct Look {
  bool plain = true;      ///< one colour
  bool grey = true;       ///< only greys
  bool one_alpha = true;  ///< one transparency
};

Look look_of(const PngPixels& pixels, const Entries& entries) {
  Look look;
  for (const std::size_t i : entries) {
    const auto &entry = pixels.table[i], &first = pixels.table[entries.front()];
    look.plain = look.plain && std::equal(entry.begin(), entry.begin() + 3, first.begin());
    look.grey = look.grey && entry[0] == entry[1] && entry[1] == entry[2];
    look.one_alpha = look.one_alpha && entry[3] == first[3];
  }
  return look;
}

bool transparent(const PngPixels& pixels, std::size_t i) { return pixels.table[i][3] == 0; }

bool black(const PngPixels& pixels, std::size_t i) {
  const auto& entry = pixels.table[i];
  return entry[0] == 0 && entry[1] == 0 && entry[2] == 0;
}

Entries empty_looking(const PngPixels& pixels, Entries entries) {
  std::erase_if(entries, [&](std::size_t i) { return !transparent(pixels, i) && !black(pixels, i); });
  return entries;
}

/// "0 (255, 0, 0), 3 (0, 0, 0)".
std::string list(const PngPixels& pixels, const Entries& entries) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMaxListed, entries.size()); ++i) {
    const auto& [red, green, blue, alpha] = pixels.table[entries[i]];
    text += fmt::format("{}{} ({}, {}, {})", i == 0 ? "" : ", ", entries[i], red, green, blue);
  }
  return entries.size() > kMaxListed ? text + " …" : text;
}

/// What to do where it is unclear which entries are inside.
std::string choice_advice(const ReadOptions& options, std::string_view verb, std::size_t entry) {
  if (!options.takes_label) return "export it as black and white";
  return fmt::format("{} with {}", verb, Sentence::setting("label", std::to_string(entry)));
}

/// The one entry that is black or transparent: of the palette, or where writers filled it up, of those in
/// use.
std::size_t background_of(const PngPixels& pixels, const Entries& used, const ReadOptions& options,
                          const Path& path) {
  Entries found = empty_looking(pixels, all_entries(pixels));
  if (found.size() != 1) found = empty_looking(pixels, used);
  if (found.size() == 1) return found.front();
  refuse(path,
         "has a coloured palette in which {} black or transparent, so its background is unclear: it holds "
         "the entries {}; {}",
         found.empty() ? "none is" : "several are", list(pixels, used),
         choice_advice(options, "choose what is inside", used.back()));
}

/// Everything but the background, where that is one thing.
PngPlane foreground(const PngPixels& pixels, Entries used, const ReadOptions& options, const Path& path) {
  const std::size_t background = background_of(pixels, used, options, path);
  std::erase(used, background);
  if (used.size() > 1)
    refuse(path, "has {} colours besides its background, the palette entry {}: the entries {}; {}",
           used.size(), background, list(pixels, used),
           choice_advice(options, "choose one of them", used[0]));
  PngPlane plane{pixels.samples,
                 {sentence(path, "its palette is coloured; entry {}, which is {}, is used as background",
                           background, transparent(pixels, background) ? "transparent" : "black")}};
  for (std::uint8_t& sample : plane.samples) sample = sample == background ? 0 : 1;
  return plane;
}

}  // namespace

PngPlane palette_plane(const PngPixels& pixels, PlaneUse use, const ReadOptions& options, const Path& path) {
  const Entries used = entries_in_use(pixels, path);
  const bool choosing = use == PlaneUse::numbers;
  // What is chosen must mean the same in every file with this palette, whatever occurs in it.
  const Look look = look_of(pixels, choosing ? all_entries(pixels) : used);
  const bool by_alpha = look.plain && !look.one_alpha;
  const bool by_level = look.grey && (look.one_alpha || (choosing && look_of(pixels, used).one_alpha));
  if (by_alpha || by_level) {
    PngPlane plane{pixels.samples, {}};
    if (by_alpha)
      plane.warnings.push_back({sentence(path, "its transparency is used as the mask"), WarningKind::values});
    for (std::uint8_t& sample : plane.samples) sample = pixels.table[sample][by_alpha ? 3 : 0];
    return plane;
  }
  if (use == PlaneUse::levels)
    refuse(path, "has a coloured palette, so its levels are unclear; export it as grey");
  if (!choosing) return foreground(pixels, used, options, path);
  return {pixels.samples,
          {sentence(path, "its palette is coloured; the numbers of its entries are used as values")}};
}

}  // namespace crema::files
