// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "python/arrays.h"
#include "raters/open/facts.h"
#include "raters/run/run.h"

namespace crema::python {

/// The raters of one call, and what the record calls them.
struct Intake {
  raters::Source source;
  std::vector<std::string> reported;         ///< one name per rater, or none: they have none
  std::vector<std::filesystem::path> paths;  ///< where they are files
  std::vector<Bytes> masks = {};             ///< keeps what the source borrows
  std::vector<std::uint8_t> region = {};     ///< likewise
  std::vector<Borrowed<float>> levels = {};  ///< likewise
};

/// One case, counted, and the rest of its records.
struct Counted {
  raters::Case counted;
  Settings settings;
  std::vector<std::string> reported;
  std::vector<std::string> command;
  std::string date;
  Needs needs = Needs::groups;  ///< what was counted

  Counted(const Intake& intake, Settings requested, std::vector<std::string> call);

  /// Counts; the case then keeps all that its options borrow.
  void count(const Intake& intake, Needs requested, const raters::Hooks& hooks);

  /// The structures that a question is about: one of them, or all.
  [[nodiscard]] std::vector<std::size_t> chosen(std::optional<std::size_t> structure) const;
  /// Their records as one; that of one structure alone says its label.
  [[nodiscard]] Json reported_of(std::optional<std::size_t> structure, Json::Array records) const;

  /// Without checksums: these are taken when a record is requested.
  [[nodiscard]] RunFacts facts(const Warnings& warnings) const;
};

}  // namespace crema::python
