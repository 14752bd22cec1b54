// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <initializer_list>
#include <iterator>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/files.h"
#include "study/background_curves.h"
#include "study/candidate.h"
#include "study/page.h"

namespace crema::study {

namespace {

/// What reads masks again.
struct MaskStudies {
  std::optional<BackgroundCurves> background;
  std::optional<RaterStudy> raters;
  std::optional<PanelStudy> panel;
  std::optional<CandidateStudy> candidate;

  [[nodiscard]] std::vector<TakeCase> takers() {
    std::vector<TakeCase> list;
    const auto add = [&](TakeCase take) {
      list.emplace_back([take = std::move(take)](const CountedCase& one) {
        if (!one.reduction().crowns.empty()) take(one);  // else nobody drew anything that could be measured
      });
    };
    if (background) list.emplace_back([this](const CountedCase& one) { background->take(one); });
    if (raters) add([this](const CountedCase& one) { raters->take(one); });
    if (panel) add([this](const CountedCase& one) { panel->take(one); });
    if (candidate) list.emplace_back([this](const CountedCase& one) { candidate->take(one); });
    return list;
  }
};

MaskStudies begin_mask_studies(const StudyRequest& request, const cohort::ReadyRun* ready) {
  MaskStudies result;
  if (request.background) result.background.emplace();
  if (request.raters) result.raters.emplace(request.identity);
  if (request.panel) result.panel.emplace();
  if (!request.candidate.empty() && ready != nullptr)
    result.candidate.emplace(ready->cohort.cases, request.candidate, request.candidate_threshold);
  return result;
}

void check(const StudyRequest& request) {
  if (request.raters && request.identity == Identity::unknown)
    throw UsageError(
        fmt::format("{}: compares raters over cases, which means something only for raters who are the "
                    "same persons in all of them; declare it with {}, or in the manifest.",
                    Sentence::setting("raters"), Sentence::setting("raters_persist")));
  if (request.candidate_threshold && request.candidate.empty())
    throw UsageError(fmt::format("{} requires {}.", Sentence::setting("consensus_threshold"),
                                 Sentence::setting("candidate")));
}

void append_sections(std::vector<Section>& all, std::vector<Section> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<Section> sections_of(const MaskStudies& result) {
  std::vector<Section> all =
      result.background ? std::vector<Section>{result.background->cases(), result.background->sizes(),
                                               result.background->priors()}
                        : background_not_requested();
  if (result.raters) append_sections(all, result.raters->sections());
  if (result.panel) all.push_back(result.panel->section());
  if (result.candidate) append_sections(all, result.candidate->sections());
  return all;
}

/// Why what was requested is not there.
Warnings warnings_about_empty(const std::vector<Section>& sections, const StudyRequest& request) {
  Warnings warnings;
  for (const Section& section : sections)
    if ((request.raters && section.label == "effects") || (request.panel && section.label == "panel"))
      for (const std::string& reason : section.missing)
        warnings.push_back({fmt::format("{}: {}", section.title, reason), WarningKind::left_out});
  return warnings;
}

/// What the tables of the runs give.
Study study_tables(const std::vector<OpenRun>& runs, const StudyRequest& request, MaskStudies& masks) {
  const SectionBuilders sections = all_sections(request.identity);
  PaperTable paper(request.identity);
  const Seen seen = read_cases(runs, [&](const Seen& so_far, const CaseFacts& facts) {
    for (const auto& section : sections) section->take(so_far.variants, facts);
    if (request.paper_table) paper.take(so_far.variants, facts);
    if (masks.raters) masks.raters->take(facts);
  });
  Study study{.cases = seen.cases, .done = seen.done, .sections = {}};
  for (const auto& section : sections) study.sections.push_back(section->finish(seen.variants));
  if (request.paper_table) study.paper = paper.finish(seen.variants);
  return study;
}

}  // namespace

Study make_study(const std::vector<OpenRun>& runs, const StudyRequest& wanted, const ShowProgress& progress) {
  StudyRequest request = wanted;
  if (runs.front().record.persons) request.identity = Identity::persists;
  check(request);
  std::optional<cohort::ReadyRun> ready;
  if (request.reads_masks()) ready = cohort::open_run(runs.front().folder.path);
  MaskStudies masks = begin_mask_studies(request, ready ? &*ready : nullptr);
  LostCases lost;
  Study study;
  if (ready && masks.candidate && runs.front().every_label) {
    lost = read_masks(*ready, "", masks.takers(), progress);
    study.cases = static_cast<std::int64_t>(lost.cases);
    study.done.assign(runs.size(), study.cases - std::ssize(lost.unread) - std::ssize(lost.changed));
    study.sections = masks.candidate->sections();
  } else {
    study = study_tables(runs, request, masks);
    if (ready) lost = read_masks(*ready, runs.front().label, masks.takers(), progress);
    append_sections(study.sections, sections_of(masks));
    study.warnings = warnings_about_empty(study.sections, request);
    if (masks.raters) study.bland_altman = masks.raters->bland_altman();
  }
  if (masks.candidate) {
    study.missing = masks.candidate->missing();
    study.failures = masks.candidate->failures();
    append(study.warnings, masks.candidate->warnings());
  }
  if (masks.background)
    for (std::string& sentence : masks.background->failures()) study.failures.push_back(std::move(sentence));
  for (std::string& sentence : lost.sentences()) study.failures.push_back(std::move(sentence));
  return study;
}

std::vector<std::string> table_names(const StudyRequest& request) {
  std::vector<std::string> names;
  for (const auto& section : all_sections(request.identity)) names.push_back(section->finish({}).file());
  const auto add_all = [&](std::initializer_list<const char*> more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  if (request.background) add_all({"background.csv", "fig_1a.csv", "fig_1b.csv"});
  if (request.raters) add_all({"effects.csv", "variance.csv", "loam.csv", "bland_altman.svg"});
  if (request.panel) add_all({"panel.csv"});
  if (!request.candidate.empty()) add_all({"candidate.csv", "candidate_summary.csv"});
  if (request.paper_table) add_all({"paper_table.csv", "paper_table.md", "paper_table.tex"});
  return names;
}

std::string study_page(const std::vector<OpenRun>& runs, const Study& study) {
  std::string head = fmt::format(
      "# Study of {}\n\nBehind each number, in brackets, is how many cases it is computed from. The "
      "same "
      "tables are CSV files next to this page.\n\n| run | cases done | settings |\n|---|---|---|\n",
      crema::counted(study.cases, "case"));
  for (std::size_t r = 0; r < runs.size(); ++r)
    head += fmt::format("| {} | {} | {} |\n", files::printable(runs[r].folder.path.filename()), study.done[r],
                        line_of(member(runs[r].record.identity, "settings")));
  if (runs.front().every_label)
    head += "\nOf every label; the other tables are of one, which `--label` names.\n";
  for (const std::string& failure : study.failures) head += fmt::format("\n{}\n", failure);
  return page(head, study.sections);
}

}  // namespace crema::study
