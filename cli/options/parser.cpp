// SPDX-License-Identifier: Apache-2.0
#include "cli/options/parser.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "cli/shell/words.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/files.h"

namespace crema::cli {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

/// A bare number behind an option is meant as its value: it is refused as one, not looked for as a file.
bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

bool takes_nothing(const OptionText& option) {
  return option.takes == Takes::nothing || option.takes == Takes::help || option.takes == Takes::xml;
}

bool may_follow(const OptionText& option, const std::string& word) {
  const std::vector<std::string> allowed = choices(option);
  return is_number(word) || std::find(allowed.begin(), allowed.end(), word) != allowed.end();
}

/// " Did you mean --output?" for the beginning of an option, or one that is nearly right.
std::string meant(const std::string& name, const std::vector<std::string>& known) {
  for (const std::string& option : known)
    if (name.size() > 3 && (option.starts_with(name) || option.ends_with(name.substr(1))))
      return fmt::format(" Did you mean {}?", option);
  return suggestion(name, known);
}

/// What people look for that goes by another name here, or goes without saying.
std::string known_elsewhere(const std::string& name) {
  if (name == "--verbose" || name == "-v" || name == "-vv")
    return " Everything is printed unless --quiet is given.";
  return "";
}

}  // namespace

std::vector<std::string> choices(const OptionText& option) {
  std::string value = option.value;
  std::erase_if(value, [](char c) { return c == '[' || c == ']'; });
  if (value.find('|') == std::string::npos) return {};
  std::vector<std::string> words = split(value, '|');
  std::erase_if(words, [](const std::string& word) { return word.front() >= 'A' && word.front() <= 'Z'; });
  return words;
}

Parser::Place Parser::add(const std::string& names, OptionText option,
                          std::function<void(const Values&)> assign) {
  option.positional = names.front() != '-';
  if (!option.positional) option.names = split(names, ',');
  const auto whole = std::find_if(option.names.begin(), option.names.end(),
                                  [](const std::string& name) { return name.starts_with("--"); });
  option.called = whole != option.names.end() ? *whole : names;
  for (const std::string& name : option.names)
    if (find(name) != nullptr) throw std::logic_error(fmt::format("{} is declared twice", name));
  rows_.push_back({std::move(option), std::move(assign), {}, false, false, {}});
  return rows_.size() - 1;
}

std::vector<OptionText> Parser::options() const {
  std::vector<OptionText> texts;
  for (const Row& row : rows_) texts.push_back(row.text);
  return texts;
}

std::vector<OptionText> Parser::called_formerly() const {
  std::vector<OptionText> texts;
  for (const Row& row : rows_)
    if (row.formerly) texts.push_back(row.text);
  return texts;
}

Parsed Parser::parse(Words words) {
  try {
    if (const Parsed parsed = read(words); parsed != Parsed::run) return parsed;
    if (unknown_.empty()) hand_on();
  } catch (const UsageError&) {
    if (unknown_.empty()) throw;
  }
  if (!unknown_.empty()) refuse_unknown(unknown_.front());
  return Parsed::run;
}

Parsed Parser::read(Words words) {
  while (!words.empty() && words.front() != "--") {
    const std::string& word = words.front();
    words = words.subspan(1);
    if (is_option(word))
      words = read_option(word, words);
    else
      take_place(word);
  }
  // Behind a lone -- nothing is an option.
  if (!words.empty())
    for (const std::string& word : words.subspan(1)) take_place(word);
  const auto given = [this](Takes takes) {
    return std::any_of(rows_.begin(), rows_.end(),
                       [takes](const Row& r) { return r.given && r.text.takes == takes; });
  };
  if (given(Takes::help)) return Parsed::help;
  return given(Takes::xml) ? Parsed::xml : Parsed::run;
}

Parser::Words Parser::read_option(const std::string& word, Words behind) {
  const bool is_long = word.starts_with("--");
  // As a letter with its value it would be obeyed, and not as it is meant.
  if (const std::string meant = "-" + split(word, '=').front(); meant.size() > 3 && find(meant) != nullptr)
    throw UsageError(fmt::format("unknown option {}. Did you mean {}?", meant.substr(1), meant));
  const std::size_t end = std::min(is_long ? word.find('=') : 2, word.size());
  Row* const row = find(word.substr(0, end));
  if (row == nullptr) {
    unknown_.push_back(word);
    return behind;
  }
  row->given = true;
  row->formerly |= word.substr(0, end) == row->text.former;
  const std::string joined = word.substr(end);  // "=VALUE", or what is written together with a letter
  if (takes_nothing(row->text)) {
    if (joined.empty()) return behind;
    if (is_long) throw UsageError(fmt::format("{} takes no value.", row->text.called));
    return read_option("-" + joined, behind);
  }
  if (joined.empty()) return take_value(*row, behind);
  if (joined == "=") throw UsageError(fmt::format("{} needs a value.", row->text.called));
  row->values.push_back(joined.substr(is_long ? 1 : 0));
  return behind;
}

Parser::Words Parser::take_value(Row& row, Words behind) {
  if (row.text.takes == Takes::optional && (behind.empty() || !may_follow(row.text, behind.front()))) {
    row.values.emplace_back("auto");
    return behind;
  }
  if (behind.empty()) throw UsageError(fmt::format("{} needs a value.", row.text.called));
  do {
    row.values.push_back(behind.front());
    behind = behind.subspan(1);
  } while (row.text.takes == Takes::many && !behind.empty() && !is_option(behind.front()));
  return behind;
}

void Parser::take_place(const std::string& word) {
  for (Row& row : rows_) {
    if (!row.text.positional || (row.given && row.text.takes != Takes::many)) continue;
    row.given = true;
    row.values.push_back(word);
    return;
  }
  unknown_.push_back(word);
}

void Parser::hand_on() {
  for (const Row& row : rows_) {
    if (!row.given) continue;
    if (row.values.size() > 1 && row.text.takes != Takes::many && row.text.takes != Takes::each)
      throw UsageError(fmt::format("{} is given more than once.", row.text.called));
    row.assign(row.values);
  }
  for (const Row& row : rows_)
    if (row.text.required && !row.given) throw UsageError(fmt::format("{} is missing.", row.text.called));
  for (const Row& row : rows_)
    for (const Place other : row.excludes)
      if (row.given && rows_[other].given)
        throw UsageError(
            fmt::format("{} and {} cannot be used together.", row.text.called, rows_[other].text.called));
}

Parser::Row* Parser::find(const std::string& name) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    return std::find(row.text.names.begin(), row.text.names.end(), name) != row.text.names.end() ||
           (!row.text.former.empty() && row.text.former == name);
  });
  return found == rows_.end() ? nullptr : &*found;
}

std::vector<std::string> Parser::known() const {
  std::vector<std::string> names;
  for (const Row& row : rows_) names.insert(names.end(), row.text.names.begin(), row.text.names.end());
  return names;
}

void Parser::refuse_unknown(const std::string& word) const {
  const std::string name = split(word, '=').front();
  if (name.empty() || name.front() != '-')
    throw UsageError(fmt::format("unexpected argument {}.", files::printable(word)));
  std::string near = known_elsewhere(name);
  if (near.empty()) near = meant(name, known());
  throw UsageError(fmt::format("unknown option {}.{}", files::printable(name),
                               near.empty() ? " Put a file of that name after --." : near));
}

}  // namespace crema::cli
