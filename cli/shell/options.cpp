// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/options.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/shell/suggest.h"
#include "crema/error.h"
#include "files/files.h"

namespace crema::cli {
namespace {

/// What was typed, fit for a terminal.
std::string shown(std::string_view text) { return files::printable(std::string(text)); }

template <class Value>
bool parse_all(std::string_view text, Value& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::int64_t unit_of(char letter) {
  switch (letter) {
    case 'k':
    case 'K':
      return std::int64_t{1} << 10;
    case 'm':
    case 'M':
      return std::int64_t{1} << 20;
    case 'g':
    case 'G':
      return std::int64_t{1} << 30;
    case 't':
    case 'T':
      return std::int64_t{1} << 40;
    default:
      return 0;
  }
}

}  // namespace

CLI::Option* take(CLI::App& app, const Spec& spec, Assign assign) {
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
  return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* take_choice(CLI::App& app, const Spec& spec, Assign assign) {
  auto check = [choices = split(spec.value, '|'), assign = std::move(assign)](const std::string& text) {
    for (const std::string& choice : choices)
      if (text == choice) return assign(text);
    throw UsageError(fmt::format("{} is not one of {}.{}", shown(text), fmt::join(choices, ", "),
                                 suggestion(text, choices)));
  };
  return take(app, spec, check);
}

CLI::Option* take_text(CLI::App& app, const Spec& spec, std::string& field) {
  return take(app, spec, [&field](const std::string& text) {
    if (text.empty()) throw UsageError("an empty name was given.");
    field = text;
  });
}

CLI::Option* take_number(CLI::App& app, const Spec& spec, std::optional<double>& field) {
  return take(app, spec, [&field](const std::string& text) { field = parse_number(text); });
}

CLI::Option* take_flag(CLI::App& app, const Spec& spec, bool& field) {
  return app
      .add_flag_callback(
          spec.names, [&field] { field = true; }, spec.text)
      ->group(spec.group)
      ->disable_flag_override();
}

CLI::Option* take_files(CLI::App& app, const Spec& spec, std::vector<std::string>& field) {
  return app.add_option(spec.names, field, spec.text)->type_name(spec.value)->group(spec.group)->required();
}

double parse_number(std::string_view text) {
  double value = 0;
  if (!parse_all(text, value) || !std::isfinite(value))
    throw UsageError(fmt::format("{} is not a number; write it like 0.5.", shown(text)));
  return value;
}

std::int64_t parse_whole(std::string_view text, Range range) {
  std::int64_t value = 0;
  if (!parse_all(text, value) || value < range.low || value > range.high)
    throw UsageError(
        fmt::format("{} is not a whole number from {} to {}.", shown(text), range.low, range.high));
  return value;
}

std::int64_t parse_memory(std::string_view text) {
  std::string_view digits = text;
  std::int64_t unit = 1;
  if (!text.empty() && unit_of(text.back()) != 0) {
    unit = unit_of(text.back());
    digits.remove_suffix(1);
  }
  double value = 0;
  const bool good = parse_all(digits, value) && value > 0 && value * static_cast<double>(unit) < 9e18;
  if (!good)
    throw UsageError(fmt::format("{} is not an amount of memory; write it like 512M or 4G.", shown(text)));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(value * static_cast<double>(unit)));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace crema::cli
