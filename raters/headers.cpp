// SPDX-License-Identifier: Apache-2.0
#include "raters/headers.h"

#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

#include "crema/error.h"
#include "files/layout.h"
#include "raters/order.h"
#include "raters/segments.h"

namespace crema::raters {
namespace {

/// Tells of a file that was named before, be it under another name; `first` is each file's first rater.
void find_repeats(RaterFiles& raters, const std::vector<std::size_t>& first) {
  const auto& paths = raters.paths;
  std::vector<struct stat> seen;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    struct stat here {};
    seen.push_back(here);
    if (::stat(paths[k].c_str(), &seen.back()) != 0) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (seen[j].st_ino != seen[k].st_ino || seen[j].st_dev != seen[k].st_dev) continue;
      if (raters.headers[first[j]].name != raters.headers[first[k]].name) continue;  // another segment
      raters.warnings.push_back(fmt::format("{}: rater {} is the same file as rater {}; it counts twice.",
                                            files::printable(paths[k]), first[k] + 1, first[j] + 1));
      const std::size_t end = k + 1 < first.size() ? first[k + 1] : raters.headers.size();
      for (std::size_t r = first[k]; r < end; ++r) raters.repeats |= Raters{1} << r;
      break;
    }
  }
}

/// Results among the raters: a pattern such as *.nii.gz takes them in after the first run.
Warnings find_consensus(const std::vector<files::Header>& headers) {
  Warnings warnings;
  for (const files::Header& header : headers)
    if (header.consensus && headers.size() > 1)
      warnings.push_back(
          fmt::format("{}: is a consensus that crema made, not what a rater drew; leave it out unless it is "
                      "meant to count as one.",
                      files::printable(files::rater_name(header))));
  return warnings;
}

/// nnU-Net writes case.nii.gz beside the case.npz with its probabilities, and that file knows the grid.
Warnings propose_grid(const std::vector<files::Header>& headers) {
  for (const files::Header& header : headers) {
    if (header.format != files::Format::npz) continue;
    for (const char* const ending : {".nii.gz", ".nii"}) {
      const std::filesystem::path beside = std::filesystem::path(header.path).replace_extension(ending);
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(beside, ignored)) continue;
      return {
          fmt::format("{}: does not say where its voxels lie, but {} lies beside it; for its grid give {}.",
                      files::printable(header.path), files::printable(beside.filename()),
                      Sentence::setting("like", beside.string()))};
    }
  }
  return {};
}

/// Where a grid does not fit because a header is damaged, the damage is what has to be told.
files::Layout lay_out(const std::vector<files::Header>& headers, const Settings& settings,
                      const files::ReadOptions& options) {
  const std::string& like = settings.like;
  const bool labels = settings.labels || settings.regions;
  std::optional<files::Header> grid;
  if (!like.empty()) grid = files::read_header(like, {.max_memory = options.max_memory});
  try {
    return files::lay_out(headers, grid ? &*grid : nullptr);
  } catch (const InputError&) {
    for (const files::Header& header : headers)
      if (labels)
        files::stream_labels(header, options, [](std::int64_t, std::span<const std::uint16_t>) {});
      else
        files::stream_mask(header, options, [](std::int64_t, Mask) {});
    throw;
  }
}

}  // namespace

files::ReadOptions read_options(const Settings& settings) {
  return {.threshold = settings.threshold,
          .label = settings.label,
          .offers_labels = settings.offers_labels,
          .max_memory = settings.max_memory,
          .grid_is_given = !settings.like.empty()};
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
  RaterFiles raters{.paths = files_of(paths)};
  std::vector<std::size_t> first;
  for (const auto& path : paths) {
    first.push_back(raters.headers.size());
    for (files::Header& header : open_input(path, settings, options))
      raters.headers.push_back(std::move(header));
  }
  check_count(raters.headers.size());
  files::Layout layout = lay_out(raters.headers, settings, options);
  raters.reference = std::move(layout.reference);
  raters.reference.segments = common_segment(raters.headers);
  raters.placements = std::move(layout.placements);
  for (std::size_t k = 0; k < raters.headers.size(); ++k) {
    append(raters.warnings, raters.headers[k].warnings);
    append(raters.warnings, raters.placements[k].warnings);
  }
  find_repeats(raters, first);
  if (settings.like.empty()) append(raters.warnings, propose_grid(raters.headers));
  append(raters.warnings, find_consensus(raters.headers));
  append(raters.warnings, warnings_about_order(paths));
  return raters;
}

std::vector<std::string> rater_names(const RaterFiles& raters) {
  std::vector<std::string> names;
  for (const files::Header& header : raters.headers) names.push_back(files::rater_name(header));
  return names;
}

}  // namespace crema::raters
