// SPDX-License-Identifier: Apache-2.0
#include "cli/help/completion_text.h"

#include <fmt/format.h>

#include "cli/shell/words.h"

namespace crema::cli {
namespace {

constexpr const char* kMade = "# Made by 'crema completion'; covers every command and option.\n";

/// First words, each once.
std::vector<std::string> first_words(std::span<const CommandText> commands) {
  std::vector<std::string> words;
  for (const CommandText& text : commands)
    if (const std::string word(first_word(text.command)); words.empty() || words.back() != word)
      words.push_back(word);
  return words;
}

/// What may follow a first word; empty where nothing has to.
std::vector<std::string> second_words(std::span<const CommandText> commands, std::string_view first) {
  std::vector<std::string> words;
  for (const CommandText& text : commands)
    if (first_word(text.command) == first && !second_word(text.command).empty())
      words.emplace_back(second_word(text.command));
  return words;
}

/// What a first word is for: the command's own line, or those that it begins.
std::string summary_of(std::span<const CommandText> commands, std::string_view first) {
  const std::vector<std::string> behind = second_words(commands, first);
  if (!behind.empty()) return fmt::format("{}", fmt::join(behind, ", "));
  for (const CommandText& text : commands)
    if (text.command.name == first) return std::string(text.command.summary);
  return "";
}

std::string command_names(std::span<const CommandText> commands) {
  return fmt::format("{} --help --version", fmt::join(first_words(commands), " "));
}

std::string option_names(const CommandText& command) {
  std::string names;
  for (const OptionText& option : command.options)
    for (const std::string& name : option.names) names += (names.empty() ? "" : " ") + name;
  return names;
}

/// Inside single quotes of fish, which knows two escapes there.
std::string fish_quoted(std::string_view text) {
  std::string escaped;
  for (char c : text) escaped += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return escaped;
}

/// A description inside single quotes of zsh, without what would be read in it.
std::string quoted(std::string_view text, std::string_view forbidden) {
  std::string clean;
  for (char c : text) {
    if (c == '\'')
      clean += "'\\''";
    else if (forbidden.find(c) != std::string_view::npos)
      clean += std::string("\\") + c;
    else
      clean += c;
  }
  return clean;
}

/// What follows an option that has just been typed: its words, or files.
std::string bash_values(const CommandText& command) {
  std::string cases;
  for (const OptionText& option : command.options) {
    if (option.positional || option.value.empty()) continue;
    const auto words = choices(option);
    // --slice-wise may stand alone, so that a rater may follow it.
    const bool optional = option.value.front() == '[';
    if (words.empty() && !takes_path(option)) {
      cases += fmt::format("        {}) return ;;\n", fmt::join(option.names, "|"));
    } else {
      cases += fmt::format("        {}) COMPREPLY=($(compgen {} -W '{}' -- \"$cur\")); return ;;\n",
                           fmt::join(option.names, "|"), words.empty() || optional ? "-f" : "",
                           fmt::join(words, " "));
    }
  }
  return cases;
}

std::string bash_command(const CommandText& command) {
  std::string words;
  bool files = false;
  for (const OptionText& option : command.options) {
    if (!option.positional) continue;
    files = files || takes_path(option);
    words += fmt::format("{}", fmt::join(choices(option), " "));
  }
  const std::string values = bash_values(command);
  std::string text = fmt::format("    '{}')\n", command.command.name);
  if (!values.empty()) text += fmt::format("      case \"$prev\" in\n{}      esac\n", values);
  text += fmt::format("      [[ $cur == -* ]] && COMPREPLY=($(compgen -W '{}' -- \"$cur\")) && return\n",
                      option_names(command));
  if (files || !words.empty())
    text += fmt::format("      COMPREPLY=($(compgen {} -W '{}' -- \"$cur\"))\n", files ? "-f" : "", words);
  return text + "      ;;\n";
}

std::string zsh_option(const OptionText& option, const std::string& name) {
  std::string action;
  if (takes_path(option))
    action = fmt::format(":{}:_files", quoted(option.value, ":[]"));
  else if (const auto words = choices(option); !words.empty())
    action =
        fmt::format("{}:{}:({})", option.value.front() == '[' ? ":" : "", "value", fmt::join(words, " "));
  else if (!option.value.empty())
    action = fmt::format(":{}: ", option.value);
  if (!action.empty() && action.front() != ':') action = ":" + action;
  return fmt::format("        '{}[{}]{}' \\\n", name, quoted(option.text, "[]:"), action);
}

std::string zsh_command(const CommandText& command) {
  std::string text = fmt::format("    '{}')\n      _arguments \\\n", command.command.name);
  for (const OptionText& option : command.options) {
    for (const std::string& name : option.names) text += zsh_option(option, name);
    if (!option.positional) continue;
    const auto words = choices(option);
    text += words.empty() ? "        '*:file:_files' \\\n"
                          : fmt::format("        '1:value:({})' \\\n", fmt::join(words, " "));
  }
  return text + "        && return\n      ;;\n";
}

std::string fish_option(const CommandText& command, const OptionText& option) {
  std::string seen = fmt::format("__fish_seen_subcommand_from {}", first_word(command.command));
  if (const std::string_view second = second_word(command.command); !second.empty())
    seen += fmt::format("; and __fish_seen_subcommand_from {}", second);
  std::string line = fmt::format("complete -c crema -n '{}'", seen);
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const auto words = choices(option);
  if (!words.empty())
    line += fmt::format(" {} -a '{}'", option.positional ? "-f" : "-x", fmt::join(words, " "));
  else if (takes_path(option))
    line += option.positional ? " -F" : " -r -F";
  else if (!option.value.empty())
    line += " -x";
  return line + fmt::format(" -d '{}'\n", fish_quoted(option.text));
}

}  // namespace

std::string bash_completion(std::span<const CommandText> commands) {
  std::string text = fmt::format(
      "{}_crema() {{\n  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n  "
      "COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n    return\n  fi\n"
      "  local command=\"${{COMP_WORDS[1]}}\"\n  case \"$command\" in\n",
      kMade, command_names(commands));
  for (const std::string& first : first_words(commands))
    if (const auto behind = second_words(commands, first); !behind.empty())
      text += fmt::format(
          "    {})\n      ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W '{} --help' -- \"$cur\")) && "
          "return\n"
          "      command+=\" ${{COMP_WORDS[2]}}\"\n      ;;\n",
          first, fmt::join(behind, " "));
  text += "  esac\n  case \"$command\" in\n";
  for (const CommandText& command : commands) text += bash_command(command);
  return text + "  esac\n}\ncomplete -o filenames -F _crema crema\n";
}

std::string zsh_completion(std::span<const CommandText> commands) {
  std::string text = fmt::format(
      "#compdef crema\n{}_crema() {{\n  if ((CURRENT == 2)); then\n    local -a commands=(\n", kMade);
  for (const std::string& first : first_words(commands))
    text += fmt::format("      '{}:{}'\n", first, quoted(summary_of(commands, first), ":"));
  text +=
      "    )\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const std::string& first : first_words(commands))
    if (const auto behind = second_words(commands, first); !behind.empty())
      text += fmt::format(
          "    {})\n      if ((CURRENT == 2)); then\n        compadd {}\n        return\n      fi\n"
          "      command+=\" $words[2]\"\n      shift words\n      ((CURRENT--))\n      ;;\n",
          first, fmt::join(behind, " "));
  text += "  esac\n  case $command in\n";
  for (const CommandText& command : commands) text += zsh_command(command);
  return text + "  esac\n}\n_crema \"$@\"\n";
}

std::string fish_completion(std::span<const CommandText> commands) {
  std::string text = kMade;
  for (const std::string& first : first_words(commands))
    text += fmt::format("complete -c crema -f -n __fish_use_subcommand -a {} -d '{}'\n", first,
                        fish_quoted(summary_of(commands, first)));
  for (const CommandText& command : commands)
    if (const std::string_view second = second_word(command.command); !second.empty())
      text += fmt::format(
          "complete -c crema -f -n '__fish_seen_subcommand_from {0}; and not __fish_seen_subcommand_from "
          "{1}' "
          "-a {2} -d '{3}'\n",
          first_word(command.command), fmt::join(second_words(commands, first_word(command.command)), " "),
          second, fish_quoted(command.command.summary));
  for (const CommandText& command : commands)
    for (const OptionText& option : command.options) text += fish_option(command, option);
  return text;
}

}  // namespace crema::cli
