// SPDX-License-Identifier: Apache-2.0
#include "cli/text/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/shell/terminal.h"
#include "cli/text/cells.h"
#include "cli/text/certificate.h"
#include "cli/text/compare_text.h"
#include "cli/text/label_summary.h"
#include "crema/base/text.h"
#include "crema/levels/rule.h"
#include "crema/records/units.h"
#include "raters/open/names.h"

namespace crema::cli {
namespace {

constexpr std::size_t kColumn = 13;
constexpr std::size_t kNameWidth = 28;  ///< two of them fit a line

std::ptrdiff_t kept(const Solution& solution) {
  return std::count_if(solution.components.begin(), solution.components.end(),
                       [](const Decision& decision) { return decision.soft_voxels > 0; });
}

double seconds_of(const FuseResult& result) {
  return result.outcome.solving + result.outcome.painting + result.writing;
}

std::string rounds_text(int rounds) { return crema::counted(rounds, "round"); }

std::string found_text(const WeightSearch& search) {
  std::string weights;
  for (const double weight : search.weights)
    weights += fmt::format("{}{:.4f}", weights.empty() ? "" : ", ", weight);
  return fmt::format("weights {}: {} after {}", weights, search.converged ? "settled" : "not settled",
                     rounds_text(search.rounds));
}

/// What is reported of a method that stands alone, in as many lines as it needs.
std::string method_line(const FuseResult& result, const files::Header& reference, std::size_t width) {
  const Solution& solution = result.outcome.structures.front();
  const Grid& grid = reference.grid;
  const auto sized = [&](const std::string& voxels, double size) {
    return grid.measured ? fmt::format("{} ({})", voxels, size_text(grid, size)) : voxels;
  };
  std::vector<std::string> parts = {
      sized(crema::counted(solution.voxels, "voxel"), static_cast<double>(solution.voxels))};
  if (solution.method->kind == Kind::soft)
    parts.push_back(
        sized(fmt::format("soft volume {:.1f} voxels", solution.soft_volume), solution.soft_volume));
  parts.push_back(fmt::format("LMSD {:.6f} in {}", solution.lmsd, to_string(solution.method->distance)));
  parts.push_back(fmt::format("{} of {} kept", kept(solution),
                              crema::counted(std::ssize(solution.components), "component")));
  parts.push_back(fmt::format("{:.2f} s", seconds_of(result)));
  std::string text, row;
  for (const std::string& part : parts) {
    const bool other_size = part.starts_with("soft volume");  // no line has sizes of both kinds
    if (!row.empty() && (other_size || kColumn + width_of(row) + 3 + width_of(part) > width)) {
      text += line(text.empty() ? solution.method->name : "", row);
      row.clear();
    }
    row += (row.empty() ? "" : "   ") + part;
  }
  return text + line(text.empty() ? solution.method->name : "", row);
}

/// Several methods side by side, in the same terms.
std::string methods_text(const std::vector<FuseResult>& results, const raters::Case& counted,
                         std::size_t width) {
  const files::Header& reference = counted.reference;
  if (counted.labelled()) {
    std::string text;
    for (const FuseResult& result : results) text += label_lines(counted, result.outcome);
    return text;
  }
  if (results.size() == 1) return method_line(results.front(), reference, width);
  std::vector<MethodRow> rows;
  for (const FuseResult& result : results) {
    rows.push_back(*result.row);
    rows.back().writing = result.outcome.painting + result.writing;
  }
  return "\n" + method_tables(rows, reference, width) + "\n";
}

/// Numbers in the order of the raters, as many to a line as fit.
std::string number_lines(std::string_view name, const std::string& what, const std::vector<double>& values,
                         std::size_t width) {
  std::string text = fmt::format("{:<{}}{:<11}", name, kColumn, what);
  const std::size_t start = kColumn + 11;
  std::size_t used = start;
  for (const double value : values) {
    if (used > start && used + 8 > width) {
      text += "\n" + std::string(start, ' ');
      used = start;
    }
    text += fmt::format("  {:.4f}", value);
    used += 8;
  }
  return text + "\n";
}

/// How each rater does, in the order of the raters, and what that rests on.
std::string estimate_lines(const raters::Outcome& outcome, std::size_t width) {
  const Solution& solution = outcome.structures.front();
  if (!solution.performance) return "";
  const Performance& found = *solution.performance;
  const std::string_view name = solution.method->name;
  std::string text;
  if (!found.sensitivity.empty()) {
    text += number_lines(name, "sensitivity", found.sensitivity, width);
    text += number_lines(name, "specificity", found.specificity, width);
  }
  if (!found.score.empty()) text += number_lines(name, "overlap", found.score, width);
  text += line(name, fmt::format("{}{} after {}",
                                 found.prior ? fmt::format("prior {:.6g}, region {}, ", *found.prior,
                                                           to_string(outcome.options.region.kind))
                                             : "",
                                 found.converged ? "converged" : "not converged",
                                 crema::counted(found.iterations, "iteration")));
  return text;
}

/// Names without endings, and without a file name that all have in common; fit for a terminal.
std::vector<std::string> names_in_rules(const std::vector<std::string>& names) {
  std::vector<std::string> found = raters::short_names(names, raters::Ending::drop);
  const std::string common = found.front().substr(std::min(found.front().rfind('/'), found.front().size()));
  const bool alike = !common.empty() && std::all_of(found.begin(), found.end(), [&](const std::string& name) {
    return name.ends_with(common);
  });
  for (std::string& name : found)
    name = shortened(name.substr(0, name.size() - (alike ? common.size() : 0)), kNameWidth);
  return found;
}

/// What each rater counts, in each structure.
std::string rule_lines(const raters::Outcome& outcome, const raters::Case& counted,
                       const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t s = 0; s < outcome.structures.size(); ++s) {
    const auto rule = level_rule(outcome.structures[s]);
    if (!rule) continue;
    const std::string whose = counted.labelled() ? files::printable(counted.label(s)) + ": " : "";
    text += line(outcome.method().name, whose + rule_text(*rule, names));
  }
  return text;
}

/// What was found out about single methods, in lines that start with their names.
std::string method_remarks(const std::vector<FuseResult>& results, const raters::Case& counted,
                           std::size_t width) {
  const std::vector<std::string> names = names_in_rules(counted.names);
  std::string text;
  for (const FuseResult& result : results)
    if (result.outcome.search) text += line(result.outcome.method().name, found_text(*result.outcome.search));
  for (const FuseResult& result : results) text += estimate_lines(result.outcome, width);
  for (const FuseResult& result : results) text += rule_lines(result.outcome, counted, names);
  for (const FuseResult& result : results) {
    const Solution& solution = result.outcome.structures.front();
    if (solution.lower_bound && !result.outcome.joint)
      text += line(solution.method->name,
                   fmt::format("{} {}", to_string(solution.method->distance),
                               certificate_text({solution.lmsd, *solution.lower_bound,
                                                 solution.components.size(), solution.unproven})));
  }
  return text;
}

std::string written_text(const std::vector<FuseResult>& results) {
  const std::filesystem::path& first = results.front().image;
  std::string text = files::printable(first);
  if (results.size() > 1)
    text = fmt::format("{} files in {}", results.size(), files::printable(first.parent_path() / ""));
  for (const FuseResult& result : results)
    if (result.outcome.threshold)
      return fmt::format("{} (levels above {} as a mask)", text, *result.outcome.threshold);
  return text;
}

}  // namespace

std::string line(std::string_view name, const std::string& text) {
  const std::string_view gap = name.size() < kColumn ? "" : " ";
  return fmt::format("{:<{}}{}{}\n", name, kColumn, gap, text);
}

std::string grid_text(const files::Header& header) {
  const Grid& grid = header.grid;
  const std::size_t axes = grid.flat() ? 2 : 3;
  std::string text = fmt::format("{}", fmt::join(grid.size.begin(), grid.size.begin() + axes, " × "));
  if (grid.measured) {
    text += ", ";
    for (std::size_t a = 0; a < axes; ++a)
      text += fmt::format("{}{:.6g}", a == 0 ? "" : " × ", grid.spacing[a]);
    text += " mm";
  }
  return text;
}

std::string summary_head(const raters::Case& counted, RaterList list) {
  const Reduction& reduction = counted.reduction(0);
  const auto short_name = [](const std::string& name) {
    const std::size_t segment = name.find('#');
    const std::string file = std::filesystem::path(name.substr(0, segment)).filename().string();
    return shortened(files::printable(file + (segment == std::string::npos ? "" : name.substr(segment))),
                     kNameWidth);
  };
  std::string names = short_name(counted.names.front());
  if (counted.names.size() > 1) {
    const std::string last = short_name(counted.names.back());
    const auto whole = [](const std::string& name) { return shortened(files::printable(name), kNameWidth); };
    names = last == names ? whole(counted.names.front()) + " … " + whole(counted.names.back())
                          : names + " … " + last;
  }
  std::string text = line("raters", fmt::format("{} ({})", counted.names.size(), names));
  for (std::size_t k = 0; list == RaterList::numbered && k < counted.names.size(); ++k)
    text += line("", fmt::format("{:>2}  {}", k + 1, files::printable(counted.names[k])));
  text += line("grid", grid_text(counted.reference));
  if (counted.labelled()) text += line(counted.counts.nested() ? "regions" : "labels", labels_text(counted));
  const Neighbourhood& near = reduction.neighbourhood;
  const auto closed = std::find(near.open.begin(), near.open.end(), false) - near.open.begin();
  const bool slices = closed < 3 && !reduction.grid.flat();
  std::size_t count = 0;
  for (std::size_t s = 0; s < counted.structures(); ++s) count += counted.reduction(s).components.list.size();
  text += line("components", fmt::format("{} ({} neighbours{})", count, near.connectivity,
                                         slices ? fmt::format(", slices across {}", "xyz"[closed]) : ""));
  return text;
}

std::string summary_methods(const std::vector<FuseResult>& results, const raters::Case& counted,
                            double seconds) {
  const std::size_t width = text_width(Stream::error);
  std::string text = methods_text(results, counted, width) + method_remarks(results, counted, width);
  text += line("time", fmt::format("{:.2f} s (reading {:.2f} s, counting {:.2f} s)", seconds, counted.reading,
                                   counted.counting));
  return results.front().image.empty() ? text : text + line("written", written_text(results));
}

}  // namespace crema::cli
