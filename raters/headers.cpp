// SPDX-License-Identifier: Apache-2.0
#include "raters/headers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "crema/error.h"

namespace crema::raters {
namespace {

/// Warnings of a file that was named before, be it under another name; `first` is each file's first rater.
Warnings find_repeats(const std::vector<std::filesystem::path>& paths,
                      const std::vector<std::size_t>& first) {
  Warnings warnings;
  std::vector<struct stat> seen;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    struct stat here {};
    seen.push_back(here);
    if (::stat(paths[k].c_str(), &seen.back()) != 0) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (seen[j].st_ino != seen[k].st_ino || seen[j].st_dev != seen[k].st_dev) continue;
      warnings.push_back(fmt::format("{}: rater {} is the same file as rater {}; it counts twice.",
                                     files::printable(paths[k]), first[k] + 1, first[j] + 1));
      break;
    }
  }
  return warnings;
}

/// Where a grid does not fit because a header is damaged, the damage is what has to be told.
files::Placement place(const files::Header& reference, const files::Header& other,
                       const files::ReadOptions& options) {
  try {
    return files::place(reference, other);
  } catch (const InputError&) {
    for (const files::Header* header : {&reference, &other})
      files::stream_mask(*header, options, [](std::int64_t, Mask) {});
    throw;
  }
}

}  // namespace

files::ReadOptions read_options(const Settings& settings) {
  return {.threshold = settings.threshold, .label = settings.label, .max_memory = settings.max_memory};
}

void check_count(std::size_t raters) {
  if (raters == 0) throw InputError("no raters were given; give at least one mask.");
  if (raters > static_cast<std::size_t>(kMaxRaters))
    throw InputError(fmt::format("{} raters were given, but at most {} can be fused; leave some out.", raters,
                                 kMaxRaters));
}

RaterFiles open_raters(const std::vector<std::filesystem::path>& paths, const Settings& settings) {
  check_count(paths.size());
  const files::ReadOptions options = read_options(settings);
  RaterFiles raters{.paths = paths};
  std::vector<std::size_t> first;
  for (const auto& path : paths) {
    first.push_back(raters.headers.size());
    for (files::Header& header : files::read_headers(path, options)) {
      raters.headers.push_back(std::move(header));
      raters.placements.push_back(place(raters.headers.front(), raters.headers.back(), options));
      append(raters.warnings, raters.headers.back().warnings);
      append(raters.warnings, raters.placements.back().warnings);
    }
  }
  check_count(raters.headers.size());
  raters.reference = raters.headers.front();
  append(raters.warnings, find_repeats(paths, first));
  return raters;
}

std::vector<std::string> rater_names(const RaterFiles& raters) {
  std::vector<std::string> names;
  for (const files::Header& header : raters.headers) names.push_back(files::rater_name(header));
  return names;
}

}  // namespace crema::raters
