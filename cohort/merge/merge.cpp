// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/merge.h"

#include <atomic>

#include "cohort/merge/merged_run.h"
#include "cohort/merge/part.h"
#include "cohort/run/result.h"
#include "crema/base/parallel.h"

namespace crema::cohort {

MergeReport merge(const ReadyRun& ready, const std::filesystem::path& work, const MergeOptions& options) {
  files::StagedSet staged(work / "merge");
  MergedRun merged(ready, options, std::ssize(ready.cohort.cases));
  TableFiles tables(ready, merged.choice(), staged);
  for_each_case(ready, [&](const CaseRows& one) {
    for (std::size_t t = 0; t < kTableFiles; ++t) tables.append(t, one.rows[t]);
    merged.add(one.digest);
  });
  return merged.publish(tables, staged);
}

Standing standing_of(const ReadyRun& ready, const std::set<std::string>& packed) {
  std::atomic<std::size_t> done = 0, failed = 0;
  parallel_pieces(std::ssize(ready.cohort.cases), 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const std::string& name = ready.cohort.cases[static_cast<std::size_t>(c)].name;
      std::error_code ignored;
      if (!packed.contains(name) && std::filesystem::exists(ready.folder.failure(name), ignored))
        ++failed;
      else if (packed.contains(name) || read_sealed(ready.folder.result(name)))
        ++done;
    }
  });
  return {done, failed, ready.cohort.cases.size() - done - failed};
}

}  // namespace crema::cohort
