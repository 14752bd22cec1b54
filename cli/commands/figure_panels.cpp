// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/figure_panels.h"

#include <fmt/format.h>

#include "cli/commands/request.h"
#include "crema/base/error.h"

namespace crema::cli {
namespace {

/// Options of one panel.
void declare_panel(Parser& parser, FigurePanel& panel) {
  take(parser, {"METHOD", "METHOD", "Methods whose consensus is drawn."},
       [&panel](const std::string& text) { panel.picture.methods = parse_methods(text); });
  add_choice_option(parser, {"--show", std::string(figure::kShown), "What is drawn."},
                    [&panel](const std::string& text) { panel.picture.show = text; });
  add_flag(parser, {"--outlines", "", "Raters' contours on top."}, panel.picture.outlines);
  for (const std::string_view group : {"Method", "Criterion", "Estimate"})
    add_setting_group(parser, panel.settings, group);
}

/// What distinguishes a panel: methods and settings, or what it shows.
std::string title_from(const std::vector<std::string>& words, const std::string& show) {
  std::string title;
  for (std::size_t n = 0; n < words.size(); ++n) {
    const bool kind = words[n] == "--show" || (n > 0 && words[n - 1] == "--show");
    if (kind || words[n] == "--outlines" || words[n].starts_with("--show=")) continue;
    title += title.empty() ? "" : " ";
    for (const char c : words[n]) title += c == ',' ? std::string(", ") : std::string(1, c);
  }
  return title.empty() ? show : title;
}

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    if (quote == 0 && (c == ' ' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  if (quote != 0) throw UsageError("a quotation mark is not closed.");
  return words;
}

FigurePanel parse_panel(const std::string& text, const FigurePanel& common) {
  FigurePanel panel = common;
  try {
    Parser parser;
    declare_panel(parser, panel);
    const std::vector<std::string> words = split_words(text);
    if (words.empty()) throw UsageError("name methods, such as 'staple --roi box', or what to show.");
    parser.parse(words);
    panel.picture.title = title_from(words, panel.picture.show);
    figure::complete_panel(panel.picture, panel.settings);
    check(panel.settings, panel.picture.methods);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--panel '{}': {}", printable(text), error.sentence.marked()));
  }
  return panel;
}

bool same_settings(const Settings& one, const Settings& other) {
  for (const Setting& setting : settings())
    if (setting.get(one) != setting.get(other)) return false;
  return true;
}

}  // namespace crema::cli
