// SPDX-License-Identifier: Apache-2.0
#include "raters/open/segments.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"
#include "files/io/system/held.h"

namespace crema::raters {
namespace {

namespace fs = std::filesystem;

using files::Header;
using files::printable;

constexpr std::size_t kMaxNamed = 8;

/// A segment of a file as people type it.
std::string typed(const fs::path& path, const std::string& segment) {
  const std::string text = printable(path.string() + "#" + segment);
  return text.find(' ') == std::string::npos ? text : "'" + text + "'";
}

/// "liver, tumour and spleen".
std::string list(const std::vector<files::SegmentInfo>& segments) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMaxNamed, segments.size()); ++i) {
    const bool last = i + 1 == segments.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + printable(segments[i].name);
  }
  return segments.size() > kMaxNamed ? text + " …" : text;
}

Header find_segment(const fs::path& path, const std::string& name, std::vector<Header> headers,
                    const std::string& advice = "") {
  if (headers.front().segments.empty())
    throw InputError(
        fmt::format("{}: holds no segments such as '{}'; give a .seg.nrrd or a DICOM segmentation.",
                    printable(path), printable(name)));
  std::vector<std::size_t> found;
  const auto& segments = headers.front().segments;
  for (std::size_t s = 0; s < segments.size(); ++s)
    if (segments[s].name == name) found.push_back(s);
  for (std::size_t s = 0; found.empty() && s < segments.size(); ++s)
    if (segments[s].id == name) found.push_back(s);
  if (found.empty()) {
    std::string text =
        fmt::format("{}: has no segment '{}'; there {} {}{}.", printable(path), printable(name),
                    segments.size() == 1 ? "is" : "are", list(segments), advice);
    for (const Warning& warning : headers.front().warnings)  // it may be what was left out
      if (warning.kind == WarningKind::left_out) text += " " + warning.marked();
    throw InputError(text);
  }
  if (found.size() > 1)
    throw InputError(fmt::format("{}: has {} segments named '{}'; rename them, or name one by its id.",
                                 printable(path), found.size(), printable(name)));
  Header header = std::move(headers[found.front()]);
  if (found.front() != 0) {  // what is true of the file is said with its first segment
    Warnings warnings = headers.front().warnings;
    append(warnings, header.warnings);
    header.warnings = std::move(warnings);
  }
  header.segments = {header.segments[found.front()]};
  return header;
}

/// How a file without that segment would count as one in which nothing was drawn.
std::string advice_for(const std::string& name, Lacking lacking) {
  std::string advice = fmt::format("; if nothing was drawn there, {}", Sentence::setting("labels", name));
  if (lacking == Lacking::missing) advice += fmt::format(" or {}", Sentence::setting("missing", "empty"));
  return advice + " takes it as empty";
}

/// A segmentation, none of whose segments is called so.
bool lacks_segment(const std::vector<Header>& headers, const std::string& name) {
  const auto& segments = headers.front().segments;
  return !segments.empty() && std::none_of(segments.begin(), segments.end(), [&](const auto& segment) {
    return segment.name == name || segment.id == name;
  });
}

/// A rater who marked nothing on the grid of the file.
Header without_segment(std::vector<Header> headers, const std::string& name) {
  Header header = std::move(headers.front());
  header.name = name;
  header.segments.clear();
  header.absent = true;
  header.warnings.push_back({fmt::format("{}: has no segment '{}'; counts as an empty mask.",
                                         printable(header.path), printable(name)),
                             WarningKind::missing_label});
  return header;
}

[[noreturn]] void refuse_several(const fs::path& path, const std::vector<files::SegmentInfo>& segments,
                                 const Settings& settings) {
  const std::string first = segments.front().name;
  const std::string as_labels = settings.probabilities ? ""
                                                       : fmt::format(", take them as labels with {}",
                                                                     Sentence::setting("labels", "all"));
  throw LabelsError(fmt::format(
      "{}: holds {} segments ({}), which may be labels or raters; choose one with {} or {}{}, or give {}.",
      printable(path), segments.size(), list(segments), Sentence::setting("segment", first),
      typed(path, first), as_labels, Sentence::setting("segments_are", "raters")));
}

/// Levels of several labels are channels; segments may overlap in any way.
void check_levels(const fs::path& path, const std::vector<files::SegmentInfo>& segments,
                  const Settings& settings) {
  if (!settings.probabilities || segments.empty()) return;
  throw InputError(
      fmt::format("{}: holds segments, whose levels can only be fused one segment at a time; leave out {} "
                  "and choose one with {}.",
                  printable(path), Sentence::setting(settings.labels ? "labels" : "regions"),
                  Sentence::setting("segment", segments.front().name)));
}

/// The whole file as one rater, whose segments are labels.
Header whole_file(std::vector<Header> headers) {
  Header header = std::move(headers.front());
  header.name.clear();
  return header;
}

/// Without blanks and capitals.
std::string folded(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != ' ' && c != '\t' && c != '_')
      text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// A file whose one segment nobody named, beside files whose segments were named: all alike, since different
/// names are a yes already.
void check_beside_named(const Header& header, std::span<const Header> headers,
                        const std::vector<bool>& named) {
  const Header* first = nullptr;
  const auto name = [](const Header& one) { return folded(one.segments.front().name); };
  for (std::size_t k = 0; k < headers.size(); ++k) {
    if (!named[k]) continue;
    if (first == nullptr) first = &headers[k];
    if (name(headers[k]) != name(*first)) return;
  }
  const std::string& own = header.segments.front().name;
  if (first == nullptr || name(header) == name(*first)) return;
  throw InputError(fmt::format(
      "{} is given with its segment '{}', but {} holds '{}'; give {} if both show the same structure.",
      printable(first->path), printable(first->segments.front().name), printable(header.path), printable(own),
      typed(header.path, own)));
}

}  // namespace

InputName split_input(const fs::path& given) {
  const std::string text = given.string();
  if (files::is_there(given)) return {given, ""};
  for (std::size_t sign = text.rfind('#'); sign != std::string::npos && sign > 0;
       sign = text.rfind('#', sign - 1)) {
    const fs::path file = text.substr(0, sign);
    if (files::is_there(file) && sign + 1 < text.size()) return {file, text.substr(sign + 1)};
  }
  return {given, ""};
}

std::vector<fs::path> files_of(std::span<const fs::path> inputs) {
  std::vector<fs::path> paths;
  for (const fs::path& input : inputs) paths.push_back(split_input(input).file);
  return paths;
}

std::vector<Header> open_input(const fs::path& given, const Settings& settings,
                               const files::ReadOptions& options, Lacking lacking) {
  const InputName input = split_input(given);
  std::vector<Header> headers = files::read_headers(input.file, options);
  if (!input.segment.empty()) return {find_segment(input.file, input.segment, std::move(headers))};
  if (const std::string& wanted = settings.segment; !wanted.empty()) {
    if (lacking == Lacking::empty && lacks_segment(headers, wanted))
      return {without_segment(std::move(headers), wanted)};
    return {find_segment(input.file, wanted, std::move(headers), advice_for(wanted, lacking))};
  }
  if (settings.labels || settings.regions) {
    check_levels(input.file, headers.front().segments, settings);
    return {whole_file(std::move(headers))};
  }
  if (headers.size() > 1 && !settings.segments_are_raters)
    refuse_several(input.file, headers.front().segments, settings);
  for (std::size_t s = 0; s < headers.size(); ++s)
    if (!headers[s].segments.empty()) headers[s].segments = {headers[s].segments[s]};
  return headers;
}

Header open_beside(const fs::path& given, const std::string& segment, const files::ReadOptions& options) {
  const InputName input = split_input(given);
  std::vector<Header> headers = files::read_headers(input.file, options);
  const bool several = headers.size() > 1;
  const std::string& wanted = input.segment.empty() && several ? segment : input.segment;
  if (!wanted.empty()) return find_segment(input.file, wanted, std::move(headers));
  if (several) {
    const std::vector<files::SegmentInfo>& segments = headers.front().segments;
    throw InputError(fmt::format("{}: holds {} segments ({}); name the intended one: {}.",
                                 printable(input.file), segments.size(), list(segments),
                                 typed(input.file, segments.front().name)));
  }
  return std::move(headers.front());
}

Header open_labels_beside(const fs::path& given, const files::ReadOptions& options) {
  const InputName input = split_input(given);
  if (!input.segment.empty())
    throw InputError(fmt::format("{}: names one segment, but labels are compared; give the whole file, {}.",
                                 printable(given), printable(input.file)));
  return whole_file(files::read_headers(input.file, options));
}

Header open_grid(const fs::path& given, files::ReadOptions options) {
  const InputName input = split_input(given);
  std::error_code ignored;
  if (fs::is_directory(input.file, ignored)) return files::read_header(input.file, options);  // a series
  options.channels = true;  // all of them lie on it
  std::vector<Header> headers = files::read_headers(input.file, options);
  for (Header& header : headers) header.channels = 1;
  if (!input.segment.empty()) return find_segment(input.file, input.segment, std::move(headers));
  return std::move(headers.front());
}

void check_names(std::span<const Header> headers, const std::vector<bool>& named, const Settings& settings,
                 Warnings& warnings) {
  const bool none = std::all_of(headers.begin(), headers.end(),
                                [](const Header& header) { return header.segments.empty(); });
  if (settings.segments_are_raters && none)
    warnings.push_back({fmt::format("No file holds segments; {} has no effect.",
                                    Sentence::setting("segments_are", "raters")),
                        WarningKind::setting});
  if (settings.segments_are_raters || !settings.segment.empty() || settings.labels || settings.regions)
    return;
  const Header* first = nullptr;
  const Header* similar = nullptr;
  for (std::size_t k = 0; k < headers.size(); ++k) {
    const Header& header = headers[k];
    if (header.segments.size() != 1 || named[k]) continue;
    check_beside_named(header, headers, named);
    if (first == nullptr) first = &header;
    const std::string &one = first->segments.front().name, &other = header.segments.front().name;
    if (one == other) continue;
    if (folded(one) != folded(other))
      throw InputError(fmt::format(
          "{} holds the segment '{}', but {} holds '{}'; take them as labels with {}, or give {} if "
          "all show the same structure.",
          printable(first->path), printable(one), printable(header.path), printable(other),
          Sentence::setting("labels", "all"), Sentence::setting("segments_are", "raters")));
    similar = similar == nullptr ? &header : similar;
  }
  if (similar != nullptr)
    warnings.push_back(
        {fmt::format("{} holds the segment '{}', but {} holds '{}'; they are treated as the same.",
                     printable(first->path), printable(first->segments.front().name),
                     printable(similar->path), printable(similar->segments.front().name)),
         WarningKind::labels});
}

Warnings compare_names(const fs::path& given, const Header& beside, const Header& raters,
                       const Settings& settings) {
  const bool chosen = !settings.segment.empty() || !split_input(given).segment.empty();
  if (chosen || beside.consensus || beside.segments.size() != 1 || raters.segments.size() != 1) return {};
  const std::string &one = beside.segments.front().name, &other = raters.segments.front().name;
  if (folded(one) == folded(other)) return {};
  return {{fmt::format("{} holds the segment '{}', but the raters drew '{}'; they are treated as the same.",
                       printable(beside.path), printable(one), printable(other)),
           WarningKind::labels}};
}

std::vector<files::SegmentInfo> common_segment(std::span<const Header> headers) {
  const files::SegmentInfo* known = nullptr;
  for (const Header& header : headers) {
    if (header.absent) continue;
    if (header.segments.size() != 1) return {};
    if (known == nullptr) known = &header.segments.front();
    if (header.segments.front().name != known->name) return {};
  }
  if (known == nullptr) return {};
  files::SegmentInfo segment = *known;
  segment.layer = 0;
  segment.value = 1;
  take_common_codes(segment, headers);
  return {segment};
}

}  // namespace crema::raters
