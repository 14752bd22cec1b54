// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crema {

/// Who speaks: the program spells a setting as a flag, the Python package as a keyword.
enum class Spelling : std::uint8_t { library, program, python };

/// The program's name of a setting: "--drop-below" for "drop_below".
std::string flag_of(std::string_view setting);
/// And of one that switches it off: "--no-gap" for "gap".
std::string off_flag_of(std::string_view setting);

/// A sentence for people: an error, or a warning. Settings and commands in it are marked, and each front end
/// spells them in its own way.
class Sentence {
 public:
  Sentence(std::string marked) : marked_(std::move(marked)) {}  // NOLINT: a plain text is a sentence
  Sentence(const char* marked) : marked_(marked) {}             // NOLINT

  [[nodiscard]] std::string text(Spelling spelling = Spelling::library) const;
  [[nodiscard]] const std::string& marked() const { return marked_; }

  /// A setting, with a value where there is one: "--threshold 0.5", threshold=0.5.
  static std::string setting(std::string_view name, std::string_view value = {});
  /// A command of the program, which is a function of the package: "crema certify", crema.certify.
  static std::string command(std::string_view name);

  bool operator==(const Sentence&) const = default;

 private:
  std::string marked_;
};

}  // namespace crema
