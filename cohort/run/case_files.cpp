// SPDX-License-Identifier: Apache-2.0
// What a case is read from.
#include <algorithm>

#include <fmt/format.h>

#include "cohort/run/one_case.h"

namespace crema::cohort {

namespace fs = std::filesystem;

std::vector<std::string> rater_names(const Cohort& cohort, const CohortCase& one,
                                     const std::vector<std::string>& named) {
  std::vector<std::string> names;
  for (const std::string& name : named) {
    const auto own = [&](const RaterFile& file) {
      const std::string path = path_of(cohort, file).string();
      return name == path || name.starts_with(path + "#");
    };
    const auto file = std::find_if(one.raters.begin(), one.raters.end(), own);
    if (file == one.raters.end()) {
      names.push_back(name);
      continue;
    }
    const std::string segment = name.substr(path_of(cohort, *file).string().size());
    names.push_back(segment.empty()          ? file->rater
                    : one.raters.size() == 1 ? segment.substr(1)
                                             : file->rater + segment);
  }
  return names;
}

raters::Case load_case(const Cohort& cohort, const CohortRequest& request, const CohortCase& one,
                       const Settings& settings, Needs needs, const raters::Hooks& hooks) {
  std::vector<fs::path> paths;
  for (const RaterFile& file : one.raters) paths.push_back(path_of(cohort, file));
  std::vector<raters::AbsentRater> absent;
  for (const std::string& rater : empty_raters(request, cohort, one)) {
    const auto found = std::lower_bound(cohort.raters.begin(), cohort.raters.end(), rater);
    absent.push_back({rater, static_cast<std::size_t>(found - cohort.raters.begin())});
  }
  const bool empty = request.missing == Missing::empty;
  const raters::Lacking lacking = empty ? raters::Lacking::empty : raters::Lacking::missing;
  return raters::load(
      {.paths = paths, .settings = settings, .needs = needs, .absent = absent, .lacking = lacking}, hooks);
}

Settings for_one_case(Settings settings, const CohortCase& one) {
  settings.like = for_case(std::move(settings.like), one.name);
  settings.region_file = for_case(std::move(settings.region_file), one.name);
  if (settings.labels) settings.labels->preset = true;
  if (settings.regions) settings.regions->preset = true;
  return settings;
}

std::optional<raters::GreyImage> read_image(const Cohort& cohort, const CohortCase& one,
                                            const files::Header& reference, const Settings& settings,
                                            Warnings& warnings) {
  if (one.image.empty()) return {};
  try {
    const raters::GreyFile file = raters::open_grey(cohort.root / one.image, reference, settings);
    raters::GreyImage image = raters::read_grey(file, reference.grid, settings);
    append(warnings, image.warnings);
    return image;
  } catch (const InputError& e) {
    warnings.push_back({fmt::format("The page shows no image beneath the masks. {}", e.sentence.marked()),
                        WarningKind::file});
  } catch (const FileError& e) {
    warnings.push_back({fmt::format("The page shows no image beneath the masks. {}", e.sentence.marked()),
                        WarningKind::file});
  }
  return {};
}

}  // namespace crema::cohort
