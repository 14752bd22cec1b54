// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/setting_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema {
namespace {

template <class Value>
bool parse_all(std::string_view text, Value& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::int64_t unit_of(char letter) {
  constexpr std::string_view units = "KMGT";
  const char large = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  const std::size_t at = units.find(large);
  return at == std::string_view::npos ? 0 : std::int64_t{1} << (10 * (at + 1));
}

double parse_weight(std::string_view text) {
  if (text.empty()) throw UsageError("a weight is missing; write them like 1,0.5,1.");
  const double weight = parse_number(text);
  if (weight < 0) throw UsageError(fmt::format("{} is not a valid weight; weights are 0 or more.", text));
  return weight;
}

}  // namespace

double parse_number(std::string_view text) {
  double value = 0;
  if (!parse_all(text, value) || !std::isfinite(value))
    throw UsageError(fmt::format("{} is not a number; write it like 0.5.", printable(text)));
  return value;
}

double parse_positive(std::string_view text) {
  const double number = parse_number(text);
  if (!(number > 0)) throw UsageError(fmt::format("{} is not above 0.", text));
  return number;
}

double parse_not_negative(std::string_view text) {
  const double number = parse_number(text);
  if (number < 0) throw UsageError(fmt::format("{} is below 0.", text));
  return number;
}

double parse_share(std::string_view text) {
  constexpr double kMin = 1e-6, kMax = 1e6;
  const double share = parse_number(text);
  if (share < kMin || share > kMax)
    throw UsageError(fmt::format("{} is not between {:g} and {:g}.", text, kMin, kMax));
  return share;
}

double parse_level(std::string_view text) {
  const double level = parse_number(text);
  if (level < 0 || level >= 1)
    throw UsageError(fmt::format("{} is not a valid level; write a number from 0 to below 1.", text));
  return level;
}

std::int64_t parse_whole(std::string_view text, Range range) {
  std::int64_t value = 0;
  if (!parse_all(text, value) || value < range.low || value > range.high)
    throw UsageError(
        fmt::format("{} is not a whole number from {} to {}.", printable(text), range.low, range.high));
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
    throw UsageError(
        fmt::format("{} is not an amount of memory; write it like 512M or 4G.", printable(text)));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(value * static_cast<double>(unit)));
}

bool parse_switch(std::string_view text) {
  if (text != "True" && text != "False")
    throw UsageError(fmt::format("{} is neither True nor False.", printable(text)));
  return text == "True";
}

Prior parse_prior(std::string_view text) {
  const auto no_prior = [&] {
    return fmt::format("{} is not a valid prior; write mean, a number, or one like 500/N^1.",
                       printable(text));
  };
  if (text == "mean") return {};
  const std::size_t slash = text.find("/N");
  if (slash == std::string_view::npos) {
    if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
      throw UsageError(no_prior());
    const double value = parse_number(text);
    if (!(value > 0 && value < 1))
      throw UsageError(fmt::format("the prior {} is not strictly between 0 and 1.", text));
    return {Prior::Kind::number, value};
  }
  const std::string_view power = text.substr(slash + 2);
  if (!power.empty() && power.front() != '^') throw UsageError(no_prior());
  return {Prior::Kind::power, parse_positive(text.substr(0, slash)),
          power.empty() ? 1 : parse_not_negative(power.substr(1))};
}

std::string to_string(const Prior& prior) {
  if (prior.kind == Prior::Kind::power) return fmt::format("{}/N^{}", prior.value, prior.alpha);
  if (prior.kind == Prior::Kind::number) return fmt::format("{}", prior.value);
  return prior.value == 1 ? "mean" : fmt::format("{} × mean", prior.value);
}

std::vector<double> parse_weights(std::string_view text) {
  std::vector<double> weights;
  for (const std::string& part : split(text, ',')) weights.push_back(parse_weight(trimmed(part)));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum == 0) throw UsageError("all weights are 0; at least one rater must count.");
  if (!std::isfinite(sum)) throw UsageError("the sum of the weights is too large; write smaller ones.");
  return weights;
}

std::size_t parse_choice(std::string_view text, std::string_view choices) {
  const std::vector<std::string> words = split(choices, '|');
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    throw UsageError(fmt::format("{} is not one of {}.{}", printable(text), fmt::join(words, ", "),
                                 suggestion(text, words)));
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace crema
