// SPDX-License-Identifier: Apache-2.0
#include "raters/open/headers.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"
#include "files/io/system/held.h"
#include "files/layout.h"
#include "raters/open/order.h"

namespace crema::raters {
namespace {

/// Reports a file that was named before, even under another name; `first` is each file's first rater.
void find_repeats(RaterFiles& raters, const std::vector<std::size_t>& first) {
  const auto& paths = raters.paths;
  std::vector<struct stat> seen;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    struct stat here {};
    seen.push_back(here);
    if (!files::status_of(paths[k], seen.back())) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (seen[j].st_ino != seen[k].st_ino || seen[j].st_dev != seen[k].st_dev) continue;
      if (raters.headers[first[j]].name != raters.headers[first[k]].name) continue;  // another segment
      raters.warnings.push_back({fmt::format("{}: rater {} is the same file as rater {}; it counts twice.",
                                             files::printable(paths[k]), first[k] + 1, first[j] + 1),
                                 WarningKind::copy});
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
      warnings.push_back({fmt::format("{}: is a consensus written by crema, not a rater's mask; leave it out "
                                      "unless it should count as a rater.",
                                      files::printable(files::rater_name(header))),
                          WarningKind::own_output});
  return warnings;
}

/// nnU-Net writes case.nii.gz beside the case.npz with its probabilities, and that file knows the grid.
struct Beside {
  const files::Header* rater = nullptr;
  std::filesystem::path file;
};

std::optional<Beside> find_beside(const std::vector<files::Header>& headers) {
  for (const files::Header& header : headers) {
    if (header.format != files::Format::npz) continue;
    for (const char* const ending : {".nii.gz", ".nii"}) {
      const std::filesystem::path beside = std::filesystem::path(header.path).replace_extension(ending);
      std::error_code ignored;
      if (std::filesystem::is_regular_file(beside, ignored)) return Beside{&header, beside};
    }
  }
  return {};
}

Warnings propose_grid(const std::vector<files::Header>& headers) {
  const std::optional<Beside> found = find_beside(headers);
  if (!found) return {};
  return {{fmt::format("{}: states no position, but {} is next to it; for its grid give {}.",
                       files::printable(found->rater->path), files::printable(found->file.filename()),
                       Sentence::setting("like", found->file.string())),
           WarningKind::geometry}};
}

/// The grid for maps that have none, from the file beside the first one; nothing where it has another size.
std::shared_ptr<const files::Header> grid_beside(const std::vector<files::Header>& headers,
                                                 const files::ReadOptions& options) {
  const auto is_npz = [](const files::Header& header) { return header.format == files::Format::npz; };
  if (!std::all_of(headers.begin(), headers.end(), is_npz)) return {};
  const std::optional<Beside> found = find_beside(headers);
  if (!found) return {};
  files::Header grid = files::read_header(found->file, {.max_memory = options.max_memory});
  if (grid.grid.size != found->rater->grid.size) return {};
  return std::make_shared<const files::Header>(std::move(grid));
}

/// Where a grid does not fit because a header is damaged, the damage is what has to be reported.
files::Layout lay_out(const RaterFiles& raters, const Settings& settings, const files::ReadOptions& options) {
  const bool labels = settings.labels || settings.regions;
  try {
    return files::lay_out(raters.headers, options.like.get());
  } catch (const InputError&) {
    if (!raters.folders.empty()) throw;
    for (const files::Header& header : raters.headers)
      if (settings.probabilities)
        files::stream_levels(header, options, [](std::int64_t, std::span<const float>) {});
      else if (labels)
        files::stream_labels(header, options, [](std::int64_t, std::span<const std::uint16_t>) {});
      else
        files::stream_mask(header, options, [](std::int64_t, Mask) {});
    throw;
  }
}

/// The grid that the settings name, or that lies beside probability maps without one; else none.
std::shared_ptr<const files::Header> given_grid(RaterFiles& raters, const Settings& settings,
                                                const files::ReadOptions& options) {
  if (options.like || !settings.probabilities) return options.like;
  std::shared_ptr<const files::Header> grid = grid_beside(raters.headers, options);
  if (!grid) return {};
  for (files::Header& header : raters.headers) {
    if (header.grid.size != grid->grid.size) continue;
    header.grid = grid->grid;
    header.positioned = grid->positioned;
    header.measured = grid->measured;
    std::erase_if(header.warnings,
                  [](const Warning& warning) { return warning.kind == WarningKind::no_spacing; });
  }
  raters.warnings.push_back(
      {fmt::format("{}: states no position; that of {} next to it is used.",
                   files::printable(raters.headers.front().path), files::printable(grid->path.filename())),
       WarningKind::geometry});
  return grid;
}

/// A table of colours says nothing of other files.
Warnings warn_of_palette(const std::vector<files::Header>& headers, const Settings& settings) {
  const auto coloured = [](const files::Header& header) {
    return header.format == files::Format::png || header.format == files::Format::tiff;
  };
  if (settings.palette.empty() || std::any_of(headers.begin(), headers.end(), coloured)) return {};
  return {{fmt::format("{}: no rater is a PNG or TIFF file; it has no effect.",
                       Sentence::setting("palette", settings.palette)),
           WarningKind::setting}};
}

/// Puts those without a file in their places.
void add_absent(RaterFiles& raters, std::span<const AbsentRater> absent) {
  for (const AbsentRater& one : absent) {
    const auto at = static_cast<std::ptrdiff_t>(one.place);
    files::Header header;
    header.path = one.name;
    header.grid = raters.reference.grid;
    header.positioned = raters.reference.positioned;
    header.channels = raters.headers.front().channels;
    header.absent = true;
    raters.headers.insert(raters.headers.begin() + at, std::move(header));
    raters.placements.insert(raters.placements.begin() + at, files::Placement{});
    if (!raters.folders.empty()) raters.folders.insert(raters.folders.begin() + at, std::nullopt);
    const Raters below = (Raters{1} << one.place) - 1;
    raters.repeats = (raters.repeats & below) | (raters.repeats & ~below) << 1;
    raters.warnings.push_back(
        {fmt::format("{}: has no file of this case; counts as an empty mask.", files::printable(one.name)),
         WarningKind::left_out});
  }
}

}  // namespace

files::ReadOptions read_options(const Settings& settings) {
  return {.threshold = settings.threshold,
          .label = settings.label,
          .takes_levels = settings.takes_levels,
          .offers_image = settings.offers_image,
          .channels = settings.probabilities && (settings.labels || settings.regions),
          .max_memory = settings.max_memory,
          .grid_is_given = !settings.like.empty(),
          .palette = settings.palette.empty() ? nullptr : files::read_palette(settings.palette)};
}

files::ReadOptions open_options(const Settings& settings) {
  files::ReadOptions options = read_options(settings);
  if (!settings.like.empty())
    options.like =
        std::make_shared<const files::Header>(open_grid(settings.like, {.max_memory = settings.max_memory}));
  return options;
}

void check_count(std::size_t raters) {
  if (raters == 0) throw InputError("no raters given; give at least one mask.");
  if (raters > static_cast<std::size_t>(kMaxRaters))
    throw InputError(
        fmt::format("{} raters given, but at most {} can be fused; leave some out.", raters, kMaxRaters));
}

RaterFiles open_raters(const std::vector<std::filesystem::path>& paths, const Settings& settings,
                       std::span<const AbsentRater> absent, Lacking lacking) {
  check_count(paths.size());
  files::ReadOptions options = open_options(settings);
  RaterFiles raters{.paths = files_of(paths)};
  std::vector<std::size_t> first;
  std::vector<bool> named;
  for (const auto& path : paths) {
    first.push_back(raters.headers.size());
    if (std::optional<ClassFolder> folder = open_class_folder(path, settings, options)) {
      raters.headers.push_back(folder->header);
      raters.folders.resize(raters.headers.size());
      raters.folders.back() = std::move(folder);
      named.resize(raters.headers.size(), false);
      continue;
    }
    for (files::Header& header : open_input(path, settings, options, lacking))
      raters.headers.push_back(std::move(header));
    named.resize(raters.headers.size(), !split_input(path).segment.empty());
  }
  check_count(raters.headers.size() + absent.size());
  if (std::all_of(raters.headers.begin(), raters.headers.end(), [](const auto& one) { return one.absent; }))
    open_input(paths.front(), settings, options);  // which refuses it
  if (!raters.folders.empty()) raters.folders.resize(raters.headers.size());
  check_names(raters.headers, named, settings, raters.warnings);
  options.like = given_grid(raters, settings, options);
  files::Layout layout = lay_out(raters, settings, options);
  raters.reference = std::move(layout.reference);
  raters.reference.channels = 1;  // of what is written
  raters.reference.segments = common_segment(raters.headers);
  raters.placements = std::move(layout.placements);
  for (std::size_t k = 0; k < raters.headers.size(); ++k) {
    append(raters.warnings, raters.headers[k].warnings);
    append(raters.warnings, raters.placements[k].warnings);
  }
  find_repeats(raters, first);
  if (!options.like) append(raters.warnings, propose_grid(raters.headers));
  append(raters.warnings, find_consensus(raters.headers));
  append(raters.warnings, warn_of_palette(raters.headers, settings));
  append(raters.warnings, warnings_about_order(paths));
  add_absent(raters, absent);
  return raters;
}

const files::Header& first_present(const RaterFiles& raters) {
  return *std::find_if(raters.headers.begin(), raters.headers.end(),
                       [](const files::Header& header) { return !header.absent; });
}

std::vector<std::string> rater_names(const RaterFiles& raters) {
  std::vector<std::string> names;
  for (const files::Header& header : raters.headers) names.push_back(files::rater_name(header));
  return names;
}

}  // namespace crema::raters
