// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "files/io/sentence.h"
#include "files/values/values.h"

namespace crema::files {

namespace {

constexpr std::size_t kMaxListed = 12;

bool whole(double value) { return std::abs(value - std::round(value)) <= kValueTolerance; }

/// All values seen, smallest first.
std::vector<double> values_of(const Census& census) {
  std::vector<double> values = census.foreign;
  if (census.outside) values.push_back(0);
  if (census.inside) values.push_back(census.inside_target);
  std::sort(values.begin(), values.end());
  return values;
}

/// Whole numbers with all their digits, so that two of them never look the same.
std::string value_text(double value) {
  constexpr double all_digits = 1e15;
  const bool exact = value == std::round(value) && std::abs(value) < all_digits;
  return exact ? fmt::format("{:.0f}", value == 0 ? 0.0 : value) : fmt::format("{:.6g}", value);
}

std::string list(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMaxListed, values.size()); ++i) {
    text += (i == 0 ? "" : ", ") + value_text(values[i]);
  }
  return values.size() > kMaxListed ? text + " …" : text;
}

[[noreturn]] void refuse_values(const Census& census, const ReadOptions& options,
                                const std::filesystem::path& path) {
  const std::vector<double> values = values_of(census);
  const double least = std::min(census.least, values.front());
  const double most = std::max(census.most, values.back());
  const bool labels = std::all_of(values.begin(), values.end(), whole);
  if (!labels && least >= 0 && most <= 1 + kValueTolerance && values.size() > 2) {
    refuse(path, "values from {:.6g} to {:.6g}: looks like a probability map: use {}", least, most,
           Sentence::setting("threshold", "0.5"));
  }
  if (values.size() <= 2) {
    refuse(path, "holds the values {}, but a mask holds 0 and one whole number; use {} to cut between them",
           list(values), Sentence::setting("threshold"));
  }
  if (labels && values.size() <= 32 && least >= 0) {
    refuse(path, "holds the labels {}, but a mask has one; choose it with {}{}, or cut with {}", list(values),
           Sentence::setting("label"),
           options.offers_labels ? ", fuse all with " + Sentence::setting("labels", "all") : "",
           Sentence::setting("threshold"));
  }
  refuse(path, "holds {} values from {:.6g} to {:.6g} ({}): looks like an image, not a mask; use {} or {}",
         values.size() > 32 ? "many" : "several", least, most, list(values), Sentence::setting("threshold"),
         Sentence::setting("label"));
}

/// Whole numbers of 64 bits that doubles cannot tell apart are never taken for each other.
void check_huge(const Census& census, const ValueType& type, const ReadOptions& options,
                const std::filesystem::path& path) {
  const bool wide = type.number == Number::int64 || type.number == Number::uint64;
  const double asked = std::abs(options.label.value_or(options.threshold.value_or(0)));
  if (wide && type.slope == 1 && type.intercept == 0 && asked >= kFirstInexact)
    refuse(path,
           "holds whole numbers of 64 bits, which cannot be compared with {:.6g} exactly; renumber "
           "its labels below 2^53 and use {} anew",
           asked, Sentence::setting(options.label ? "label" : "threshold"));
  if (!census.collapsed.empty())
    refuse(path,
           "holds {}, labels beyond 2^53 that cannot be told apart safely; renumber them and save it "
           "again",
           census.collapsed);
}

void check_strict(const Census& census, const ReadOptions& options, const std::filesystem::path& path) {
  const bool only_tiny = !census.inside && census.rounded;
  if (only_tiny) {
    refuse(path, "holds only values within {} of 0, but not all are 0; use {}", kValueTolerance,
           Sentence::setting("threshold"));
  }
  const bool two_values = census.foreign.empty() && (!census.inside || whole(census.inside_target));
  if (!two_values) refuse_values(census, options, path);
}

}  // namespace

void refuse_not_finite(const Census& census, const std::filesystem::path& path, const Grid& grid) {
  const std::int64_t i = census.first_not_finite;
  const std::int64_t nx = grid.size[0], ny = grid.size[1];
  refuse(path, "{} voxel{} NaN or infinite, the first at ({}, {}, {}); replace {} by 0", census.not_finite,
         census.not_finite == 1 ? " is" : "s are", i % nx, i / nx % ny, i / nx / ny,
         census.not_finite == 1 ? "it" : "them");
}

void refuse_label(double value, const std::filesystem::path& path) {
  refuse(
      path,
      "holds {}, which is {}; labels are whole numbers from 0 to 65535, so renumber them and save it again",
      value_text(value),
      value < 0       ? "negative"
      : value > 65535 ? "too large"
                      : "no whole number");
}

Warnings check_values(const Census& census, const ValueType& type, const ReadOptions& options,
                      const std::filesystem::path& path, const Grid& grid) {
  if (census.not_finite > 0) refuse_not_finite(census, path, grid);
  check_huge(census, type, options, path);
  const bool strict = !options.threshold && !options.label;
  if (strict) check_strict(census, options, path);
  Warnings warnings;
  const double value = census.inside_target;
  if (!census.inside && options.label) {
    warnings.push_back(
        sentence(path, "label {} does not occur; the mask is empty", value_text(*options.label)));
  } else if (!census.inside) {
    warnings.push_back(sentence(path, "the mask is empty"));
  } else if (!census.outside) {
    warnings.push_back(strict ? sentence(path, "every voxel is {}; all are inside", value_text(value))
                              : sentence(path, "all voxels are inside"));
  } else if (strict && value != 1 && value != type.natural) {
    warnings.push_back(
        sentence(path, "holds 0 and {}; {} is taken as inside", value_text(value), value_text(value)));
  }
  if (strict && census.rounded) {
    warnings.push_back(
        sentence(path, "values up to {} off were rounded to 0 and {}", kValueTolerance, value_text(value)));
  }
  return warnings;
}

}  // namespace crema::files
