// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/error.h"
#include "crema/base/warning.h"

/// Many cases, each with its raters: found in a folder or a manifest, fused one by one, gathered in tables.
namespace crema::cohort {

/// How masks lie on the disk: a folder for each case, a folder for each rater, a BIDS tree with raters in
/// desc-, or a list of them.
enum class Layout : std::uint8_t { cases, raters, bids, manifest };

inline constexpr std::string_view kLayouts = "cases|raters|bids|manifest";
std::string_view to_string(Layout layout);

/// One rater's file of a case.
struct RaterFile {
  std::string rater;
  std::string path;  ///< from the root of the cohort, or absolute

  bool operator==(const RaterFile&) const = default;
};

struct CohortCase {
  std::string name;
  std::vector<RaterFile> raters;  ///< in the order of their names
  std::string image = {};         ///< what raters drew on, as RaterFile::path; empty: it is not known
  std::string unread = {};        ///< why its files cannot be known, a sentence; empty: they are
};

struct Cohort {
  Layout layout = Layout::manifest;
  std::filesystem::path root;       ///< absolute
  std::string location;             ///< of the folder or manifest, without links and detours
  std::vector<CohortCase> cases;    ///< in the order of their names
  std::vector<std::string> raters;  ///< of all cases, in the order of their names
  std::string reason;               ///< why this layout was seen
  bool persons = false;             ///< a rater's name is the same person in every case, says the manifest
  Warnings warnings;
};

/// One line of what was found, before it is sorted into cases.
struct Entry {
  std::string name, rater, path;
  std::int64_t line = 0;    ///< of the manifest; 0: there is none
  std::string image = {};   ///< of its case
  std::string unread = {};  ///< of its case; without rater and path where nothing else is known
  bool person = false;      ///< the manifest calls its raters persons
};

/// Nothing is found where cases should be. They may be away for a while.
struct NothingFound : InputError {
  using InputError::InputError;
};

/// Sorts into cases. Raters are persons where all entries say so. Names get \xFF for bytes that are not
/// UTF-8, which no table or record can hold. Throws InputError where a rater has two files of one case, or
/// two names become one.
void sort_into_cases(std::vector<Entry> entries, Cohort& cohort);

/// The raters of the cohort that a case lacks.
std::vector<std::string> missing_raters(const Cohort& cohort, const CohortCase& one);

/// The one spelling of where data lie: absolute, without links and detours.
std::string location_of(const std::filesystem::path& data);

/// Where a rater's file lies.
std::filesystem::path path_of(const Cohort& cohort, const RaterFile& file);

}  // namespace crema::cohort
