// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <iterator>

#include <fmt/format.h>

#include "files/files.h"
#include "study/background_curves.h"
#include "study/page.h"

namespace crema::study {

Study make_study(const std::vector<OpenRun>& runs, bool background,
                 const std::function<void(std::size_t, std::size_t)>& progress) {
  const Chapters chapters = all_chapters();
  const Seen seen = read_cases(runs, [&](const Seen& so_far, const CaseFacts& facts) {
    for (const auto& chapter : chapters) chapter->take(so_far.variants, facts);
  });
  Study study{.cases = seen.cases, .done = seen.done};
  for (const auto& chapter : chapters) study.sections.push_back(chapter->finish(seen.variants));
  std::vector<Section> curves =
      background ? background_sections(runs.front(), progress) : background_not_asked();
  study.sections.insert(study.sections.end(), std::make_move_iterator(curves.begin()),
                        std::make_move_iterator(curves.end()));
  return study;
}

std::string study_page(const std::vector<OpenRun>& runs, const Study& study) {
  std::string head = fmt::format(
      "# Study of {} case{}\n\nBehind each number, in brackets, is how many cases it is made of. The same "
      "tables are CSV files beside this page.\n\n| run | cases done | settings |\n|---|---|---|\n",
      study.cases, study.cases == 1 ? "" : "s");
  for (std::size_t r = 0; r < runs.size(); ++r)
    head += fmt::format("| {} | {} | {} |\n", files::printable(runs[r].folder.path.filename()), study.done[r],
                        line_of(member(runs[r].record.identity, "settings")));
  return page(head, study.sections);
}

}  // namespace crema::study
