// SPDX-License-Identifier: Apache-2.0
// The bytes are the manifest of a cohort, whose masks are not there.
#include "cohort/find/manifest.h"

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::fs::path path = fuzz::folder().put("manifest.csv", {data, size});
  fuzz::expecting_errors([&] {
    for (const crema::cohort::Entry& entry : crema::cohort::read_manifest(path))
      fuzz::promise(!entry.name.empty() && !entry.path.empty(), "a line without a case or a path");
  });
  fuzz::expecting_errors([&] {
    crema::cohort::Where where;
    where.data = path;
    const crema::cohort::Cohort cohort = crema::cohort::cohort_from_manifest(where);
    for (const crema::Warning& warning : cohort.warnings)
      fuzz::promise(fuzz::fit_for_a_terminal(warning.text()), "a warning with control characters");
    std::string text;
    crema::cohort::write_manifest(crema::cohort::all_cases(cohort),
                                  [&](std::string_view piece) { text += piece; });
    const fuzz::fs::path again =
        fuzz::folder().put("again.csv", {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    std::size_t masks = 0;
    for (const crema::cohort::CohortCase& one : cohort.cases) masks += one.raters.size();
    fuzz::promise(crema::cohort::read_own_manifest(again).size() == masks,
                  "a manifest that is read back with more or fewer masks");
  });
  return 0;
}
