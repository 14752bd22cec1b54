// SPDX-License-Identifier: Apache-2.0
#include "raters/open/class_folder.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"
#include "files/format.h"

namespace crema::raters {
namespace {

namespace fs = std::filesystem;

using files::printable;

struct ClassMap {
  std::string name;
  fs::path path;
};

std::optional<int> number_of(const std::string& name) {
  int number = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (fault != std::errc() || end != name.data() + name.size() || number < 0) return {};
  return number;
}

bool is_background(const std::string& name) { return name == "background" || number_of(name) == 0; }

/// The background first, numbers by their value, others by name.
bool comes_before(const ClassMap& a, const ClassMap& b) {
  const auto key = [](const ClassMap& one) {
    return std::tuple(!is_background(one.name), !number_of(one.name), number_of(one.name).value_or(0),
                      one.name);
  };
  return key(a) < key(b);
}

std::vector<ClassMap> maps_in(const fs::path& folder) {
  std::vector<ClassMap> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with('.') || !entry.is_regular_file(failed)) continue;
    if (files::row_by_ending(entry.path()) == nullptr) continue;
    found.push_back({files::without_ending(file), entry.path()});
  }
  if (found.empty())
    throw InputError(fmt::format("{}: holds no probability maps; give a folder with one map per class.",
                                 printable(folder)));
  std::sort(found.begin(), found.end(), comes_before);
  for (std::size_t i = 1; i < found.size(); ++i)
    if (found[i].name == found[i - 1].name)
      throw InputError(fmt::format("{}: holds two maps of the class {}; keep one of them.", printable(folder),
                                   printable(found[i].name)));
  return found;
}

/// Classes that are called by numbers have these as labels.
void check_numbers(const fs::path& folder, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<int> number = number_of(names[i]);
    if (number && *number != static_cast<int>(i) + 1)
      throw InputError(fmt::format(
          "{}: its maps are named by numbers, but {} is missing; name classes 1, 2, 3 …, or use words.",
          printable(folder), i + 1));
  }
}

/// One map for each region, in the order of the settings.
std::vector<ClassMap> in_order_of(const std::vector<NamedLabels>& regions, const fs::path& folder,
                                  const std::vector<ClassMap>& maps) {
  std::vector<ClassMap> ordered;
  for (const NamedLabels& region : regions) {
    const auto own =
        std::find_if(maps.begin(), maps.end(), [&](const ClassMap& map) { return map.name == region.name; });
    if (own == maps.end())
      throw InputError(fmt::format("{}: holds no map of the region {}; give each map the name of its region.",
                                   printable(folder), printable(region.name)));
    ordered.push_back(*own);
  }
  return ordered;
}

void check_grid(const files::Header& map, const files::Header& first) {
  if (map.channels != 1)
    throw InputError(fmt::format("{}: holds {} channels, but a folder has one map per class.",
                                 printable(map.path), map.channels));
  if (map.grid.size != first.grid.size || map.grid.direction != first.grid.direction ||
      map.grid.origin != first.grid.origin || map.grid.spacing != first.grid.spacing)
    throw InputError(fmt::format("{}: is not on the grid of {}; give maps on one grid.", printable(map.path),
                                 printable(first.path)));
}

}  // namespace

std::optional<ClassFolder> open_class_folder(const fs::path& given, const Settings& settings,
                                             const files::ReadOptions& options) {
  std::error_code ignored;
  if (!settings.probabilities || !(settings.labels || settings.regions) || !fs::is_directory(given, ignored))
    return {};
  std::vector<ClassMap> maps = maps_in(given);
  ClassFolder folder;
  folder.regions = settings.regions.has_value();
  if (folder.regions) maps = in_order_of(settings.regions->chosen, given, maps);
  folder.background = !folder.regions && is_background(maps.front().name);
  files::ReadOptions one = options;
  one.channels = false;
  for (const ClassMap& map : maps) {
    folder.maps.push_back(files::read_header(map.path, one));
    check_grid(folder.maps.back(), folder.maps.front());
    if (!folder.regions && is_background(map.name)) continue;
    folder.names.push_back(map.name);
  }
  if (!folder.regions) check_numbers(given, folder.names);
  folder.header = folder.maps.front();
  folder.header.path = given;
  folder.header.channels = static_cast<std::int32_t>(folder.channel(folder.maps.size() - 1) + 1);
  return folder;
}

std::vector<NamedLabels> classes_of(const ClassFolder& folder) {
  std::vector<NamedLabels> classes;
  for (std::size_t i = 0; i < folder.names.size(); ++i)
    classes.push_back({folder.names[i], {static_cast<std::uint16_t>(i + 1)}});
  return classes;
}

}  // namespace crema::raters
