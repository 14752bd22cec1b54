// SPDX-License-Identifier: Apache-2.0
#include "raters/open/names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "crema/base/text.h"
#include "files/format.h"

namespace crema::raters {
namespace {

namespace fs = std::filesystem;

/// A path cut at its folders; the name of a segment stays with its file, whatever is in it.
std::vector<std::string> parts_of(const std::string& name, Ending ending) {
  constexpr std::string_view mark = ".nrrd#";
  const std::size_t found = name.find(mark);
  const std::size_t end = found == std::string::npos ? name.size() : found + mark.size() - 1;
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(name.substr(0, end)).relative_path().lexically_normal())
    if (!part.empty()) parts.push_back(part.string());
  if (parts.empty()) parts.emplace_back();
  if (ending == Ending::drop) parts.back() = files::without_ending(parts.back());
  parts.back() += name.substr(end);
  if (ending == Ending::drop)
    for (std::string& part : parts) part = files::printable(part);
  return parts;
}

std::string last(const std::vector<std::string>& parts, std::size_t count) {
  std::string text;
  for (std::size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i)
    text += (text.empty() ? "" : "/") + parts[i];
  return text;
}

}  // namespace

std::vector<std::string> short_names(std::span<const std::string> names, Ending ending) {
  std::vector<std::vector<std::string>> parts;
  std::size_t longest = 0;
  for (const std::string& name : names) {
    parts.push_back(parts_of(name, ending));
    longest = std::max(longest, parts.back().size());
  }
  std::vector<std::size_t> taken(names.size(), 1);
  std::vector<std::string> found(names.size());
  for (std::size_t round = 0; round <= longest; ++round) {
    std::map<std::string, int> times;
    for (std::size_t k = 0; k < names.size(); ++k) ++times[found[k] = last(parts[k], taken[k])];
    for (std::size_t k = 0; k < names.size(); ++k)
      if (times[found[k]] > 1) ++taken[k];
  }
  std::set<std::string> used;
  for (std::string& name : found) {
    const std::string plain = name;
    for (int number = 2; !used.insert(name).second; ++number) name = fmt::format("{} ({})", plain, number);
  }
  return found;
}

std::string case_name(const std::vector<std::string>& paths) {
  fs::path common;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    std::error_code ignored;
    const fs::path folder = fs::absolute(paths[k], ignored).lexically_normal().parent_path();
    if (k == 0) common = folder;
    fs::path both;
    for (auto a = common.begin(), b = folder.begin(); a != common.end() && b != folder.end() && *a == *b;
         ++a, ++b)
      both /= *a;
    common = both;
  }
  return common.filename().empty() ? "case" : common.filename().string();
}

std::string file_label(const Case& counted, std::size_t s) {
  const auto safe = [](std::string label) {
    for (char& c : label)
      if (!(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')) c = '_';
    return label;
  };
  std::string own = safe(counted.label(s));
  for (std::size_t other = 0; other < counted.structures(); ++other)
    if (other != s && safe(counted.label(other)) == own)
      return fmt::format("{}_{}", own, counted.counts.structures[s].structure.value);
  return own;
}

std::string title_of(const Case& counted) {
  const auto file_name = [](const std::string& name) { return files::printable(fs::path(name).filename()); };
  std::string names = file_name(counted.names.front());
  if (counted.names.size() > 1) names += " … " + file_name(counted.names.back());
  return fmt::format("{} ({}), {} voxels", crema::counted(counted.names.size(), "rater"), names,
                     fmt::join(counted.reference.grid.size, " × "));
}

CaseNames names_of(const Case& counted, std::size_t s, const std::vector<std::string>& paths,
                   const std::string& given) {
  CaseNames names{given.empty() ? case_name(paths) : given, short_names(counted.names)};
  if (counted.labelled()) names.label = counted.label(s);
  return names;
}

std::vector<std::string> label_names(const Case& counted) {
  std::vector<std::string> labels;
  for (std::size_t s = 0; s < counted.structures(); ++s)
    labels.push_back(counted.labelled() ? counted.label(s) : "");
  return labels;
}

}  // namespace crema::raters
