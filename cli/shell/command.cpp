// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/command.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "cli/help/help.h"
#include "cli/help/parameters.h"
#include "cli/options/describe.h"
#include "cli/options/options.h"
#include "cli/options/parser.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/partly.h"
#include "cli/shell/signals.h"
#include "cli/shell/terminal.h"
#include "cli/shell/words.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/base/version.h"
#include "files/files.h"

namespace crema::cli {
namespace {

/// Sentences end with a full stop, wherever they come from.
std::string ended(std::string sentence) {
  if (!sentence.empty() && sentence.find_last_of(".?!") != sentence.size() - 1) sentence += '.';
  return sentence;
}

void show(const std::string& help) { print(with_headings(help, Stream::output)); }

int run_command(const Command& command, Session& session) {
  Parser parser;
  const Run run = declare(command, parser);
  const auto words = std::span(session.arguments).subspan(second_word(command).empty() ? 2 : 3);
  try {
    const Parsed parsed = parser.parse(words);
    if (parsed == Parsed::help) show(command_help(describe(command), text_width(Stream::output)));
    if (parsed == Parsed::xml) print(slicer_description(describe(command)));
    if (parsed != Parsed::run) return kOk;
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{} See crema {} --help.", ended(e.sentence.marked()), command.name));
  }
  for (const OptionText& option : parser.called_formerly())
    session.warnings.push_back({fmt::format("{} is now called {}; the next version drops the old name.",
                                            option.former, option.called),
                                WarningKind::setting});
  return run(session);
}

/// The commands that share a first word: "list", "run" …
std::vector<std::string> words_behind(std::span<const Command> commands, std::string_view first) {
  std::vector<std::string> words;
  for (const Command& command : commands)
    if (first_word(command) == first && !second_word(command).empty())
      words.emplace_back(second_word(command));
  return words;
}

/// The command that words begin with.
const Command& find_command(std::span<const Command> commands, std::span<const std::string> words) {
  const std::string& name = words.front();
  const std::string second = words.size() > 1 ? words[1] : "";
  std::vector<std::string> names = {"--help", "--version"};
  for (const Command& command : commands) {
    if (first_word(command) == name && (second_word(command).empty() || second_word(command) == second))
      return command;
    names.emplace_back(first_word(command));
  }
  if (const std::vector<std::string> behind = words_behind(commands, name); !behind.empty())
    throw UsageError(fmt::format("{}{} The commands are {} {}. See crema {} --help.",
                                 second.empty()
                                     ? fmt::format("{} needs a subcommand.", name)
                                     : fmt::format("unknown command {} {}.", name, files::printable(second)),
                                 suggestion(second, behind), name, fmt::join(behind, ", "), name));
  throw UsageError(fmt::format("unknown command {}.{} See crema --help.", files::printable(name),
                               suggestion(name, names)));
}

/// What `crema cohort --help` shows: the help of all commands with that first word.
bool show_group(const Session& session) {
  const std::span<const std::string> words = std::span(session.arguments).subspan(1);
  const bool requested = words.size() == 2 && (words[1] == "--help" || words[1] == "-h");
  const bool named = words.size() == 2 && words[0] == "help";
  const std::string& first = named ? words[1] : words[0];
  if ((!requested && !named) || words_behind(session.commands, first).empty()) return false;
  std::vector<Command> group;
  for (const Command& command : session.commands)
    if (first_word(command) == first) group.push_back(command);
  show(group_help(group, text_width(Stream::output)));
  return true;
}

int dispatch(Session& session) {
  if (session.arguments.size() < 2) {
    say(with_headings(short_help(session.commands, text_width(Stream::error)), Stream::error));
    return kUsage;
  }
  const std::string& first = session.arguments[1];
  if (first == "--version" || first == "version") {
    print(fmt::format("crema {}\n", version()));
    return kOk;
  }
  if (first == "--help" || first == "-h" || (first == "help" && session.arguments.size() == 2)) {
    show(program_help(session.commands, text_width(Stream::output)));
    return kOk;
  }
  if (show_group(session)) return kOk;
  if (first == "help") {
    const Command& command = find_command(session.commands, std::span(session.arguments).subspan(2));
    show(command_help(describe(command), text_width(Stream::output)));
    return kOk;
  }
  return run_command(find_command(session.commands, std::span(session.arguments).subspan(1)), session);
}

void say_warnings(const Session& session) {
  if (session.quiet || session.warnings.empty()) return;
  const std::size_t count = session.warnings.size();
  say(toned(Tone::warning, counted(count, "warning") + ":\n", Stream::error));
  for (const std::string& warning : texts(session.warnings, Spelling::program))
    say(fmt::format("  {}\n", fitted(warning, 2, Stream::error)));
}

int run_and_report(const std::vector<Command>& commands, std::vector<std::string> arguments) {
  Session session{commands, std::move(arguments), {}, false};
  int code = kOk;
  std::string sentence;
  try {
    code = dispatch(session);
    flush_output();
  } catch (...) {
    Failure failure = explain(std::current_exception());
    code = failure.code;
    constexpr std::string_view name = "crema: ";
    const std::string reported = fitted(ended(failure.sentence), name.size(), Stream::error);
    if (!reported.empty())
      sentence = toned(Tone::error, fmt::format("{}{}\n", name, reported), Stream::error);
  }
  // A refused input may be explained by them; other failures are not.
  const bool explained = code == kInput && !session.quiet && !session.warnings.empty();
  if (explained) say(sentence);  // first and last, so that nothing buries it
  if (code == kOk || code == kInput || code == kPartly) say_warnings(session);
  say(sentence);
  return code;
}

}  // namespace

Run declare(const Command& command, Parser& parser) {
  Run run = command.declare(parser);
  OptionText help;
  help.text = "Print this help.";
  help.group = "Help";
  help.takes = Takes::help;
  parser.add("-h,--help", help, [](const Parser::Values&) {});
  return run;
}

int run_program(Commands commands, std::span<char* const> arguments) noexcept {
  prepare_process();
  try {
    return run_and_report(commands(), {arguments.begin(), arguments.end()});
  } catch (...) {
    // Nothing but memory can have run out on the way to a sentence; this one needs none.
    say("crema: there is not enough memory.\n");
    return kResource;
  }
}

}  // namespace crema::cli
