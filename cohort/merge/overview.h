// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crema/agreement/review/review.h"
#include "crema/base/warning.h"

/// All cases of a run at a glance, for whoever shows them: plain names and numbers, in memory that does not
/// grow with the cases.
namespace crema::cohort {

/// What one method made of one case.
struct MethodGlance {
  std::optional<double> kept;              ///< components
  std::optional<double> volume, area;      ///< of the levels' sum, in mm³ or mm²; only the true one
  std::optional<double> soft_voxels;       ///< the same in voxels
  std::optional<double> lmsd;              ///< in the method's own distance
  std::optional<double> against_majority;  ///< size, in percent
  std::optional<double> dice;              ///< mean over the raters
};

/// One rater of one case, beside the consensus of the run's first method.
struct RaterGlance {
  std::uint32_t rater = 0;  ///< its place in Overview::raters
  std::optional<double> dice;
  std::optional<double> larger;  ///< size against the consensus's, in percent
};

/// What cases report of one kind of warning.
struct KindGlance {
  WarningKind kind = WarningKind::other;
  std::int64_t cases = 0, warnings = 0;
  std::vector<std::string> first;                     ///< names of the first cases
  std::vector<std::vector<std::string>> raters = {};  ///< whose files they are about, for each of these

  static constexpr std::size_t kNamed = 5;
};

/// A case, or one label of it.
struct CaseGlance {
  enum class Status : std::uint8_t { missing, done, failed };
  std::string name;
  Status status = Status::missing;
  std::size_t number = 0;  ///< its place among all rows, in the order of names
  std::vector<std::string> missing_raters;
  std::int64_t raters = 0;
  // Of a case that failed:
  std::string failure, reason;  ///< its class; a sentence
  bool transient = false;
  // Of one that is done:
  std::string label = {};  ///< empty where raters gave masks
  std::optional<double> components, agreement, warnings;
  std::int64_t defects = 0;           ///< so many of the warnings are defects of the input
  std::string farthest;               ///< the rater farthest from the others; empty: none
  std::vector<MethodGlance> methods;  ///< as Overview::methods
  std::vector<RaterGlance> beside;
  std::string report;       ///< path of its page from the folder of the run; empty: it has none
  std::string result = {};  ///< the checksum of its result
};

/// A measure over the cases in which it is defined: every case counts once.
struct OverCases {
  std::int64_t cases = 0;
  double mean = 0, low = 0, median = 0, high = 0;  ///< low and high are the quartiles
};

/// In which unit the sizes of all cases can be given.
enum class SizeUnit : std::uint8_t { voxels, square_mm, cubic_mm };

/// The soft size of a result in that unit.
inline std::optional<double> size_in(const MethodGlance& glance, SizeUnit unit) {
  if (unit == SizeUnit::cubic_mm) return glance.volume;
  return unit == SizeUnit::square_mm ? glance.area : glance.soft_voxels;
}

/// What one method made of all cases, or of one label in them.
struct MethodSummary {
  std::string method, label;  ///< the label is empty where there is one
  std::int64_t cases = 0;
  OverCases kept, size, lmsd, against_majority, dice;
};

/// Values for a picture: all of them, or evenly spaced quantiles where there are many.
struct DrawnValues {
  std::int64_t count = 0, not_positive = 0;  ///< of all
  std::vector<double> values = {};
};

/// How the measures of one method lie over the cases.
struct MethodSpread {
  DrawnValues size, dice, lmsd, against_majority;
};

/// How the measures of all methods lie over the cases, of masks or of one label.
struct LabelSpreads {
  std::string label;                       ///< empty where raters gave masks
  std::vector<MethodSpread> methods = {};  ///< as Overview::methods
};

/// One rater over all cases.
struct RaterOverview {
  std::int64_t cases = 0;
  std::int64_t rows = 0, farthest = 0;  ///< those that somebody drew; farthest: from the others, in a row
  std::optional<double> dice, larger;   ///< medians
  std::optional<double> mean_dice;
  double lowest_dice = 2;
  std::string lowest = {};        ///< the case of it, with its label
  std::size_t lowest_number = 0;  ///< of its row
};

/// A defect of the input and its case.
struct DefectGlance {
  std::string name, report;  ///< as CaseGlance has them
  Warning warning;
};

/// A decision to look at again, in one case.
struct FindingGlance {
  std::string name, label, report;  ///< of the case
  std::size_t number = 0;           ///< of its row
  ReviewReason reason = ReviewReason::zone;
  std::string words;  ///< the kind of disagreement
  std::int64_t component = 0, voxels = 0;
  double fall = 0;  ///< of the criterion
  std::string
      thumbnail;  ///< of the case, a PNG in base64; only in the first finding of the label that it shows
};

/// How many cases there are of what. A row is a case or one label of it, and one of a case that is not done.
struct OverviewCounts {
  std::int64_t cases = 0, done = 0, failed = 0, waiting = 0;
  std::int64_t lacking = 0, warned = 0, faulty = 0;  ///< without a rater, with warnings, with defects
  std::int64_t findings = 0, cases_with_findings = 0;
  std::int64_t rows = 0, done_rows = 0;
};

/// How well raters agree about a label: the median over the cases in which somebody drew it.
struct LabelAgreement {
  std::string label;  ///< empty where raters gave masks
  double median = 0;
};

struct Overview {
  std::string version;
  std::vector<std::string> methods, raters;
  std::vector<CaseGlance> cases = {};  ///< the first that failed, the lowest overlaps, the first to be done
  OverviewCounts counts = {};
  bool labelled = false;                           ///< whether cases have a row for each label
  std::vector<LabelAgreement> agreement = {};      ///< of each label that has one, as they came
  std::vector<RaterOverview> rater_overview = {};  ///< as raters
  std::vector<LabelSpreads> spreads = {};          ///< of masks, or of the first labels
  std::int64_t labels = 0;                         ///< how many there are; 1 for masks
  SizeUnit unit = SizeUnit::voxels;
  std::vector<MethodSummary> summaries = {};  ///< as methods; of labels all of a method one after the other
  std::vector<KindGlance> kinds = {};         ///< of warnings, defects first
  std::vector<DefectGlance> defects = {};     ///< the first of them
  std::vector<FindingGlance> findings = {};   ///< the first of all cases, in the order of METHOD 11
  bool reviewed = false;                      ///< whether the first method has a list of decisions
  std::vector<std::string> tables = {};       ///< names of the tables beside the page
  std::vector<std::string> distances = {};    ///< as methods: in which LMSD is reported
  std::string run = {};                       ///< a checksum of methods, settings and version

  static constexpr std::size_t kMaxDefects = 2000, kMaxCases = 2000, kMaxFindings = 500, kMaxThumbnails = 100,
                               kMaxLabels = 12;
};

/// The lowest overlap of a rater with the consensus.
inline std::optional<double> lowest_dice(const CaseGlance& glance) {
  std::optional<double> lowest;
  for (const RaterGlance& rater : glance.beside)
    if (rater.dice && (!lowest || *rater.dice < *lowest)) lowest = rater.dice;
  return lowest;
}

/// What a row of a case is called: with its label where it has one.
inline std::string name_in(const CaseGlance& glance) {
  return glance.label.empty() ? glance.name : glance.name + ", " + glance.label;
}

}  // namespace crema::cohort
