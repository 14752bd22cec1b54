// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/command.h"

#include <algorithm>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/shell/arguments.h"
#include "cli/shell/describe.h"
#include "cli/shell/exit.h"
#include "cli/shell/help.h"
#include "cli/shell/options.h"
#include "cli/shell/output.h"
#include "cli/shell/partly.h"
#include "cli/shell/signals.h"
#include "cli/shell/terminal.h"
#include "cli/shell/words.h"
#include "crema/error.h"
#include "crema/text.h"
#include "crema/version.h"
#include "files/files.h"

namespace crema::cli {
namespace {

std::vector<std::string> options_of(const Command& command) {
  std::vector<std::string> known;
  for (const OptionText& option : describe(command).options)
    known.insert(known.end(), option.names.begin(), option.names.end());
  return known;
}

/// " Did you mean --output?" for the beginning of an option, or one that is nearly right.
std::string meant(const std::string& name, const std::vector<std::string>& known) {
  for (const std::string& option : known)
    if (name.size() > 3 && option.starts_with(name)) return fmt::format(" Did you mean {}?", option);
  return suggestion(name, known);
}

/// A long option with one dash is read as a short one with a value; what is said about that value would
/// mislead.
void refuse_one_dash(std::span<const std::string> words, const Command& command) {
  const std::vector<std::string> known = options_of(command);
  for (const std::string& word : words)
    if (word.size() > 2 && word[0] == '-' && word[1] != '-' &&
        std::find(known.begin(), known.end(), "-" + word) != known.end())
      throw UsageError(fmt::format("there is no option {}. Did you mean -{}? See crema {} --help.", word,
                                   word, command.name));
}

/// What people look for that goes by another name here, or goes without saying.
std::string known_elsewhere(const std::string& name) {
  if (name == "--verbose" || name == "-v" || name == "-vv")
    return " All there is to tell is told, unless --quiet is given.";
  return "";
}

/// A word that is an option but not one of this command.
[[noreturn]] void refuse_unknown(const std::string& word, const Command& command) {
  const std::vector<std::string> known = options_of(command);
  const std::string name = split(word, '=').front();
  if (name.empty() || name.front() != '-')
    throw UsageError(fmt::format("{} is one word too many.", files::printable(word)));
  std::string near = known_elsewhere(name);
  if (near.empty()) near = meant(name, known);
  throw UsageError(fmt::format("there is no option {}.{}", files::printable(name),
                               near.empty() ? " A file of that name goes after a lone --." : near));
}

/// CLI11's errors as sentences. What was not understood comes first: it is why something else seems to be
/// missing.
[[noreturn]] void refuse_parse(const CLI::ParseError& error, const CLI::App& app, const Command& command) {
  const auto unknown = app.remaining();
  if (!unknown.empty()) refuse_unknown(unknown.front(), command);
  const std::string what = error.what();
  const std::string name = what.substr(0, what.find_first_of(": "));
  if (error.get_name() == "RequiredError") throw UsageError(fmt::format("{} is missing.", name));
  if (what.ends_with("flag override")) throw UsageError(fmt::format("--{} takes no value.", name));
  if (error.get_name() == "ArgumentMismatch") throw UsageError(fmt::format("{} needs a value.", name));
  if (error.get_name() == "ExcludesError")
    throw UsageError(
        fmt::format("{} and {} cannot be used together.", name, what.substr(what.rfind(' ') + 1)));
  throw UsageError(what + ".");
}

enum class Parsed { run, help };

Parsed parse(CLI::App& app, const Command& command, std::span<const std::string> words) {
  std::vector<std::string> prepared = prepare_arguments({words.begin(), words.end()});
  std::reverse(prepared.begin(), prepared.end());
  try {
    app.parse(prepared);
  } catch (const CLI::CallForHelp&) {
    return Parsed::help;
  } catch (const CLI::ParseError& error) {
    refuse_parse(error, app, command);
  }
  return Parsed::run;
}

/// Sentences end with a full stop, wherever they come from.
std::string ended(std::string sentence) {
  if (!sentence.empty() && sentence.find_last_of(".?!") != sentence.size() - 1) sentence += '.';
  return sentence;
}

void show(const std::string& help) { print(with_headings(help, Stream::output)); }

int run_command(const Command& command, Session& session) {
  CLI::App app;
  prepare(app);
  const Run run = command.declare(app);
  const auto words = std::span(session.arguments).subspan(second_word(command).empty() ? 2 : 3);
  try {
    if (parse(app, command, words) == Parsed::help) {
      show(command_help(describe(command), text_width(Stream::output)));
      return kOk;
    }
  } catch (const UsageError& e) {
    refuse_one_dash(words, command);
    throw UsageError(fmt::format("{} See crema {} --help.", ended(e.sentence.marked()), command.name));
  }
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
    throw UsageError(fmt::format(
        "crema {} {}.{} It is one of crema {} {}. See crema --help.", name,
        second.empty() ? "needs a second word" : fmt::format("has no {}", files::printable(second)),
        suggestion(second, behind), name, fmt::join(behind, ", ")));
  throw UsageError(fmt::format("there is no command {}.{} See crema --help.", files::printable(name),
                               suggestion(name, names)));
}

/// What `crema cohort --help` asks for: the help of all commands with that first word.
bool show_group(const Session& session) {
  const std::span<const std::string> words = std::span(session.arguments).subspan(1);
  const bool asked = words.size() == 2 && (words[1] == "--help" || words[1] == "-h");
  const bool named = words.size() == 2 && words[0] == "help";
  const std::string& first = named ? words[1] : words[0];
  if ((!asked && !named) || words_behind(session.commands, first).empty()) return false;
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
  say(toned(Tone::warning, fmt::format("{} warning{}:\n", count, count == 1 ? "" : "s"), Stream::error));
  for (const Sentence& warning : session.warnings)
    say(fmt::format("  {}\n", fitted(warning.text(Spelling::program), 2, Stream::error)));
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
    const std::string told = fitted(ended(failure.sentence), name.size(), Stream::error);
    sentence = toned(Tone::error, fmt::format("{}{}\n", name, told), Stream::error);
  }
  // A refused input may be explained by them; other failures are not.
  const bool explained = code == kInput && !session.quiet && !session.warnings.empty();
  if (explained) say(sentence);  // first and last, so that nothing buries it
  if (code == kOk || code == kInput || code == kPartly) say_warnings(session);
  say(sentence);
  return code;
}

}  // namespace

void prepare(CLI::App& app) { app.set_help_flag("-h,--help", "Print this help.")->group("Help"); }

int run_program(Commands commands, std::span<char* const> arguments) noexcept {
  prepare_process();
  try {
    return run_and_report(commands(), {arguments.begin(), arguments.end()});
  } catch (...) {
    // Nothing but memory can have run out on the way to a sentence; this one needs none.
    say("crema: there is not enough memory, not even to say more.\n");
    return kResource;
  }
}

}  // namespace crema::cli
