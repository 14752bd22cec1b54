// SPDX-License-Identifier: Apache-2.0
#include "cli/text/candidate_text.h"

#include <fmt/format.h>

#include "cli/help/help.h"
#include "cli/shell/terminal.h"
#include "cli/text/summary.h"
#include "files/files.h"

namespace crema::cli {
namespace {

std::string four_digits(const Cell& cell) {
  const auto* number = std::get_if<double>(&cell.content());
  return number == nullptr ? "undefined" : fmt::format("{:.4f}", *number);
}

/// A single case has no interval.
std::string with_interval(const Cell& value, const Cell& low, const Cell& high) {
  if (std::get_if<double>(&low.content()) == nullptr) return four_digits(value);
  return fmt::format("{} ({} to {})", four_digits(value), four_digits(low), four_digits(high));
}

/// "label 2: "; nothing where raters gave masks.
std::string label_in_front(const Cell& label) {
  const auto* name = std::get_if<std::string>(&label.content());
  return name == nullptr || name->empty() ? "" : fmt::format("label {}: ", files::printable(*name));
}

std::string caveat() { return wrap(std::string(kCandidateCaveat), 0, text_width(Stream::output)); }

}  // namespace

std::string candidate_text(const Table& summary) {
  std::string text;
  for (const auto& row : summary.rows)
    text += line(
        "candidate",
        fmt::format("{}WI {}, delta {}; {}", label_in_front(row[0]), with_interval(row[2], row[3], row[4]),
                    with_interval(row[5], row[6], row[7]),
                    std::get_if<double>(&row[3].content()) == nullptr ? "too few cases for an interval"
                                                                      : "means over cases, 95 % intervals"));
  return text.empty() ? "" : text + caveat();
}

std::string candidate_text(const CandidateIndex& index) {
  const auto shown = [](const Measured& measure) {
    return measure.defined() ? fmt::format("{:.4f}", *measure)
                             : fmt::format("undefined ({})", to_string(*measure.reason()));
  };
  return line("candidate", fmt::format("mean Dice {} with the raters, {} among them",
                                       shown(index.mean_candidate), shown(index.mean_pairs))) +
         line("", fmt::format("WI {}, delta {}", shown(index.index), shown(index.difference))) + caveat();
}

}  // namespace crema::cli
