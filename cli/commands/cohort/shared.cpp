// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort/shared.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "cohort/cluster/scheduler.h"
#include "crema/base/text.h"

namespace crema::cli {

bool warn_of_unread(const cohort::Cohort& found, const cohort::CohortSizes& sizes, Session& session) {
  if (sizes.missing > 0)
    session.warnings.push_back(
        {fmt::format("{} missing, the first is {}.", counted(sizes.missing, "file is", "files are"),
                     files::printable(sizes.first_missing)),
         WarningKind::left_out});
  bool unread = false;
  for (const cohort::CohortCase& one : found.cases) {
    if (one.unread.empty()) continue;
    unread = true;
    session.warnings.push_back(
        {fmt::format("case {}: {}", printable(one.name), one.unread), WarningKind::left_out});
  }
  return unread;
}

namespace {

/// Without the name of the case where it is part of a path.
std::string without_name(std::string text, const std::string& name) {
  const auto is_part = [&](std::size_t at) {
    const bool begins = at == 0 || std::string_view(" /(").find(text[at - 1]) != std::string_view::npos;
    const std::size_t end = at + name.size();
    return begins && end < text.size() && std::string_view("/._-").find(text[end]) != std::string_view::npos;
  };
  for (std::size_t at = text.find(name); at != std::string::npos && !name.empty(); at = text.find(name, at))
    if (is_part(at))
      text.erase(at, name.size());
    else
      ++at;
  return text;
}

/// Without numbers and what stands in brackets, which differ from file to file.
std::string without_values(const std::string& text) {
  std::string kept;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (depth == 0 && std::string_view("0123456789.-+").find(c) == std::string_view::npos) kept += c;
    if (c == ')' && depth > 0) --depth;
  }
  return kept;
}

/// What failures have in common: their kind, and the reason behind the name of the file.
std::pair<std::string, std::string> cause_of(const cohort::NamedFailure& one) {
  const std::string& message = one.failure.message;
  const std::size_t colon = message.find(": ");
  const std::string reason = colon == std::string::npos ? message : message.substr(colon);
  return {one.failure.kind, without_values(without_name(reason, printable(one.name)))};
}

/// "p01", or "p01, p02 and 3 more" where several failed alike.
std::string failed_cases(const std::vector<const cohort::NamedFailure*>& alike) {
  constexpr std::size_t kNamed = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, alike.size()); ++i)
    names += (i == 0 ? "" : ", ") + printable(alike[i]->name);
  return alike.size() > kNamed ? fmt::format("{} and {} more", names, alike.size() - kNamed) : names;
}

}  // namespace

std::string failures_text(const std::vector<cohort::NamedFailure>& listed, std::size_t all,
                          const std::string& rest) {
  if (listed.empty()) return "";
  std::vector<std::vector<const cohort::NamedFailure*>> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const cohort::NamedFailure& one : listed) {
    const auto [place, is_new] = places.emplace(cause_of(one), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&one);
  }
  std::string text = "\nFailed:\n";
  for (const auto& alike : groups) {
    const cohort::CaseFailure& first = alike.front()->failure;
    text += fmt::format("  {} ({}): {}\n", failed_cases(alike), first.kind, first.message);
  }
  if (all > listed.size()) text += fmt::format("  and {} more, {}\n", all - listed.size(), rest);
  return text;
}

cohort::LockOptions WaitOptions::lock(const cohort::RunFolder& folder) const {
  const bool waits = wait || (!no_wait && cohort::under_scheduler());
  return {.when_busy = waits ? cohort::WhenBusy::wait : cohort::WhenBusy::refuse,
          .waiting = [folder, said = false]() mutable {
            if (std::exchange(said, true)) return;
            say_lines(fmt::format("{}: another run is active here; waiting for it to end.\n",
                                  files::printable(folder.path)));
          }};
}

void take_tables(Parser& app, cohort::TableChoice& choice) {
  add_choice_option(
      app,
      {"--tables", std::string(cohort::kTableChoices),
       "Which tables to write for the whole run: all; those with a row for each case and method "
       "(cases, methods, failures, joint); or none (default: full up to 10 000 cases, then summary).",
       "Output"},
      [&choice](const std::string& text) {
        choice = static_cast<cohort::TableChoice>(parse_choice(text, cohort::kTableChoices) + 1);
      });
}

void take_wait(Parser& app, WaitOptions& options) {
  const OptionRef wait = add_flag(
      app,
      {"--wait", "",
       "Wait while another run is active on the same cases (default: under a scheduler; otherwise an error).",
       "Cluster"},
      options.wait);
  add_flag(app, {"--no-wait", "", "Do not wait, even under a scheduler.", "Cluster"}, options.no_wait)
      .excludes(wait);
}

}  // namespace crema::cli
