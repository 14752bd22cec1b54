// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <variant>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/text.h"
#include "raters/legend_names.h"
#include "raters/names.h"
#include "report/html.h"
#include "report/report.h"

namespace crema::report {
namespace {

constexpr std::size_t kPlaces = 25, kMostTurned = 400;
constexpr double kMostWork = 2e6;  ///< about a second

/// What the list of places takes: two searches for each row, each of which goes over all rows of its
/// component. Ragged outlines on large pictures have thousands of them.
double work_of_review(const Reduction& reduction) {
  double work = 0;
  for (const Crowns& crowns : reduction.crowns) {
    const auto rows = static_cast<double>(crowns.tally.rows.size());
    work += rows * rows;
  }
  return work;
}

/// Whether the method has an answer to each component on its own, that a criterion can evaluate.
bool one_by_one(const Method& method) {
  return method.aim == Aim::distance && std::holds_alternative<Solver>(method.solver);
}

/// What can be asked about how sure a method is.
StudyOptions questions_for(const Method& method, const Reduction& reduction) {
  StudyOptions asked;
  if (method.needs != Needs::neighbours && reduction.raters > 1) asked.leave_out = LeaveOut::fixed;
  if (one_by_one(method) && work_of_review(reduction) <= kMostWork) asked.review = kPlaces;
  // One search for each rater and component; beyond that many nobody reads them.
  asked.flips = one_by_one(method) && reduction.raters > 1 && reduction.crowns.size() <= kMostTurned;
  return asked;
}

std::int32_t parse_index(std::string_view text, const std::string& all) {
  std::int32_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("'{}' is no stretch of slices; write for example z=20:60.", printable(all)));
  return number;
}

}  // namespace

Slices parse_slices(const std::string& text, const Grid& grid) {
  const std::size_t axis = std::string_view("xyz").find(text.empty() ? ' ' : text[0]);
  const std::size_t colon = text.find(':');
  if (axis > 2 || text.size() < 5 || text[1] != '=' || colon == std::string::npos)
    throw UsageError(
        fmt::format("'{}' is no stretch of slices; write for example z=20:60.", printable(text)));
  const Slices slices{static_cast<Axis>(axis), parse_index(std::string_view(text).substr(2, colon - 2), text),
                      parse_index(std::string_view(text).substr(colon + 1), text)};
  if (slices.first < 0 || slices.last < slices.first || slices.last >= grid.size[axis])
    throw UsageError(fmt::format("'{}': the slices across {} are 0 to {}, the first one before the last.",
                                 printable(text), text[0], grid.size[axis] - 1));
  return slices;
}

Findings find_out(const raters::Case& counted, std::vector<raters::Outcome> outcomes,
                  const Settings& settings, const std::string& case_name) {
  Findings findings;
  findings.comparison = raters::compare(counted, std::move(outcomes), settings);
  findings.names.name = tamed(case_name);
  for (const std::string& name : raters::legend_names(counted.names))
    findings.names.raters.push_back(tamed(name));
  const raters::Outcome& first = findings.comparison.outcomes.front();
  findings.too_many_places = one_by_one(first.method()) && work_of_review(*counted.reduction) > kMostWork;
  std::vector<Evaluated> evaluated;
  evaluated.push_back({std::string(first.method().name), &first.method(), first.solution, first.options});
  findings.study =
      study_agreement(*counted.reduction, std::move(evaluated),
                      questions_for(first.method(), *counted.reduction), counted.options.threads);
  return findings;
}

}  // namespace crema::report
