// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace crema::cli {

/// What follows an option.
enum class Takes : std::uint8_t {
  nothing,
  help,      ///< nothing, and the command is not run
  xml,       ///< nothing, and the command describes itself to 3D Slicer
  one,       ///< the next word, whatever it is
  each,      ///< the same, as often as it is typed
  optional,  ///< the next word where it is one of the choices, or a number
  many,      ///< all words that are no options; behind an option those that follow it
};

/// An option as declared. Words are parsed by these rows; help, manual and completion are generated from
/// them.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for a positional
  std::string value;               ///< "OUT", "x|y|z"; empty for a flag
  std::string text;
  std::string group;
  bool required = false;
  bool positional = false;
  Takes takes = Takes::one;
  std::string called;  ///< what messages call it
  std::string former;  ///< its name until the last version, not listed; empty: the same
};

/// The words that may follow the option, if it lists them.
std::vector<std::string> choices(const OptionText& option);

enum class Parsed : std::uint8_t { run, help, xml };

/// The options of a command, and the words typed for them.
class Parser {
 public:
  using Values = std::vector<std::string>;
  /// Where an option stands among those declared.
  using Place = std::size_t;

  /// `assign` gets the values typed, once and only if the option was. Names are separated by commas; one
  /// without a dash is known by its place.
  Place add(const std::string& names, OptionText option, std::function<void(const Values&)> assign);
  void require(Place option) { rows_[option].text.required = true; }
  /// Never both.
  void exclude(Place one, Place other) { rows_[one].excludes.push_back(other); }

  [[nodiscard]] std::vector<OptionText> options() const;
  /// Those that were called by their former names.
  [[nodiscard]] std::vector<OptionText> called_formerly() const;

  /// Hands each option its values, in the order of declaration. Throws UsageError, for words that are not
  /// understood before all else: they are why something seems to be missing.
  Parsed parse(std::span<const std::string> words);

 private:
  struct Row {
    OptionText text;
    std::function<void(const Values&)> assign;
    std::vector<Place> excludes;
    bool given = false;
    bool formerly = false;
    Values values;
  };
  using Words = std::span<const std::string>;

  [[nodiscard]] Row* find(const std::string& name);
  [[nodiscard]] std::vector<std::string> known() const;
  Parsed read(Words words);
  [[nodiscard]] Words read_option(const std::string& word, Words behind);
  [[nodiscard]] static Words take_value(Row& row, Words behind);
  void take_place(const std::string& word);
  void hand_on();
  [[noreturn]] void refuse_unknown(const std::string& word) const;

  std::vector<Row> rows_;
  std::vector<std::string> unknown_;
};

}  // namespace crema::cli
