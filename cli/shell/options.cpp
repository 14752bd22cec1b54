// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/options.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "crema/error.h"

namespace crema::cli {
namespace {

Taken take_call(CLI::App& app, const Spec& spec, const std::function<void()>& call) {
  CLI::Option* const option = app.add_flag_callback(spec.names, call, spec.text);
  return Taken(option->group(spec.group)->disable_flag_override());
}

void take_setting(CLI::App& app, Settings& settings, const Setting& setting) {
  const std::string flag = setting.is_on() ? off_flag_of(setting.name) : flag_of(setting.name);
  const Spec spec{flag, std::string(setting.values), std::string(setting.text), std::string(setting.group)};
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

void Taken::required() const { option_->required(); }
void Taken::excludes(Taken other) const { option_->excludes(other.option_); }

Taken take(CLI::App& app, const Spec& spec, Assign assign) {
  const std::string name = split(spec.names, ',').back();
  auto keep = [name, assign = std::move(assign)](const CLI::results_t& values) {
    if (values.size() > 1) throw UsageError(fmt::format("{} is given more than once.", name));
    try {
      assign(values.front());
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("{}: {}", name, e.sentence.marked()));
    }
    return true;
  };
  CLI::Option* option = app.add_option(spec.names, CLI::callback_t(keep), spec.text);
  option->type_name(spec.value)->group(spec.group);
  return Taken(option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

Taken take_choice(CLI::App& app, const Spec& spec, Assign assign) {
  // The function deletes what it holds.
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks)
  return take(app, spec, [choices = spec.value, assign = std::move(assign)](const std::string& text) {
    parse_choice(text, choices);
    assign(text);
  });
}

Taken take_text(CLI::App& app, const Spec& spec, std::string& field) {
  return take(app, spec, [&field](const std::string& text) {
    if (text.empty()) throw UsageError("an empty name was given.");
    field = text;
  });
}

Taken take_flag(CLI::App& app, const Spec& spec, bool& field, bool value) {
  return take_call(app, spec, [&field, value] { field = value; });
}

Taken take_files(CLI::App& app, const Spec& spec, std::vector<std::string>& field) {
  CLI::Option* const option = app.add_option(spec.names, field, spec.text);
  return Taken(option->type_name(spec.value)->group(spec.group)->required());
}

void take_settings(CLI::App& app, Settings& settings, const std::vector<std::string_view>& names) {
  for (const Setting& setting : crema::settings())
    if (std::find(names.begin(), names.end(), setting.name) != names.end())
      take_setting(app, settings, setting);
}

void take_group(CLI::App& app, Settings& settings, std::string_view group) {
  for (const Setting& setting : crema::settings())
    if (setting.group == group) take_setting(app, settings, setting);
}

}  // namespace crema::cli
