// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crema/adjudicate/decisions.h"
#include "crema/agreement/measures.h"
#include "crema/records/records.h"
#include "crema/records/tables.h"
#include "figure/slice.h"
#include "raters/read/grey_image.h"
#include "raters/run/agreement.h"
#include "report/case/slices.h"

/// One case as a page that anybody can open: what raters drew, what the methods made of it, and why.
namespace crema::report {

/// What a page compares unless others are requested.
inline constexpr std::string_view kMethods = "jaccard,dice,tanimoto,majority,average,staple";

/// The same of probability maps.
inline constexpr std::string_view kLevelMethods = "tanimoto,soergel,jaccard,average,majority";

/// What is found out about a case for its page. The first method is the one the page is about.
struct Findings {
  std::size_t structure = 0;              ///< of the case
  std::vector<raters::Outcome> outcomes;  ///< of this structure alone, in the order of the methods
  raters::StructureComparison comparison;
  AgreementStudy study;  ///< of the first method, with what says how sure it is
  CaseNames names;       ///< as the page calls them
  /// What a label took before those that claimed the same voxels were settled; none where none did. Of the
  /// outcomes that were given.
  const Solution* alone = nullptr;
};

/// One structure of a case: puts the methods' answers beside each other, and the raters beside the first one.
/// At least one method.
Findings analyse(const raters::Case& counted, std::size_t structure,
                 const std::vector<raters::Outcome>& outcomes, raters::StructureComparison comparison,
                 const MeasureOptions& measures, const std::string& case_name);

/// What the caller knows besides.
struct PageFacts {
  RunFacts run;
  std::string command;  ///< ready to paste
  std::string methods;  ///< sentences for a paper
  std::string bibtex;
  const raters::GreyImage* image = nullptr;  ///< to be seen beneath; may be none
  std::optional<Slices> slices = {};         ///< only these are in the page
  std::vector<InputFact> masks = {};         ///< the raters' files; none: decisions cannot be saved
  /// The options of the first method; none where decisions cannot keep it.
  std::optional<std::vector<DecidedSetting>> decided = {};
  bool photo = false;       ///< a photograph that the page has will lie beneath
  std::string engine = {};  ///< from the page to one that make_engine() made; empty: the page has its own

  /// Whether something lies beneath, so that more than what was drawn is shown.
  [[nodiscard]] bool pictured() const { return image != nullptr || photo; }
};

/// All of it as one HTML file: each structure that anybody drew, and where there are labels an overview of
/// them. At least one method; outcomes must still hold their images.
std::string make_page(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes,
                      const Settings& settings, const PageFacts& facts, const std::string& case_name);

/// Beyond so many bytes a page opens slowly.
inline constexpr std::size_t kLargePage = 10'000'000;

}  // namespace crema::report
