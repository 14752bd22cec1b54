// SPDX-License-Identifier: Apache-2.0
#include "raters/segments.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"

namespace crema::raters {
namespace {

namespace fs = std::filesystem;

using files::Header;
using files::printable;

constexpr std::size_t kMostNamed = 8;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// "liver, tumour and spleen".
std::string list(const std::vector<files::SegmentInfo>& segments) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, segments.size()); ++i) {
    const bool last = i + 1 == segments.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + printable(segments[i].name);
  }
  return segments.size() > kMostNamed ? text + " …" : text;
}

Header find_segment(const fs::path& path, const std::string& name, std::vector<Header> headers) {
  if (headers.front().segments.empty())
    throw InputError(fmt::format("{}: holds no segments, so that none is called '{}'; give a .seg.nrrd.",
                                 printable(path), printable(name)));
  std::vector<std::size_t> found;
  const auto& segments = headers.front().segments;
  for (std::size_t s = 0; s < segments.size(); ++s)
    if (segments[s].name == name) found.push_back(s);
  for (std::size_t s = 0; found.empty() && s < segments.size(); ++s)
    if (segments[s].id == name) found.push_back(s);
  if (found.empty())
    throw InputError(fmt::format("{}: has no segment '{}'; there {} {}.", printable(path), printable(name),
                                 segments.size() == 1 ? "is" : "are", list(segments)));
  if (found.size() > 1)
    throw InputError(fmt::format("{}: has {} segments of the name '{}'; rename them, or name one by its id.",
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

[[noreturn]] void refuse_several(const fs::path& path, const std::vector<files::SegmentInfo>& segments,
                                 const Settings& settings) {
  const std::string first = segments.front().name;
  const std::string labels = settings.offers_labels ? fmt::format("fuse them as labels with {}, ",
                                                                  Sentence::setting("labels", "all"))
                                                    : "";
  throw InputError(fmt::format(
      "{}: holds {} segments ({}), and nothing says what they are; choose one with {} or {}, {}or say {}.",
      printable(path), segments.size(), list(segments), Sentence::setting("segment", first),
      printable(path.string() + "#" + first), labels, Sentence::setting("segments_are", "raters")));
}

/// The whole file as one rater, whose segments are labels.
Header whole_file(std::vector<Header> headers) {
  Header header = std::move(headers.front());
  header.name.clear();
  return header;
}

}  // namespace

InputName split_input(const fs::path& given) {
  const std::string text = given.string();
  if (is_there(given)) return {given, ""};
  for (std::size_t sign = text.rfind('#'); sign != std::string::npos && sign > 0;
       sign = text.rfind('#', sign - 1)) {
    const fs::path file = text.substr(0, sign);
    if (is_there(file) && sign + 1 < text.size()) return {file, text.substr(sign + 1)};
  }
  return {given, ""};
}

std::vector<fs::path> files_of(std::span<const fs::path> inputs) {
  std::vector<fs::path> paths;
  for (const fs::path& input : inputs) paths.push_back(split_input(input).file);
  return paths;
}

std::vector<Header> open_input(const fs::path& given, const Settings& settings,
                               const files::ReadOptions& options) {
  const InputName input = split_input(given);
  std::vector<Header> headers = files::read_headers(input.file, options);
  const std::string& wanted = input.segment.empty() ? settings.segment : input.segment;
  if (!wanted.empty()) return {find_segment(input.file, wanted, std::move(headers))};
  if (settings.labels || settings.regions) return {whole_file(std::move(headers))};
  if (headers.size() > 1 && !settings.segments_are_raters)
    refuse_several(input.file, headers.front().segments, settings);
  for (std::size_t s = 0; s < headers.size(); ++s)
    if (!headers[s].segments.empty()) headers[s].segments = {headers[s].segments[s]};
  return headers;
}

std::vector<files::SegmentInfo> common_segment(std::span<const Header> headers) {
  const auto alike = [&](const Header& header) {
    return header.segments.size() == 1 &&
           header.segments.front().name == headers.front().segments.front().name;
  };
  if (headers.front().segments.empty() || !std::all_of(headers.begin(), headers.end(), alike)) return {};
  files::SegmentInfo segment = headers.front().segments.front();
  segment.layer = 0;
  segment.value = 1;
  return {segment};
}

}  // namespace crema::raters
