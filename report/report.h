// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crema/agreement/records.h"
#include "crema/agreement/study.h"
#include "crema/agreement/tables.h"
#include "plot/slice.h"
#include "raters/agreement.h"
#include "raters/grey_image.h"

/// One case as a page that anybody can open: what raters drew, what the methods made of it, and why.
namespace crema::report {

/// What a page compares unless asked for others.
inline constexpr std::string_view kMethods = "jaccard,dice,tanimoto,majority,average,staple";

/// A stretch of slices, to keep a page small.
struct Slices {
  Axis axis = Axis::z;
  std::int32_t first = 0, last = 0;  ///< both included
};

/// "z=20:60" on that grid. Throws UsageError that names the range, without naming the option.
Slices parse_slices(const std::string& text, const Grid& grid);

/// What is found out about a case for its page. The first method is the one the page is about.
struct Findings {
  raters::Comparison comparison;
  AgreementStudy study;          ///< of the first method, with what says how sure it is
  CaseNames names;               ///< as the page calls them
  bool too_many_places = false;  ///< to put those to look at again in order would take too long
};

/// Puts the methods' answers beside each other, and the raters beside the first one. At least one method.
Findings find_out(const raters::Case& counted, std::vector<raters::Outcome> outcomes,
                  const Settings& settings, const std::string& case_name);

/// What the caller knows besides.
struct PageFacts {
  RunFacts run;
  std::string command;  ///< ready to paste
  std::string methods;  ///< sentences for a paper
  std::string bibtex;
  const raters::GreyImage* image = nullptr;  ///< to be seen beneath; may be none
  std::optional<Slices> slices = {};         ///< only these are in the page
};

/// All of it as one HTML file.
std::string make_page(const raters::Case& counted, const Findings& findings, const Settings& settings,
                      const PageFacts& facts);

/// Beyond so many bytes a page opens slowly.
inline constexpr std::size_t kLargePage = 10'000'000;

}  // namespace crema::report
