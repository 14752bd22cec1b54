// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/parser.h"
#include "crema/base/text.h"
#include "crema/tables/setting_values.h"
#include "crema/tables/settings.h"

namespace crema::cli {

/// How an option looks to people. A value such as "x|y|z" also lists what may be typed; "FILE" and "DIR" are
/// paths.
struct Spec {
  std::string names;
  std::string value;
  std::string text;
  std::string group = "Options";
  std::string former = {};  ///< a name that is still understood
};

/// An option that was taken, to say more of it.
class OptionRef {
 public:
  OptionRef(Parser& parser, Parser::Place place) : parser_(&parser), place_(place) {}
  /// Without it a command does not run.
  void required() const;
  /// Never both.
  void excludes(OptionRef other) const;

 private:
  Parser* parser_;
  Parser::Place place_;
};

using Assign = std::function<void(const std::string&)>;

/// An option with one value, which `assign` checks and keeps; it throws UsageError without naming the option.
OptionRef take(Parser& app, const Spec& spec, Assign assign);

/// One of the words that spec.value lists; anything else is refused with the nearest of them.
OptionRef add_choice_option(Parser& app, const Spec& spec, Assign assign);

OptionRef add_text_option(Parser& app, const Spec& spec, std::string& field);
/// The values of an option that may be typed several times, in their order.
OptionRef take_each(Parser& app, const Spec& spec, std::vector<std::string>& field);
/// Sets the field to that value where the flag is given.
OptionRef add_flag(Parser& app, const Spec& spec, bool& field, bool value = true);

/// The command describes itself to 3D Slicer instead of running: --xml.
void take_xml(Parser& app);

/// An option with as many values as follow it.
OptionRef take_list(Parser& app, const Spec& spec, std::vector<std::string>& field);

/// File names, as many as are typed, at least one.
OptionRef add_files_option(Parser& app, const Spec& spec, std::vector<std::string>& field);

/// A whole number in a range, both ends included.
template <class Whole>
OptionRef add_number_option(Parser& app, const Spec& spec, Whole& field, Range range);

/// Flags of the program for the settings of that name, in the order of their table.
void add_settings(Parser& app, Settings& settings, const std::vector<std::string_view>& names);

/// Flags for all settings of a group.
void add_setting_group(Parser& app, Settings& settings, std::string_view group);

template <class Whole>
OptionRef add_number_option(Parser& app, const Spec& spec, Whole& field, Range range) {
  return take(app, spec, [&field, range](const std::string& text) {
    field = static_cast<Whole>(parse_whole(text, range));
  });
}

}  // namespace crema::cli
