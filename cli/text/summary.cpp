// SPDX-License-Identifier: Apache-2.0
#include "cli/text/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/shell/terminal.h"
#include "cli/text/cells.h"
#include "cli/text/certificate.h"
#include "cli/text/compare_text.h"

namespace crema::cli {
namespace {

constexpr std::size_t kColumn = 13;
constexpr std::size_t kNameWidth = 28;  ///< two of them fit a line

bool has_spacing(const files::Header& header) { return header.measured; }

std::ptrdiff_t kept(const Solution& solution) {
  return std::count_if(solution.components.begin(), solution.components.end(),
                       [](const Decision& decision) { return decision.soft_voxels > 0; });
}

double seconds_of(const FuseResult& result) {
  return result.outcome.solving + result.outcome.painting + result.writing;
}

std::string rounds_text(int rounds) { return fmt::format("{} round{}", rounds, rounds == 1 ? "" : "s"); }

std::string found_text(const WeightSearch& search) {
  std::string weights;
  for (const double weight : search.weights)
    weights += fmt::format("{}{:.4f}", weights.empty() ? "" : ", ", weight);
  return fmt::format("weights {}: {} after {}", weights, search.converged ? "settled" : "not settled",
                     rounds_text(search.rounds));
}

/// What is told of a method that stands alone, in as many lines as it needs.
std::string method_line(const FuseResult& result, const files::Header& reference, std::size_t width) {
  const Solution& solution = result.outcome.solution;
  std::vector<std::string> parts = {fmt::format("{} voxels", solution.voxels)};
  if (has_spacing(reference))
    parts.push_back(fmt::format("{:.1f} mm³", solution.soft_volume * reference.grid.voxel_volume()));
  parts.push_back(fmt::format("LMSD {:.6f} in {}", solution.lmsd, to_string(solution.method->distance)));
  parts.push_back(fmt::format("{} of {} components kept", kept(solution), solution.components.size()));
  parts.push_back(fmt::format("{:.2f} s", seconds_of(result)));
  std::string text, row;
  for (const std::string& part : parts) {
    if (!row.empty() && kColumn + width_of(row) + 3 + width_of(part) > width) {
      text += line(text.empty() ? solution.method->name : "", row);
      row.clear();
    }
    row += (row.empty() ? "" : "   ") + part;
  }
  return text + line(text.empty() ? solution.method->name : "", row);
}

/// Several methods side by side, in the same terms.
std::string methods_text(const std::vector<FuseResult>& results, const files::Header& reference,
                         std::size_t width) {
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
  if (!outcome.solution.performance) return "";
  const Performance& found = *outcome.solution.performance;
  const std::string_view name = outcome.solution.method->name;
  std::string text;
  if (!found.sensitivity.empty()) {
    text += number_lines(name, "sensitivity", found.sensitivity, width);
    text += number_lines(name, "specificity", found.specificity, width);
  }
  if (!found.score.empty()) text += number_lines(name, "overlap", found.score, width);
  text += line(name, fmt::format("{}{} after {} iteration{}",
                                 found.prior ? fmt::format("prior {:.6g}, region {}, ", *found.prior,
                                                           to_string(outcome.options.region.kind))
                                             : "",
                                 found.converged ? "converged" : "not converged", found.iterations,
                                 found.iterations == 1 ? "" : "s"));
  return text;
}

/// What was found out about single methods, in lines that start with their names.
std::string method_remarks(const std::vector<FuseResult>& results, std::size_t width) {
  std::string text;
  for (const FuseResult& result : results)
    if (result.outcome.search) text += line(result.outcome.method().name, found_text(*result.outcome.search));
  for (const FuseResult& result : results) text += estimate_lines(result.outcome, width);
  for (const FuseResult& result : results) {
    const Solution& solution = result.outcome.solution;
    if (solution.lower_bound)
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
  return fmt::format("{:<{}}{}\n", name, kColumn, fitted(text, kColumn, Stream::output));
}

std::string grid_text(const files::Header& header) {
  const Grid& grid = header.grid;
  const std::size_t axes = grid.flat() ? 2 : 3;
  std::string text = fmt::format("{}", fmt::join(grid.size.begin(), grid.size.begin() + axes, " × "));
  if (has_spacing(header)) {
    text += ", ";
    for (std::size_t a = 0; a < axes; ++a)
      text += fmt::format("{}{:.6g}", a == 0 ? "" : " × ", grid.spacing[a]);
    text += " mm";
  }
  return text;
}

std::string summary_head(const raters::Case& counted, RaterList list) {
  const Reduction& reduction = *counted.reduction;
  const auto short_name = [](const std::string& name) {
    const std::size_t segment = name.find('#');
    const std::string file = std::filesystem::path(name.substr(0, segment)).filename().string();
    return shortened(files::printable(file + (segment == std::string::npos ? "" : name.substr(segment))),
                     kNameWidth);
  };
  std::string names = short_name(counted.names.front());
  if (counted.names.size() > 1) names += fmt::format(" … {}", short_name(counted.names.back()));
  std::string text = line("raters", fmt::format("{} ({})", counted.names.size(), names));
  for (std::size_t k = 0; list == RaterList::numbered && k < counted.names.size(); ++k)
    text += line("", fmt::format("{:>2}  {}", k + 1, files::printable(counted.names[k])));
  text += line("grid", grid_text(counted.reference));
  const Neighbourhood& near = reduction.neighbourhood;
  const auto closed = std::find(near.open.begin(), near.open.end(), false) - near.open.begin();
  const bool slices = closed < 3 && !reduction.grid.flat();
  text += line("components",
               fmt::format("{} ({} neighbours{})", reduction.components.list.size(), near.connectivity,
                           slices ? fmt::format(", slices across {}", "xyz"[closed]) : ""));
  return text;
}

std::string summary_methods(const std::vector<FuseResult>& results, const raters::Case& counted,
                            double seconds) {
  const std::size_t width = text_width(Stream::error);
  std::string text = methods_text(results, counted.reference, width) + method_remarks(results, width);
  text += line("time", fmt::format("{:.2f} s (reading {:.2f} s, counting {:.2f} s)", seconds, counted.reading,
                                   counted.counting));
  return results.front().image.empty() ? text : text + line("written", written_text(results));
}

}  // namespace crema::cli
