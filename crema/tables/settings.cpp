// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/tables/preset.h"
#include "crema/tables/setting_rows.h"
#include "crema/voxels/neighbourhood.h"

namespace crema {

std::span<const Setting> settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows;
    for (const auto part : {setting_rows::of_methods(), setting_rows::of_measures()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

bool Setting::is_on() const { return is_switch() && get(Settings{}) == SettingValue(true); }

std::string Setting::marked() const { return Sentence::setting(name, is_on() ? "False" : ""); }

const Setting& find_setting(std::string_view name) {
  std::vector<std::string> names;
  for (const Setting& setting : settings()) {
    if (setting.name == name || (!name.empty() && setting.former == name)) return setting;
    names.emplace_back(setting.name);
  }
  throw UsageError(fmt::format("unknown setting {}.{}", printable(name), suggestion(name, names)));
}

void set(Settings& settings, const Setting& setting, std::string_view text) {
  try {
    setting.set(settings, text);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: {}", setting.marked(), e.sentence.marked()));
  }
  settings.given.push_back(&setting);
}

void set(Settings& settings, std::string_view name, std::string_view text) {
  set(settings, find_setting(name), text);
}

std::vector<std::string> named_files(const Settings& settings) {
  std::vector<std::string> paths;
  for (const std::string& path : {settings.region_file, settings.like, settings.palette})
    if (!path.empty()) paths.push_back(path);
  return paths;
}

bool was_given(const Settings& settings, std::string_view name) {
  return std::any_of(settings.given.begin(), settings.given.end(),
                     [&](const Setting* setting) { return setting->name == name; });
}

MeasureOptions measures_of(const Settings& settings, const Options& options) {
  MeasureOptions measures = settings.measures;
  measures.region = options.region;
  return measures;
}

Options options_for(const Settings& settings, const Grid& grid) {
  Options options = settings.options;
  if (!settings.preset.empty()) {
    apply_preset(settings.preset, options);
    if (was_given(settings, "tie")) options.tie = settings.options.tie;
  }
  if (settings.widest_axis) options.slice_wise = default_slice_axis(grid);
  if (settings.low_memory) options.threads = 1;
  make_neighbourhood(grid, options.connectivity, options.slice_wise);  // for its refusal
  return options;
}

}  // namespace crema
