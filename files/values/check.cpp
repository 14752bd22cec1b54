// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "crema/base/text.h"
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

/// More whole numbers than these are either many labels or the grey values of an image.
constexpr std::size_t kFewLabels = 32;

/// What to do with a file of several labels.
std::string label_advice(const ReadOptions& options) {
  std::string advice;
  if (options.takes_label)
    advice = fmt::format("choose it with {}, take all with {}", Sentence::setting("label"),
                         Sentence::setting("labels", "all"));
  if (!options.threshold_setting.empty())
    advice += fmt::format("{}cut with {}", advice.empty() ? "" : ", or ",
                          Sentence::setting(options.threshold_setting));
  return advice.empty() ? "save the intended one" : advice;
}

/// Grey values, whatever the type: cut by a threshold they would pass for a rater.
[[noreturn]] void refuse_image(const std::vector<double>& values, double least, double most,
                               const ReadOptions& options, const std::filesystem::path& path) {
  const bool labels = least >= 0 && std::all_of(values.begin(), values.end(), whole);
  const std::string instead =
      options.offers_image ? ", or give it with " + Sentence::setting("image") : std::string();
  refuse(path,
         "holds {} values from {:.6g} to {:.6g} ({}): looks like an image, not a mask; leave it out{}{}",
         values.size() > kFewLabels ? "many" : "several", least, most, list(values), instead,
         labels ? "; if these are labels, " + label_advice(options) : "");
}

[[noreturn]] void refuse_values(const Census& census, const ReadOptions& options,
                                const std::filesystem::path& path) {
  const std::vector<double> values = values_of(census);
  const double least = std::min(census.least, values.front());
  const double most = std::max(census.most, values.back());
  const bool labels = std::all_of(values.begin(), values.end(), whole);
  const std::string_view cut = options.threshold_setting;
  const bool levels = !labels && least >= 0 && most <= 1 + kValueTolerance;
  // Values near a listed one are not listed.
  const double lowest = values.front() - (census.rounded ? kValueTolerance : 0);
  const Half half = lowest <= 0.5 && most > 0.5 ? Half::cuts : Half::cuts_nothing;
  if (levels && values.size() > 2)
    refuse(path, "values from {:.6g} to {:.6g}: looks like a probability map: {}", least, most,
           probability_advice(options, half));
  if (values.size() <= 2)
    refuse(path, "holds the values {}, but a mask holds 0 and one whole number; {}", list(values),
           levels || cut.empty() ? probability_advice(options, half)
                                 : "use " + Sentence::setting(cut) + " to cut between them");
  if (labels && values.size() <= kFewLabels && least >= 0)
    throw LabelsError(
        sentence(path, "holds the labels {}, but a mask has one; {}", list(values), label_advice(options)));
  refuse_image(values, least, most, options, path);
}

/// 64-bit integers that doubles cannot distinguish are never confused.
void check_huge(const Census& census, const ValueType& type, const ReadOptions& options,
                const std::filesystem::path& path) {
  const bool wide = type.number == Number::int64 || type.number == Number::uint64;
  const double requested = std::abs(options.label.value_or(options.threshold.value_or(0)));
  if (wide && type.slope == 1 && type.intercept == 0 && requested >= kFirstInexact)
    refuse(path,
           "holds 64-bit integers, which cannot be compared with {:.6g} exactly; renumber its labels below "
           "2^53 and use {} again",
           requested, Sentence::setting(options.label ? "label" : options.threshold_setting));
  if (!census.collapsed.empty())
    refuse(
        path,
        "holds {}, labels beyond 2^53, which cannot be distinguished safely; renumber them and save it again",
        census.collapsed);
}

void check_strict(const Census& census, const ReadOptions& options, const std::filesystem::path& path) {
  const bool only_tiny = !census.inside && census.rounded;
  if (only_tiny) {
    refuse(path, "holds only values within {} of 0, but not all are 0; {}", kValueTolerance,
           options.threshold_setting.empty() ? "save it as a mask"
                                             : "use " + Sentence::setting(options.threshold_setting));
  }
  const bool two_values = census.foreign.empty() && (!census.inside || whole(census.inside_target));
  if (!two_values) refuse_values(census, options, path);
}

/// Whether a threshold cut what is neither levels nor a few labels.
bool looks_like_image(const Census& census, const ValueType& type, const ReadOptions& options) {
  return options.threshold && census.foreign.size() > kFewLabels &&
         (census.least < -kValueTolerance || census.most > std::max(1.0, type.natural) + kValueTolerance);
}

}  // namespace

std::string probability_advice(const ReadOptions& options, Half half) {
  if (options.threshold_setting.empty()) return "save it as a mask";
  std::string cut = "use " + Sentence::setting(options.threshold_setting, half == Half::cuts ? "0.5" : "");
  if (!options.takes_levels) return half == Half::cuts ? cut : cut + " to cut it";
  return fmt::format("{} to cut it, or {} to fuse the levels", cut,
                     Sentence::setting("probabilities", "True"));
}

void refuse_not_finite(const Census& census, const std::filesystem::path& path, const Grid& grid,
                       std::string_view advice) {
  const std::int64_t i = census.first_not_finite;
  const std::int64_t nx = grid.size[0], ny = grid.size[1];
  refuse(path, "{} NaN or infinite, the first at ({}, {}, {}); {}",
         counted(census.not_finite, "voxel is", "voxels are"), i % nx, i / nx % ny, i / nx / ny,
         !advice.empty()          ? advice
         : census.not_finite == 1 ? "replace it by 0"
                                  : "replace them by 0");
}

void refuse_label(double value, const std::filesystem::path& path) {
  refuse(path,
         "holds {}, which is {}, but labels are whole numbers from 0 to 65535; leave it out if it is an "
         "image, else "
         "renumber them",
         value_text(value),
         value < 0       ? "negative"
         : value > 65535 ? "too large"
                         : "no whole number");
}

/// Of what a threshold cuts: whether the values are many, and how far they reach.
void MaskBuilder::note_spread(std::span<const double> values) {
  auto& seen = census_.foreign;
  double last = 0;
  for (const double value : values) {
    census_.least = std::min(census_.least, value);
    census_.most = std::max(census_.most, value);
    if (value != last && seen.size() <= kFewLabels &&
        std::find(seen.begin(), seen.end(), value) == seen.end())
      seen.push_back(value);
    last = value;
  }
}

Warnings check_values(const Census& census, const ValueType& type, const ReadOptions& options,
                      const std::filesystem::path& path, const Grid& grid) {
  if (census.not_finite > 0) refuse_not_finite(census, path, grid);
  check_huge(census, type, options, path);
  const bool strict = !options.threshold && !options.label;
  if (strict) check_strict(census, options, path);
  Warnings warnings;
  if (looks_like_image(census, type, options))
    warnings.push_back({sentence(path,
                                 "holds many values from {:.6g} to {:.6g}: looks like an image, not a mask; "
                                 "if it is one, leave it out",
                                 census.least, census.most),
                        WarningKind::unlike});
  const double value = census.inside_target;
  if (!census.inside && options.label) {
    warnings.push_back(
        {sentence(path, "label {} does not occur; the mask is empty", value_text(*options.label)),
         WarningKind::missing_label});
  } else if (!census.inside) {
    warnings.push_back({sentence(path, "the mask is empty"), WarningKind::empty_mask});
  } else if (!census.outside) {
    warnings.push_back({strict ? sentence(path, "every voxel is {}; all are inside", value_text(value))
                               : sentence(path, "all voxels are inside"),
                        WarningKind::full_mask});
  } else if (strict && value != 1 && value != type.natural) {
    warnings.push_back(
        {sentence(path, "holds 0 and {}; {} counts as inside", value_text(value), value_text(value)),
         WarningKind::values});
  }
  if (strict && census.rounded) {
    warnings.push_back(
        {sentence(path, "values up to {} off were rounded to 0 and {}", kValueTolerance, value_text(value)),
         WarningKind::values});
  }
  return warnings;
}

}  // namespace crema::files
