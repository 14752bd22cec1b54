// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "files/dicom/elements/bytes.h"
#include "files/dicom/elements/characters.h"
#include "files/io/sentence.h"
#include "files/io/suspect.h"
#include "files/io/text_header.h"

namespace crema::files::dicom {

namespace {

namespace fs = std::filesystem;

/// Frames whose measures differ by no more lie alike.
constexpr double kSameMeasure = 1e-4;

/// Texts that a segmentation takes over.
constexpr std::array<Tag, 19> kShared{
    0x00080020,        0x00080023, 0x00080030,    0x00080033,      0x00080050,   0x00080090, 0x00081030,
    0x00100010,        0x00100020, 0x00100030,    0x00100040,      kStudyUid,    kSeriesUid, 0x00200010,
    kFrameOfReference, 0x00201040, kCharacterSet, kSliceThickness, kPixelSpacing};

/// The texts of one image, by their tags.
using Texts = std::map<Tag, std::string>;

struct SliceHeader {
  Texts texts;
  std::uint16_t rows = 0, columns = 0;
};

bool is_text_wanted(Tag tag) {
  return tag == kSopClass || tag == kSopInstance || tag == kImagePosition || tag == kImageOrientation ||
         tag == kNumberOfFrames || std::find(kShared.begin(), kShared.end(), tag) != kShared.end();
}

/// Nothing where the file is no DICOM image with a place in space.
std::optional<SliceHeader> read_image(const fs::path& path) {
  const Source source(path);
  if (!has_preamble(source.start(132))) return {};
  ElementReader reader(source);
  std::int64_t first = 0;
  const std::string syntax = read_meta(reader, first);
  if (syntax == "1.2.840.10008.1.2.2" || syntax == "1.2.840.10008.1.2.1.99")
    refuse(path, "uses the transfer syntax {}, which is not supported; convert it with 'dcmconv'",
           name_of_uid(syntax));
  SliceHeader image;
  const auto value = [&](const Path& around, const Element& own) {
    if (!around.empty()) return;
    if (is_text_wanted(own.tag)) image.texts[own.tag] = text_of(reader, own);
    if (own.tag == kRows) image.rows = short_of(reader, own);
    if (own.tag == kColumns) image.columns = short_of(reader, own);
  };
  walk(reader, first, syntax, {}, {.value = value, .item = [](const Path&) {}});
  if (image.texts[kImagePosition].empty() || image.texts[kImageOrientation].empty()) return {};
  return image;
}

/// What the file holds, in words.
std::string kind_of(const fs::path& path) {
  const Source source(path);
  ElementReader reader(source);
  std::int64_t first = 0;
  const std::string syntax = read_meta(reader, first);
  std::string kind;
  const auto value = [&](const Path& around, const Element& own) {
    if (around.empty() && own.tag == kSopClass) kind = text_of(reader, own);
  };
  walk(reader, first, syntax, {}, {.value = value, .item = [](const Path&) {}});
  return printable(std::string(name_of_uid(kind)));
}

/// No file in the folder is an image of one slice that says where it lies.
[[noreturn]] void refuse_without_series(const fs::path& folder, const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) {
    const Source source(path);
    const auto start = source.start(132);
    const std::string name = printable(path.filename());
    if (has_preamble(start))
      refuse(
          folder,
          "is a folder without a DICOM image series of one file for each slice: {} holds {}; convert it to "
          "NIfTI, or name the folder of the series",
          name, kind_of(path));
    if (is_bare_dicom(start))
      refuse(folder,
             "is a folder without a readable DICOM image series: {} has no preamble; write its files again "
             "with 'dcmconv'",
             name);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_directory())
      refuse(folder,
             "is a folder without a DICOM image series, but with subfolders, such as {}; name the one that "
             "holds the series",
             printable(entry.path().filename()));
  refuse(folder, "is a folder without a DICOM image series; name the files in it");
}

using Images = std::vector<std::pair<fs::path, SliceHeader>>;

Images read_images(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.file_size() > 0) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  Images images;
  std::set<std::string> series;
  for (const fs::path& path : paths)
    if (auto image = read_image(path)) {
      series.insert(image->texts[kSeriesUid]);
      images.emplace_back(path, std::move(*image));
    }
  if (series.size() == 1) return images;
  if (series.empty()) refuse_without_series(folder, paths);
  refuse(folder, "holds {} image series, but one is needed; name the folder of the series that was segmented",
         series.size());
}

std::vector<double> reals(const std::string& text, std::size_t count, const fs::path& path) {
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), '\\', ' ');
  auto numbers = parse_reals(spaced);
  if (!numbers || numbers->size() != count)
    refuse(path, "'{}' is not {} numbers; it is damaged: copy or save it again", printable(text), count);
  return std::move(*numbers);
}

/// Each image is another one, in another place.
void check_distinct(const Images& images, const fs::path& folder) {
  std::map<std::string, fs::path> places, names;
  for (const auto& [path, image] : images) {
    const auto place = places.emplace(image.texts.at(kImagePosition), path.filename());
    if (!place.second)
      refuse(folder,
             "{} and {} lie in the same place; name a folder with one image for each slice, of one phase or "
             "echo",
             printable(place.first->second), printable(path.filename()));
    const auto found = image.texts.find(kSopInstance);
    if (found == image.texts.end() || found->second.empty()) continue;
    const auto name = names.emplace(found->second, path.filename());
    if (!name.second)
      refuse(folder, "{} and {} have the same SOPInstanceUID {}; they are damaged: copy or save them again",
             printable(name.first->second), printable(path.filename()), printable(found->second));
  }
}

void agree(double own, double first, const fs::path& path, std::string_view what) {
  if (std::abs(own - first) > kSameMeasure)
    refuse(path, "{} than the others; name a folder with the slices of one series", what);
}

/// All images as the frames of one file, so that they are sorted by the same rules.
Segmentation as_frames(const Images& images) {
  Segmentation file;
  file.kind = Kind::label_map;
  file.rows = images.front().second.rows;
  file.columns = images.front().second.columns;
  for (const auto& [path, image] : images) {
    if (image.rows != file.rows || image.columns != file.columns || image.texts.contains(kNumberOfFrames))
      refuse(
          path,
          "has several frames, or another size than the others; name a folder with the slices of one series");
    const auto o = reals(image.texts.at(kImageOrientation), 6, path);
    const auto p = reals(image.texts.at(kImagePosition), 3, path);
    const auto found = image.texts.find(kPixelSpacing);
    if (found == image.texts.end()) refuse(path, "does not state its pixel spacing (0028,0030)");
    const auto s = reals(found->second, 2, path);
    if (!file.measures.orientation) {
      file.measures.orientation = {o[0], o[1], o[2], o[3], o[4], o[5]};
      file.measures.pixel = {s[0], s[1]};
      // Of several slices, all are there: they lie as far apart as they are.
      if (const auto t = image.texts.find(kSliceThickness);
          images.size() == 1 && t != image.texts.end() && !t->second.empty())
        file.measures.thickness = reals(t->second, 1, path).front();
    }
    for (std::size_t i = 0; i < 6; ++i)
      agree(o[i], (*file.measures.orientation)[i], path, "is turned otherwise");
    for (std::size_t i = 0; i < 2; ++i)
      agree(s[i], (*file.measures.pixel)[i], path, "has pixels of another size");
    file.frames.push_back({.segment = {}, .position = Vec{p[0], p[1], p[2]}});
  }
  return file;
}

/// Known character sets become UTF-8, so that names of segments fit beside them.
void take_texts(Series& series, const SliceHeader& image, const fs::path& path) {
  const auto characters = image.texts.find(kCharacterSet);
  series.characters = characters == image.texts.end() ? "" : characters->second;
  const std::string& own = series.characters;
  const bool known = own.empty() || own == "ISO_IR 6" || own == "ISO_IR 100" || own == "ISO_IR 192";
  for (const Tag tag : kShared) {
    const auto found = image.texts.find(tag);
    if (found == image.texts.end() || tag == kCharacterSet) continue;
    Warnings ignored;
    series.shared[tag] =
        known ? utf8_of(found->second, own.empty() ? "ISO_IR 100" : own, path, ignored) : found->second;
  }
  if (known) series.characters = "ISO_IR 192";
}

}  // namespace

std::string shared_text(const Series& series, Tag tag) {
  const auto found = series.shared.find(tag);
  return found == series.shared.end() ? "" : found->second;
}

Series read_series(const fs::path& folder) {
  const Images images = read_images(folder);
  check_distinct(images, folder);
  Series series;
  const Segmentation file = as_frames(images);
  series.stack = stack_frames(file, folder);
  series.stack.warnings.clear();
  series.measures = file.measures;
  const auto& order = series.stack.of_segment.front();
  if (static_cast<std::int64_t>(order.size()) != series.stack.grid.size[2])
    refuse(folder, "holds {} slices of a series of {}; add those that are missing", order.size(),
           series.stack.grid.size[2]);
  for (const Slice& slice : order) {
    const auto& [path, image] = images[static_cast<std::size_t>(slice.frame)];
    const Texts& texts = image.texts;
    const auto text = [&](Tag tag) { return texts.contains(tag) ? texts.at(tag) : ""; };
    series.slices.push_back({text(kSopClass), text(kSopInstance), text(kImagePosition), path});
  }
  const SliceHeader& first = images[static_cast<std::size_t>(order.front().frame)].second;
  take_texts(series, first, folder);
  series.orientation = first.texts.at(kImageOrientation);
  series.pixel_spacing = first.texts.at(kPixelSpacing);
  const auto thickness = first.texts.find(kSliceThickness);
  series.thickness = thickness == first.texts.end() ? "" : thickness->second;
  return series;
}

}  // namespace crema::files::dicom
