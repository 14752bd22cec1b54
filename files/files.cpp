// SPDX-License-Identifier: Apache-2.0
#include "files/files.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "files/format.h"
#include "files/io/atomic.h"
#include "files/io/gzip/background.h"
#include "files/io/sentence.h"
#include "files/io/stream.h"
#include "files/io/suspect.h"
#include "files/io/system/held.h"
#include "files/plan.h"
#include "files/values/collect.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStartBytes = 1024;

Start read_start(const Source& source) {
  Stream stream(source);
  Start start{std::vector<std::uint8_t>(kStartBytes), stream.compressed()};
  start.bytes.resize(stream.read(start.bytes));
  return start;
}

/// Whatever a format takes for geometry: lengths so small or large that their squares or products are lost
/// leave a grid without size or place.
void require_sound_grid(const Grid& grid, const fs::path& path) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (std::all_of(grid.spacing.begin(), grid.spacing.end(), positive) &&
      std::all_of(grid.direction.begin(), grid.direction.end(), finite) &&
      std::all_of(grid.origin.begin(), grid.origin.end(), finite) && std::isnormal(grid.voxel_volume()))
    return;
  refuse(path, "states voxels of {:.3g} × {:.3g} × {:.3g} mm, which are unusable; correct its spacing",
         grid.spacing[0], grid.spacing[1], grid.spacing[2]);
}

/// What every header that is read goes through, whatever its format.
Header checked(Header header, const fs::path& path) {
  header.path = path;
  require_sound_grid(header.grid, path);
  // Where the unit is not known millimetres are taken, which a warning says; a spacing of 1 is none at all.
  header.grid.measured = header.measured || header.grid.spacing != std::array<double, 3>{1, 1, 1};
  return header;
}

fs::path header_path(const fs::path& path) {
  for (const FormatRow& row : format_table()) {
    if (fs::path found = row.header_path(path); found != path) return found;
  }
  return path;
}

std::size_t voxels_of(const Image& image) {
  return std::visit([](const auto& voxels) { return voxels.size(); }, image);
}

}  // namespace

const FormatRow& find_format(const Source& source) {
  const Start start = read_start(source);
  for (const FormatRow& row : format_table()) {
    if (row.recognises(start)) return row;
  }
  refuse_suspect(start.bytes, source.path());
  for (const FormatRow& row : format_table()) {
    if (row.claims(source.path())) return row;
  }
  refuse(source.path(), "is in an unsupported format; convert it to NIfTI or PNG");
}

Header read_header(const fs::path& path, const ReadOptions& options) {
  struct stat status {};
  if (status_of(path, status) && S_ISDIR(status.st_mode))
    for (const FormatRow& row : format_table())
      if (row.read_folder != nullptr) return checked(row.read_folder(path), path);
  const Source source(header_path(path));
  Header header = find_format(source).read_header(source, options);
  return checked(std::move(header), path);
}

std::vector<Header> read_headers(const fs::path& path, const ReadOptions& options) {
  const Source source(header_path(path));
  const FormatRow& row = find_format(source);
  std::vector<Header> headers;
  if (row.read_headers != nullptr) {
    headers = row.read_headers(source, options);
  } else {
    headers.push_back(row.read_header(source, options));
  }
  for (Header& header : headers) header = checked(std::move(header), path);
  return headers;
}

std::string rater_name(const Header& header) {
  return header.path.string() + (header.name.empty() ? "" : "#" + header.name);
}

MaskFile read_mask(const Header& header, const ReadOptions& options) {
  MaskCollector whole(header.grid.voxels());
  Warnings warnings = stream_mask(header, options, whole.sink());
  return {std::move(whole).take(), std::move(warnings)};
}

Warnings stream_mask(const Header& header, const ReadOptions& options, const MaskSink& sink) {
  if (header.absent) return {};
  return row_of(header.format).read_mask(header, options, sink).warnings;
}

Warnings stream_labels(const Header& header, const ReadOptions& options, const LabelSink& sink) {
  ReadOptions rules = options;
  rules.threshold.reset();
  rules.label.reset();
  rules.labels = &sink;
  return stream_mask(header, rules, [](std::int64_t, Mask) {});
}

MapFile read_map(const Header& header, const ReadOptions& options) {
  return row_of(header.format).read_map(header, options);
}

Warnings stream_levels(const Header& header, const ReadOptions& options, const LevelSink& sink) {
  ReadOptions rules = options;
  rules.levels = &sink;
  MapFile file = read_map(header, rules);
  if (!file.levels.empty()) sink(0, file.levels);
  return std::move(file.warnings);
}

Image label_image(const fs::path& path, LabelImage labels) {
  const FormatRow* const row = row_by_ending(path);
  if (row != nullptr && (row->format == Format::png || row->format == Format::tiff)) return labels;
  const Piece piece(labels);
  std::vector<std::span<const std::uint16_t>> drawn;  // blocks that nobody painted on are not looked at
  for (const Stretch& stretch : find_background({&piece, 1}))
    if (!stretch.is_background)
      drawn.push_back({reinterpret_cast<const std::uint16_t*>(stretch.bytes.data()),
                       stretch.bytes.size() / sizeof(std::uint16_t)});
  std::uint16_t most = 0;
  for (const auto part : drawn)
    for (const std::uint16_t label : part) most = std::max(most, label);
  if (most > 255) return labels;
  HardImage narrow(labels.size());
  for (const auto part : drawn) {
    const auto to =
        narrow.paint(static_cast<std::size_t>(part.data() - std::as_const(labels).data()), part.size());
    std::transform(part.begin(), part.end(), to.begin(),
                   [](std::uint16_t label) { return static_cast<std::uint8_t>(label); });
  }
  return narrow;
}

Encoded encode_image(const fs::path& path, const Image& image, const Header& reference) {
  if (static_cast<std::int64_t>(voxels_of(image)) != reference.grid.voxels() * reference.channels) {
    throw std::logic_error("encode_image: the image does not fill the grid");
  }
  return row_by_ending(path)->encode(path, image, reference);
}

Warnings write_image(const fs::path& path, const Image& image, const Header& reference,
                     const WriteOptions& options) {
  check_output(path, reference.grid, {}, options);
  const Encoded encoded = encode_image(path, image, reference);
  write_atomically(encoded.outputs, options);
  return encoded.warnings;
}

void check_output(const fs::path& path, const Grid& grid, const std::vector<fs::path>& inputs,
                  const WriteOptions& options) {
  OutputPlan plan;
  for (const fs::path& input : inputs) plan.add_input(input);
  plan.add_image(path, grid);
  plan.check(options);
}

void write_text(const fs::path& path, const std::string& text, const WriteOptions& options) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const Output output{path, {bytes}};
  write_atomically({&output, 1}, options);
}

void check_reference(const fs::path& path, const Header& reference) {
  const FormatRow* const row = row_by_ending(path);
  if (row == nullptr || row->lacks == nullptr) return;
  if (const std::string lacking = row->lacks(reference); !lacking.empty())
    throw UsageError(sentence(path, "{}, or write .seg.nrrd or .nii.gz", lacking));
}

bool names_an_image(const fs::path& path) {
  const FormatRow* const row = row_by_ending(path);
  return row != nullptr && row->encode != nullptr;
}

bool holds_levels(const fs::path& path) {
  const FormatRow* const row = row_by_ending(path);
  return row == nullptr || (row->format != Format::seg_nrrd && row->format != Format::dicom);
}

std::string ending_of(const Header& reference) {
  const FormatRow& row = row_of(reference.format);
  if (row.encode == nullptr || (row.lacks != nullptr && !row.lacks(reference).empty())) return ".nii.gz";
  for (const std::string_view ending : row.endings) {
    if (ends_with(reference.path, ending)) return std::string(ending == ".img" ? ".hdr" : ending);
  }
  return std::string(row.endings.front());
}

}  // namespace crema::files
