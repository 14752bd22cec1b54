// SPDX-License-Identifier: Apache-2.0
#include "cli/options/options.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema::cli {
namespace {

OptionText row_of(const Spec& spec, Takes takes) {
  OptionText row;
  row.value = spec.value;
  row.text = spec.text;
  row.group = spec.group;
  row.former = spec.former;
  row.takes = takes;
  return row;
}

OptionRef take_call(Parser& app, const Spec& spec, const std::function<void()>& call) {
  return {app, app.add(spec.names, row_of(spec, Takes::nothing), [call](const Parser::Values&) { call(); })};
}

void take_setting(Parser& app, Settings& settings, const Setting& setting) {
  const std::string flag = setting.is_on() ? off_flag_of(setting.name) : flag_of(setting.name);
  const Spec spec{flag, std::string(setting.values), std::string(setting.text), std::string(setting.group),
                  setting.former.empty() ? "" : flag_of(setting.former)};
  if (!setting.is_switch()) {
    take(app, spec, [&settings, &setting](const std::string& text) {
      setting.set(settings, text);
      settings.given.push_back(&setting);
    });
    return;
  }
  // The flag says the opposite of what goes without saying.
  const char* const value = setting.is_on() ? "False" : "True";
  take_call(app, spec, [&settings, &setting, value] { set(settings, setting, value); });
}

}  // namespace

void OptionRef::required() const { parser_->require(place_); }
void OptionRef::excludes(OptionRef other) const { parser_->exclude(place_, other.place_); }

OptionRef take(Parser& app, const Spec& spec, Assign assign) {
  const std::string name = split(spec.names, ',').back();
  const Takes takes = spec.value.starts_with('[') ? Takes::optional : Takes::one;
  auto keep = [name, assign = std::move(assign)](const Parser::Values& values) {
    try {
      assign(values.front());
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("{}: {}", name, e.sentence.marked()));
    }
  };
  return {app, app.add(spec.names, row_of(spec, takes), std::move(keep))};
}

OptionRef add_choice_option(Parser& app, const Spec& spec, Assign assign) {
  // The function deletes what it holds.
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks)
  return take(app, spec, [choices = spec.value, assign = std::move(assign)](const std::string& text) {
    parse_choice(text, choices);
    assign(text);
  });
}

OptionRef add_text_option(Parser& app, const Spec& spec, std::string& field) {
  return take(app, spec, [&field](const std::string& text) {
    if (text.empty()) throw UsageError("an empty name was given.");
    field = text;
  });
}

OptionRef take_each(Parser& app, const Spec& spec, std::vector<std::string>& field) {
  return {app, app.add(spec.names, row_of(spec, Takes::each),
                       [&field](const Parser::Values& values) { field = values; })};
}

OptionRef add_flag(Parser& app, const Spec& spec, bool& field, bool value) {
  return take_call(app, spec, [&field, value] { field = value; });
}

void take_xml(Parser& app) {
  const Spec spec{"--xml", "", "Print a description of this command for 3D Slicer, and do nothing else.",
                  "Help"};
  app.add(spec.names, row_of(spec, Takes::xml), [](const Parser::Values&) {});
}

OptionRef take_list(Parser& app, const Spec& spec, std::vector<std::string>& field) {
  return {app, app.add(spec.names, row_of(spec, Takes::many),
                       [&field](const Parser::Values& values) { field = values; })};
}

OptionRef add_files_option(Parser& app, const Spec& spec, std::vector<std::string>& field) {
  const OptionRef files = take_list(app, spec, field);
  files.required();
  return files;
}

void add_settings(Parser& app, Settings& settings, const std::vector<std::string_view>& names) {
  for (const Setting& setting : crema::settings())
    if (std::find(names.begin(), names.end(), setting.name) != names.end())
      take_setting(app, settings, setting);
}

void add_setting_group(Parser& app, Settings& settings, std::string_view group) {
  for (const Setting& setting : crema::settings())
    if (setting.group == group) take_setting(app, settings, setting);
}

}  // namespace crema::cli
