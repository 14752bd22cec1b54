// SPDX-License-Identifier: Apache-2.0
#include "study/tables/paper_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "crema/base/text.h"
#include "crema/records/table.h"

namespace crema::study {
namespace {

/// Three digits of what is small, no fraction of what is large.
std::string short_number(double value) {
  const double size = std::abs(value);
  if (size < 10) return fmt::format("{:.3f}", value);
  return size < 1000 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

/// Measures that anybody has.
std::vector<std::size_t> columns_with_values(const PaperText& text) {
  std::vector<std::size_t> found;
  for (std::size_t m = 0; m < kRaterMeasures.size(); ++m)
    if (std::any_of(text.rows.begin(), text.rows.end(),
                    [&](const PaperRow& row) { return row.measures[m].has_value(); }))
      found.push_back(m);
  return found;
}

std::string heading(std::size_t measure) {
  const RaterMeasure& one = kRaterMeasures[measure];
  return one.unit.empty() ? std::string(one.name) : fmt::format("{} ({})", one.name, one.unit);
}

std::string row_name(const PaperRow& row) {
  return row.rater.empty() ? row.method : fmt::format("{}, {}", row.method, row.rater);
}

template <class Escape>
std::string replaced(std::string_view text, Escape escape) {
  std::string result;
  for (const char c : valid_utf8(text)) result += escape(c);
  return result;
}

std::string for_markdown(std::string_view text) {
  return replaced(text,
                  [](char c) { return c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c); });
}

/// Letters that LaTeX would take for commands.
std::string for_latex(std::string_view text) {
  std::string result = replaced(text, [](char c) {
    if (c == '\\') return std::string("\\textbackslash{}");
    if (c == '~') return std::string("\\textasciitilde{}");
    if (c == '^') return std::string("\\textasciicircum{}");
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) return std::string("\\") + c;
    return std::string(1, c == '\n' ? ' ' : c);
  });
  for (const auto& [sign, command] : {std::pair{"±", "$\\pm$"}, {"³", "$^3$"}, {"²", "$^2$"}})
    for (std::size_t at = result.find(sign); at != std::string::npos; at = result.find(sign, at))
      result.replace(at, std::string_view(sign).size(), command);
  return result;
}

std::string raters_in_words(const PaperText& text) {
  return text.fewest == text.most ? crema::counted(text.most, "rater")
                                  : fmt::format("{} to {} raters", text.fewest, text.most);
}

}  // namespace

std::string paper_name(const std::vector<Variant>& variants, std::size_t variant) {
  const Variant& own = variants[variant];
  std::string name = own.method;
  const auto same = [&](const Variant& other) { return other.method == own.method; };
  if (std::count_if(variants.begin(), variants.end(), same) < 2) return name;
  for (const auto& [word, member] : {std::pair{"blocks", &Variant::blocks},
                                     {"empty test", &Variant::empty_test},
                                     {"connectivity", &Variant::connectivity},
                                     {"slice by slice", &Variant::slice_wise},
                                     {"prior", &Variant::prior},
                                     {"region", &Variant::region}})
    if (std::any_of(variants.begin(), variants.end(), [&, field = member](const Variant& other) {
          return same(other) && other.*field != own.*field;
        }))
      name += fmt::format(", {} {}", word, (own.*member).empty() ? "none" : own.*member);
  return name;
}

std::string shown_summary(const Summary& found) {
  std::string text = short_number(found.mean);
  if (found.deviation) text += fmt::format(" ± {}", short_number(*found.deviation));
  text += fmt::format("; {} [{}, {}]", short_number(found.median), short_number(found.low_quartile),
                      short_number(found.high_quartile));
  if (found.interval)
    text += fmt::format("; {} to {}", short_number(found.interval->low), short_number(found.interval->high));
  return text;
}

std::string shown_icc(const NamedIcc& one) {
  std::string text = fmt::format("{} of {} {}", to_string(one.form, one.unit), to_string(one.scale),
                                 short_number(one.icc.value));
  if (one.icc.low && one.icc.high)
    text += fmt::format(" ({} to {})", short_number(*one.icc.low), short_number(*one.icc.high));
  return text;
}

std::string how_it_was_made(const PaperText& text) {
  return fmt::format(
      "{}drawn once by {} (GRRAS item 6; how that number was chosen is yours to say). "
      "Each cell: mean ± standard deviation; median [quartiles]; 95 % percentile-bootstrap interval of the "
      "mean "
      "over cases ({} replicates, seed {}). A method's value in a case is the mean over the raters of that "
      "case "
      "in whom the measure is defined; differences are rater minus consensus. {} Whether a difference of "
      "this size matters in practice (GRRAS item 14) does not follow from an interval.",
      text.cases == 1 ? "1 case, " : fmt::format("{} cases, each ", text.cases), raters_in_words(text),
      kReplicates, kSeed,
      text.identity == Identity::persists ? "Raters were declared to be the same persons in all cases."
                                          : "Raters were not declared to be the same persons in all cases, "
                                            "so none is compared over cases and "
                                            "ICC is the one-way form.");
}

std::string markdown_of(const PaperText& text) {
  const std::vector<std::size_t> columns = columns_with_values(text);
  std::string head = "| method |", rule = "|---|", rows, among;
  for (const std::size_t m : columns) {
    head += fmt::format(" {} |", heading(m));
    rule += "---|";
  }
  for (const PaperRow& row : text.rows) {
    rows += fmt::format("| {} |", for_markdown(row_name(row)));
    for (const std::size_t m : columns)
      rows += fmt::format(" {} |", row.measures[m] ? shown_summary(*row.measures[m]) : "–");
    rows += '\n';
  }
  for (const std::string& one : text.among) among += fmt::format("- {}\n", one);
  return fmt::format("{}\n{}\n{}\nAmong the raters:\n\n{}\n{}\n", head, rule, rows, among,
                     how_it_was_made(text));
}

std::string latex_of(const PaperText& text) {
  const std::vector<std::size_t> columns = columns_with_values(text);
  std::string head = "method", rows, among;
  for (const std::size_t m : columns) head += fmt::format(" & {}", for_latex(heading(m)));
  for (const PaperRow& row : text.rows) {
    rows += for_latex(row_name(row));
    for (const std::size_t m : columns)
      rows += fmt::format(" & {}", row.measures[m] ? for_latex(shown_summary(*row.measures[m])) : "--");
    rows += " \\\\\n";
  }
  for (const std::string& one : text.among) among += fmt::format(" {}.", for_latex(one));
  return fmt::format(
      "\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{l{}}}\n\\hline\n{} \\\\\n\\hline\n{}\\hline\n"
      "\\end{{tabular}}\n\\caption{{{} Among the raters:{}}}\n\\end{{table}}\n",
      std::string(columns.size(), 'l'), head, rows, for_latex(how_it_was_made(text)), among);
}

}  // namespace crema::study
