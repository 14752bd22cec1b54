// SPDX-License-Identifier: Apache-2.0
#include "annotations/names.h"

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace crema::annotations {
namespace {

/// Label Studio serves all files of its own computer under one address, which has their path behind this.
constexpr std::string_view kLocalFiles = "/local-files/?d=";

/// Without what an address has behind the path, and without the ending.
std::string_view path_part(std::string_view file) {
  if (const std::size_t local = file.find(kLocalFiles); local != std::string_view::npos) {
    file = file.substr(local + kLocalFiles.size());
    file = file.substr(0, file.find('&'));
  } else {
    file = file.substr(0, file.find('?'));
  }
  const std::size_t slash = file.find_last_of("/\\");
  const std::size_t dot = file.rfind('.');
  const bool ends =
      dot != std::string_view::npos && dot > 0 && (slash == std::string_view::npos || dot > slash + 1);
  return ends ? file.substr(0, dot) : file;
}

std::string_view name_part(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  return name.empty() ? path : name;
}

using Counts = std::unordered_map<std::string, int>;

/// Names that are taken once are kept, the others are made anew.
template <class F>
void where_repeated(std::vector<std::string>& names, F other) {
  Counts counts;
  for (const std::string& name : names) ++counts[name];
  for (std::size_t i = 0; i < names.size(); ++i)
    if (counts[names[i]] > 1) names[i] = other(i);
}

}  // namespace

std::vector<std::string> case_names(const std::vector<Picture>& pictures) {
  std::vector<std::string> names;
  for (const Picture& one : pictures) names.emplace_back(name_part(path_part(one.file)));
  where_repeated(names, [&](std::size_t i) { return std::string(path_part(pictures[i].file)); });
  where_repeated(names, [&](std::size_t i) { return pictures[i].file; });
  where_repeated(names, [&](std::size_t i) { return fmt::format("{}#{}", pictures[i].file, i + 1); });
  return names;
}

}  // namespace crema::annotations
