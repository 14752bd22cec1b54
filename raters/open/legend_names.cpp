// SPDX-License-Identifier: Apache-2.0
#include "raters/open/legend_names.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "files/files.h"
#include "files/format.h"

namespace crema::raters {
namespace {

namespace fs = std::filesystem;

/// A path and the segment after "#"; the parts of the path from the file up to the root.
struct Name {
  std::vector<std::string> parts;
  std::string segment;
};

Name take_apart(const std::string& name) {
  Name result;
  const std::size_t mark = name.rfind(".nrrd#") == std::string::npos ? name.size() : name.rfind(".nrrd#") + 5;
  const bool segment = mark < name.size();
  if (segment) result.segment = name.substr(mark);
  const fs::path path(segment ? name.substr(0, mark) : name);
  for (const fs::path& part : path.lexically_normal())
    result.parts.insert(result.parts.begin(), part.string());
  result.parts.front() = files::without_ending(result.parts.front());
  return result;
}

std::string with_folders(const Name& name, std::size_t folders) {
  fs::path path = name.parts.front();
  for (std::size_t n = 1; n <= folders && n < name.parts.size(); ++n) path = name.parts[n] / path;
  return files::printable(path.string() + name.segment);
}

}  // namespace

std::vector<std::string> legend_names(std::span<const std::string> names) {
  std::vector<Name> apart;
  std::size_t deepest = 0;
  for (const std::string& name : names) {
    apart.push_back(take_apart(name));
    deepest = std::max(deepest, apart.back().parts.size());
  }
  std::vector<std::string> result;
  for (std::size_t folders = 0; folders < std::max<std::size_t>(deepest, 1); ++folders) {
    result.clear();
    for (const Name& name : apart) result.push_back(with_folders(name, folders));
    if (std::set(result.begin(), result.end()).size() == result.size()) return result;
  }
  // Endings alone tell these apart, or nothing does.
  std::set<std::string> taken;
  for (std::string& own : result) {
    std::string name = own;
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{} ({})", own, n);
    own = name;
  }
  return result;
}

}  // namespace crema::raters
