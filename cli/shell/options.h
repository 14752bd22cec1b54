// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crema/setting_values.h"
#include "crema/settings.h"
#include "crema/text.h"

// Declared alone: to read all of CLI11 for every command would be most of what compiling them takes.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace crema::cli {

/// How an option looks to people. A value such as "x|y|z" also lists what may be typed; "FILE" and "DIR" are
/// paths.
struct Spec {
  std::string names;
  std::string value;
  std::string text;
  std::string group = "Options";
};

/// An option that was taken, to say more of it.
class Taken {
 public:
  explicit Taken(CLI::Option* option) : option_(option) {}
  /// Without it a command does not run.
  void required() const;
  /// Never both.
  void excludes(Taken other) const;

 private:
  CLI::Option* option_;
};

using Assign = std::function<void(const std::string&)>;

/// An option with one value, which `assign` checks and keeps; it throws UsageError without naming the option.
Taken take(CLI::App& app, const Spec& spec, Assign assign);

/// One of the words that spec.value lists; anything else is refused with the nearest of them.
Taken take_choice(CLI::App& app, const Spec& spec, Assign assign);

Taken take_text(CLI::App& app, const Spec& spec, std::string& field);
/// Sets the field to that value where the flag is given.
Taken take_flag(CLI::App& app, const Spec& spec, bool& field, bool value = true);

/// File names, as many as are typed, at least one.
Taken take_files(CLI::App& app, const Spec& spec, std::vector<std::string>& field);

/// A whole number in a range, both ends included.
template <class Whole>
Taken take_whole(CLI::App& app, const Spec& spec, Whole& field, Range range);

/// Flags of the program for the settings of that name, in the order of their table.
void take_settings(CLI::App& app, Settings& settings, const std::vector<std::string_view>& names);

/// Flags for all settings of a group.
void take_group(CLI::App& app, Settings& settings, std::string_view group);

template <class Whole>
Taken take_whole(CLI::App& app, const Spec& spec, Whole& field, Range range) {
  return take(app, spec, [&field, range](const std::string& text) {
    field = static_cast<Whole>(parse_whole(text, range));
  });
}

}  // namespace crema::cli
