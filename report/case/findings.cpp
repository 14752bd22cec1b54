// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <variant>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "raters/open/names.h"
#include "report/case/report.h"
#include "report/html.h"

namespace crema::report {
namespace {

/// Decisions of a page: so many in all, and of one of many structures no fewer than that.
constexpr std::size_t kMaxDecisions = 400, kMinDecisions = 25, kMaxTurned = 400;
/// Whether the method has an answer to each component on its own, that a criterion can evaluate.
bool one_by_one(const Method& method) {
  return method.aim == Aim::distance && std::holds_alternative<Solver>(method.solver);
}

/// What can be said of how sure a method is.
MeasureOptions questions_for(const Method& method, const Reduction& reduction, std::size_t structures,
                             MeasureOptions requested) {
  if (method.needs != Needs::neighbours && reduction.raters > 1) requested.leave_out = LeaveOut::fixed;
  if (reduction.levels) return requested;  // decisions and what turns them are about masks
  if (one_by_one(method)) requested.review = std::max(kMaxDecisions / structures, kMinDecisions);
  // One search for each rater and component; beyond that many nobody reads them.
  requested.flips = one_by_one(method) && reduction.raters > 1 && reduction.crowns.size() <= kMaxTurned;
  return requested;
}

std::int32_t parse_index(std::string_view text, const std::string& all) {
  std::int32_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size())
    throw UsageError(
        fmt::format("'{}' is not a valid range of slices; write for example z=20:60.", printable(all)));
  return number;
}

}  // namespace

Slices parse_slices(const std::string& text, const Grid& grid) {
  const std::size_t axis = std::string_view("xyz").find(text.empty() ? ' ' : text[0]);
  const std::size_t colon = text.find(':');
  if (axis > 2 || text.size() < 5 || text[1] != '=' || colon == std::string::npos)
    throw UsageError(
        fmt::format("'{}' is not a valid range of slices; write for example z=20:60.", printable(text)));
  const Slices slices{static_cast<Axis>(axis), parse_index(std::string_view(text).substr(2, colon - 2), text),
                      parse_index(std::string_view(text).substr(colon + 1), text)};
  if (slices.first < 0 || slices.last < slices.first || slices.last >= grid.size[axis])
    throw UsageError(fmt::format("'{}': the slices across {} are 0 to {}, the first one before the last.",
                                 printable(text), text[0], grid.size[axis] - 1));
  return slices;
}

Findings analyse(const raters::Case& counted, std::size_t structure,
                 const std::vector<raters::Outcome>& outcomes, raters::StructureComparison comparison,
                 const MeasureOptions& measures, const std::string& case_name) {
  Findings findings{.structure = structure};
  findings.comparison = std::move(comparison);
  for (const raters::Outcome& outcome : outcomes)
    findings.outcomes.push_back(raters::only(counted, outcome, structure));
  if (const auto& joint = outcomes.front().joint; joint && !joint->disputes.empty())
    findings.alone = &joint->labels[structure].alone;
  const Reduction& reduction = counted.reduction(structure);
  findings.names.name = bidi_safe(case_name);
  for (const std::string& name : raters::short_names(counted.names, raters::Ending::drop))
    findings.names.raters.push_back(bidi_safe(name));
  const raters::Outcome& first = findings.outcomes.front();
  std::vector<Evaluated> evaluated;
  evaluated.push_back({std::string(first.method().name), &first.method(), first.structures.front(),
                       first.options, raters::joint_part(counted, outcomes.front(), structure)});
  findings.study = raters::study(counted, structure, std::move(evaluated),
                                 questions_for(first.method(), reduction, counted.structures(), measures));
  return findings;
}

}  // namespace crema::report
