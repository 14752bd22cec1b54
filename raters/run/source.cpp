// SPDX-License-Identifier: Apache-2.0
// Where raters come from: files, masks or label maps in memory.
#include <utility>

#include "crema/base/parallel.h"
#include "raters/read/labels.h"
#include "raters/read/levels.h"
#include "raters/run/run.h"

namespace crema::raters {

Source from_files(RaterFiles raters) {
  Source source{.reference = raters.reference,
                .names = rater_names(raters),
                .warnings = raters.warnings,
                .repeats = raters.repeats};
  const auto files = std::make_shared<const RaterFiles>(std::move(raters));
  source.describe = [files] { return values_text(*files); };
  source.take = [files](const Settings& settings, int threads, const Hooks& hooks) {
    return read_votes(*files, load_options(*files, settings, threads, {}, hooks));
  };
  source.take_levels = [files](const Settings& settings, int threads, const Hooks& hooks) {
    return read_levels(*files, settings, threads, hooks);
  };
  source.take_labels = [files](Settings& settings, int threads, const Hooks& hooks) {
    return read_labels(*files, settings, threads, hooks);
  };
  return source;
}

Source from_memory(files::Header reference, std::vector<Mask> masks, std::vector<std::string> names,
                   std::vector<std::string> unchecked) {
  Source source{.reference = std::move(reference), .names = std::move(names)};
  source.take = [grid = source.reference.grid, masks = std::move(masks), unchecked = std::move(unchecked)](
                    const Settings& settings, int threads, const Hooks&) {
    const ReadingNeed need{.voxels = grid.voxels(), .raters = static_cast<int>(masks.size())};
    std::optional<Loaded> loaded;
    with_threads(affordable_threads(need, threads, allowed_memory(settings)),
                 [&] { loaded = take_masks(grid, masks, unchecked); });
    return std::move(*loaded);
  };
  return source;
}

Source from_levels(files::Header reference, LevelArrays maps, std::vector<std::string> names) {
  Source source{.reference = std::move(reference), .names = std::move(names)};
  source.take_levels = [grid = source.reference.grid, maps = std::move(maps), own = source.names](
                           const Settings& settings, int threads, const Hooks&) {
    LoadedLevels loaded;
    with_threads(threads, [&] { loaded = take_levels(grid, maps, settings, own); });
    return loaded;
  };
  return source;
}

Source from_maps(files::Header reference, std::shared_ptr<const LabelMaps> maps,
                 std::vector<std::string> names) {
  Source source{.reference = std::move(reference), .names = std::move(names)};
  source.take_labels = [maps = std::move(maps)](Settings& settings, int, const Hooks&) {
    LoadedLabels loaded{.maps = maps};
    loaded.segments = name_segments({}, settings, loaded.warnings);
    return loaded;
  };
  return source;
}

}  // namespace crema::raters
