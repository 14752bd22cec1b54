// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/case_review.h"

#include <variant>

#include <fmt/format.h>

#include "cohort/run/case_tables.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "raters/run/label_words.h"

namespace crema::cohort {

bool has_findings(const Method& method) {
  return method.aim == Aim::distance && std::holds_alternative<Solver>(method.solver);
}

void add_findings(const raters::Case& counted, std::size_t structure, AgreementStudy& study,
                  Warnings& warnings) {
  const Reduction& reduction = counted.reduction(structure);
  if (study.consensuses.empty() || !lists_components(reduction)) return;
  ConsensusStudy& first = study.consensuses.front();
  const Evaluated& evaluated = first.evaluated;
  if (evaluated.method == nullptr || !has_findings(*evaluated.method)) return;
  try {
    const bool others = reduction.raters > 1;
    first.review = make_review_list(
                       reduction, evaluated.solution, evaluated.options, kMaxFindings,
                       others ? leave_one_out(reduction, evaluated, LeaveOut::fixed) : std::vector<LeftOut>())
                       .items;
    raters::name_labels(counted, structure, first.review);
  } catch (const ResourceError&) {
    first.review.clear();
    const std::string which =
        counted.labelled() ? fmt::format(" of label {}", printable(counted.label(structure))) : "";
    warnings.push_back(
        {fmt::format("There is not enough memory for the list of decisions{}; review.csv has none of it.",
                     which),
         WarningKind::output_format});
  }
}

}  // namespace crema::cohort
