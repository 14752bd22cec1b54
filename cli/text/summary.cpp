// SPDX-License-Identifier: Apache-2.0
#include "cli/text/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/shell/terminal.h"
#include "cli/text/certificate.h"
#include "cli/text/table.h"

namespace crema::cli {
namespace {

constexpr std::size_t kColumn = 13;

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

/// How many words a table has room for.
enum class Words : std::uint8_t { all, few };

/// What is told of a method, column by column; its name is padded to where all texts start.
Cells cells(const FuseResult& result, const files::Header& reference, Words words, std::size_t gap) {
  const Solution& solution = result.outcome.solution;
  Cells cells = {fmt::format("{:<{}}", result.outcome.method().name, kColumn - gap),
                 fmt::format("{} voxels", solution.voxels)};
  if (has_spacing(reference))
    cells.push_back(fmt::format("{:.1f} mm³", solution.soft_volume * reference.grid.voxel_volume()));
  cells.push_back(fmt::format("LMSD {:.6f}", solution.lmsd));
  cells.push_back(fmt::format("{} of {} {}kept", kept(solution), solution.components.size(),
                              words == Words::all ? "components " : ""));
  cells.push_back(fmt::format("{:.2f} s", seconds_of(result)));
  return cells;
}

/// With fewer words where the window is narrow, and in two parts where they do not help.
std::string method_table(const std::vector<FuseResult>& results, const files::Header& reference,
                         std::size_t width) {
  const auto rows_in = [&](Words words, std::size_t gap) {
    std::vector<Cells> rows;
    for (const FuseResult& result : results) rows.push_back(cells(result, reference, words, gap));
    return rows;
  };
  const TableStyle wide{width, 3}, narrow{width, 2};
  const auto rows = rows_in(Words::all, wide.gap);
  return table_width(rows, wide) <= width ? table(rows, wide)
                                          : table(rows_in(Words::few, narrow.gap), narrow);
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
      text += line(solution.method->name, certificate_text({solution.lmsd, *solution.lower_bound,
                                                            solution.components.size(), solution.unproven}));
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
  return fmt::format("{:<{}}{}\n", name, kColumn, text);
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
    return files::printable(file + (segment == std::string::npos ? "" : name.substr(segment)));
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
  std::string text = method_table(results, counted.reference, width) + method_remarks(results, width);
  text += line("time", fmt::format("{:.2f} s (reading {:.2f} s, counting {:.2f} s)", seconds, counted.reading,
                                   counted.counting));
  return results.front().image.empty() ? text : text + line("written", written_text(results));
}

}  // namespace crema::cli
