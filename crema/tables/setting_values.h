// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crema/counts/staple/performance.h"

/// Values of settings from text, whatever the locale. All throw UsageError with what was written and what
/// would be right.
namespace crema {

struct Range {
  std::int64_t low, high;
};

double parse_number(std::string_view text);
double parse_positive(std::string_view text);
/// What Tversky's distance weighs with: from 1e-6 to 1e6, both included.
double parse_share(std::string_view text);
double parse_not_negative(std::string_view text);
/// A level to cut at: from 0 to below 1.
double parse_level(std::string_view text);
std::int64_t parse_whole(std::string_view text, Range range);
/// Bytes: 800000000, 512M, 1.5G; K, M, G and T are powers of 1024.
std::int64_t parse_memory(std::string_view text);
/// "True" or "False".
bool parse_switch(std::string_view text);
/// mean, a number between 0 and 1, or A/N^alpha (A/N is A/N^1).
Prior parse_prior(std::string_view text);
/// Numbers of at least 0 separated by commas, not all 0.
std::vector<double> parse_weights(std::string_view text);

/// The place of a word in a list such as "x|y|z"; refuses others with the nearest of them.
std::size_t parse_choice(std::string_view text, std::string_view choices);

/// "mean", "0.3", "500/N^1".
std::string to_string(const Prior& prior);

}  // namespace crema
