// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npy_array.h"

#include <algorithm>
#include <cmath>

#include "crema/base/text.h"
#include "files/io/sentence.h"
#include "files/numpy/npy_values.h"
#include "files/values/map.h"

namespace crema::files {

namespace {

using Path = std::filesystem::path;

const NpyArray& array_of(const Header& header) { return *static_cast<const NpyArray*>(header.native.get()); }

/// [z][y][x] or [y][x]; axes of one voxel are dropped at both ends while there are more than two.
std::array<std::int32_t, 3> size_of(const NpyArray& array, const Path& path) {
  std::vector<std::int64_t> axes(array.header.shape.begin() + (array.classes > 0 ? 1 : 0),
                                 array.header.shape.end());
  while (axes.size() > 2 && axes.front() == 1) axes.erase(axes.begin());
  while (axes.size() > 2 && axes.back() == 1) axes.pop_back();
  const bool fits =
      std::all_of(axes.begin(), axes.end(), [](std::int64_t extent) { return extent <= INT32_MAX; });
  if (axes.size() < 2 || axes.size() > 3 || !fits) {
    refuse(path, "has the shape {}, but a mask has two or three axes, [z][y][x]; save one image of it",
           shape_text(array.header.shape));
  }
  std::array<std::int32_t, 3> size{1, 1, 1};
  for (std::size_t i = 0; i < axes.size(); ++i)
    size[i] = static_cast<std::int32_t>(axes[axes.size() - 1 - i]);
  return size;
}

void check_extent(const NpyArray& array, const Path& path) {
  const auto head = static_cast<std::int64_t>(array.header.raw.size());
  const std::int64_t declared = head + array.header.data_bytes();
  if (declared > array.bytes) {
    refuse(path, "is cut short or damaged: its header declares {} of values, but there are {}; copy it again",
           bytes_text(static_cast<double>(declared - head)),
           bytes_text(static_cast<double>(array.bytes - head)));
  }
  if (declared < array.bytes) {
    refuse(path,
           "has {} bytes after its last value; it is damaged or two arrays in one: copy or save it again",
           array.bytes - declared);
  }
}

/// Several classes, of which none was chosen: all can be fused, where people can have levels fused.
[[noreturn]] void refuse_classes(std::int64_t classes, const ReadOptions& options, const Path& path) {
  const std::string probabilities = Sentence::setting("probabilities", "True"),
                    all = Sentence::setting("labels", "all"), one = Sentence::setting("label", "1");
  if (options.levels != nullptr)
    refuse(path,
           "holds the probabilities of {} classes; fuse all of them with {}, or one with {}, such as {}",
           classes, all, Sentence::setting("label"), one);
  if (options.takes_levels && !options.threshold)
    refuse(
        path,
        "holds the probabilities of {} classes; fuse all of them with {} and {}, or one with {} and {}, or "
        "cut that one into a mask with {} and {}",
        classes, probabilities, all, probabilities, one, one, Sentence::setting("threshold", "0.5"));
  if (!options.takes_label)
    refuse(path, "holds the probabilities of {} classes; save the intended one as a separate file", classes);
  refuse(path, "holds the probabilities of {} classes; choose one with {}, such as {}", classes,
         Sentence::setting("label"), one);
}

/// The class that counts, of several.
std::int64_t choose_class(const NpyArray& array, const std::optional<double>& label,
                          const ReadOptions& options, const Path& path) {
  const std::int64_t classes = array.classes;
  if (!label) {
    if (classes > 2) refuse_classes(classes, options, path);
    return std::max<std::int64_t>(classes - 1, 0);
  }
  if (std::floor(*label) != *label || *label < 0 || *label >= static_cast<double>(classes)) {
    refuse(path, "holds the probabilities of {}, counted from 0, so there is no class {}",
           counted(classes, "class", "classes"), *label);
  }
  return static_cast<std::int64_t>(*label);
}

ValueType value_type(const NpyHeader& header) {
  ValueType type;
  type.number = header.number;
  type.swapped = header.swapped && !header.half;
  return type;
}

template <class Make>
auto read_into(const Header& header, const ReadOptions& options, std::int64_t chosen, std::size_t each,
               Make make) {
  const NpyArray& array = array_of(header);
  const Source source(header.path);
  check_memory(header.path,
               reading_bytes(array) + static_cast<double>(header.grid.voxels()) * static_cast<double>(each),
               options);
  auto builder = make();
  read_values(source, array, chosen, [&](std::span<const std::uint8_t> stored) { builder.take(stored); });
  auto file = std::move(builder).finish(header.path, header.grid);
  if (array.classes > 1 && chosen != kAllClasses) {
    file.warnings.insert(file.warnings.begin(),
                         sentence(header.path, "class {} of its {} is used", chosen, array.classes));
  }
  return file;
}

}  // namespace

Header array_header(NpyArray array, Format format, const Source& source, const ReadOptions& options) {
  Header header;
  header.path = source.path();
  header.format = format;
  check_extent(array, source.path());
  if (options.channels && array.header.shape.size() == 4) array.classes = array.header.shape.front();
  if (options.channels && array.classes > 0) header.channels = static_cast<std::int32_t>(array.classes);
  header.grid.size = size_of(array, source.path());
  header.type = type_text(array.header);
  if (!options.grid_is_given)
    header.warnings.push_back(
        {sentence(source.path(), "NumPy arrays have no spacing; sizes and distances are in voxels"),
         WarningKind::no_spacing});
  check_memory(source.path(), reading_bytes(array) + static_cast<double>(header.grid.voxels()), options);
  header.native = std::make_shared<NpyArray>(std::move(array));
  return header;
}

Checked array_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  const NpyArray& array = array_of(header);
  ReadOptions rules = options;
  std::int64_t chosen = 0;
  if (array.classes > 0) {
    chosen = choose_class(array, options.label, options, header.path);
    if (!options.threshold)
      refuse(header.path, "holds the probabilities of {}: {}", counted(array.classes, "class", "classes"),
             probability_advice(options));
    rules.label.reset();
  }
  return read_into(header, options, chosen, sizeof(std::uint8_t),
                   [&] { return MaskBuilder(value_type(array.header), rules, sink); });
}

MapFile array_read_map(const Header& header, const ReadOptions& options) {
  const NpyArray& array = array_of(header);
  const bool thinned = options.levels != nullptr;
  if (thinned && options.label && array.classes == 0)
    refuse(header.path, "holds one map, so there is no class to choose; leave out {}",
           Sentence::setting("label"));
  const std::optional<double> label = thinned ? options.label : std::nullopt;
  const std::int64_t chosen = thinned && options.channels ? kAllClasses
                              : array.classes > 0         ? choose_class(array, label, options, header.path)
                                                          : 0;
  return read_into(header, options, chosen, thinned ? 0 : sizeof(float),
                   [&] { return MapBuilder(value_type(array.header), header.grid.voxels(), options); });
}

}  // namespace crema::files
