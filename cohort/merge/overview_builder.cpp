// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/overview_builder.h"

#include <algorithm>

#include "cohort/run/case_review.h"
#include "crema/base/version.h"
#include "files/io/checksum.h"

namespace crema::cohort {
namespace {

/// Where raters agree least comes first; what is not known stays behind, and the order of names decides.
bool is_worse(const CaseGlance& a, const CaseGlance& b) {
  const double of_a = lowest_dice(a).value_or(2), of_b = lowest_dice(b).value_or(2);
  return of_a != of_b ? of_a < of_b : a.number < b.number;
}

void add_to(Values& values, const std::optional<double>& value) {
  if (value) values.add(*value);
}

}  // namespace

void count_kinds(const CaseDigest& one, std::vector<KindGlance>& kinds) {
  for (const auto& [kind, warnings, raters] : one.kinds) {
    const auto before = [](const KindGlance& other, WarningKind wanted) { return other.kind < wanted; };
    auto place = std::lower_bound(kinds.begin(), kinds.end(), kind, before);
    if (place == kinds.end() || place->kind != kind) place = kinds.insert(place, KindGlance{.kind = kind});
    place->warnings += warnings;
    ++place->cases;
    if (place->first.size() == KindGlance::kNamed) continue;
    place->first.push_back(one.name);
    place->raters.push_back(raters);
  }
}

OverviewBuilder::OverviewBuilder(const ReadyRun& ready) : ready_(ready) {
  overview_.version = version();
  files::RunningSha256 sum;
  sum.add(line_of(ready.identity));
  overview_.run = sum.digits();
  overview_.reviewed = !ready.request.methods.empty() && has_findings(*ready.request.methods.front());
  for (const Method* method : ready.request.methods) {
    overview_.methods.emplace_back(method->name);
    overview_.distances.emplace_back(to_string(method->distance));
  }
  for (const std::string& name : ready.cohort.raters) rater(valid_utf8(name));
}

/// A file may hold several raters, whom only the results name.
std::uint32_t OverviewBuilder::rater(const std::string& name) {
  const auto [found, added] = places_.emplace(name, static_cast<std::uint32_t>(overview_.raters.size()));
  if (added) {
    overview_.raters.push_back(name);
    overview_.rater_overview.emplace_back();
    raters_.emplace_back();
  }
  return found->second;
}

std::size_t OverviewBuilder::place_of(const std::string& label) {
  return labels_.emplace(label, labels_.size()).first->second;
}

/// None beyond the first labels.
std::vector<OverviewBuilder::MethodValues>* OverviewBuilder::values_of(const std::string& label) {
  const std::size_t place = place_of(label);
  if (place >= Overview::kMaxLabels) return nullptr;
  if (place == methods_.size()) {
    methods_.emplace_back(overview_.methods.size());
    overview_.spreads.push_back({label});
  }
  return &methods_[place];
}

void OverviewBuilder::add_methods(CaseGlance& glance, const std::vector<MethodMeasures>& measures) {
  glance.methods.resize(overview_.methods.size());
  for (const MethodMeasures& one : measures) {
    const auto found = std::find(overview_.methods.begin(), overview_.methods.end(), one.method);
    if (found != overview_.methods.end() && one.label == glance.label)
      glance.methods[static_cast<std::size_t>(found - overview_.methods.begin())] = one.glance;
  }
  std::vector<MethodValues>* values = values_of(glance.label);
  if (values == nullptr) return;
  for (std::size_t m = 0; m < values->size(); ++m) {
    const MethodGlance& one = glance.methods[m];
    MethodValues& own = (*values)[m];
    for (std::size_t u = 0; u < own.sizes.size(); ++u)
      add_to(own.sizes[u], size_in(one, static_cast<SizeUnit>(u)));
    add_to(own.dice, one.dice);
    add_to(own.lmsd, one.lmsd);
    add_to(own.against_majority, one.against_majority);
  }
}

void OverviewBuilder::add_agreement(const CaseGlance& glance) {
  const std::size_t place = place_of(glance.label);
  if (agreement_.size() <= place) agreement_.resize(place + 1);
  add_to(agreement_[place], glance.agreement);
}

void OverviewBuilder::add_raters(const CaseGlance& glance) {
  for (const RaterGlance& one : glance.beside) {
    RaterOverview& over = overview_.rater_overview[one.rater];
    std::int64_t& last = raters_[one.rater].last_case;
    over.cases += last == overview_.counts.cases ? 0 : 1;
    last = overview_.counts.cases;
    over.rows += glance.components.value_or(1) > 0 ? 1 : 0;
    over.farthest += glance.farthest == overview_.raters[one.rater] ? 1 : 0;
    add_to(raters_[one.rater].larger, one.larger);
    add_to(raters_[one.rater].dice, one.dice);
    if (!one.dice || *one.dice >= over.lowest_dice) continue;
    over.lowest_dice = *one.dice;
    over.lowest = name_in(glance);
    over.lowest_number = glance.number;
  }
}

/// One for each label of a case that is done, else one.
std::vector<CaseGlance> OverviewBuilder::glances_of(const CaseDigest& one) {
  std::vector<CaseGlance> glances(std::max<std::size_t>(1, one.labels.size()));
  for (std::size_t g = 0; g < glances.size(); ++g) {
    CaseGlance& glance = glances[g];
    glance.name = valid_utf8(one.name);
    glance.number = static_cast<std::size_t>(overview_.counts.rows) + g;
    for (const std::string& name : one.missing) glance.missing_raters.push_back(valid_utf8(name));
    glance.raters = one.raters;
    glance.status = one.kind == CaseState::Kind::done     ? CaseGlance::Status::done
                    : one.kind == CaseState::Kind::failed ? CaseGlance::Status::failed
                                                          : CaseGlance::Status::missing;
    if (one.kind != CaseState::Kind::done) {
      if (one.failure) {
        glance.failure = one.failure->kind;
        glance.reason = one.failure->message;
        glance.transient = one.failure->transient();
      }
      continue;
    }
    glance.result = one.result;
    const LabelDigest& label = one.labels[g];
    glance.label = label.label;
    glance.components = label.components;
    glance.agreement = label.agreement;
    glance.warnings = label.warnings;
    glance.farthest = label.farthest;
    glance.defects = std::ssize(one.defects);
    for (const RaterDigest& beside : label.beside)
      glance.beside.push_back({rater(beside.rater), beside.dice, beside.larger});
    glance.raters = std::max<std::int64_t>(glance.raters, std::ssize(glance.beside));
  }
  return glances;
}

/// To be called before anything of the case is added.
void OverviewBuilder::count(const CaseDigest& one) {
  OverviewCounts& counts = overview_.counts;
  const bool is_done = one.kind == CaseState::Kind::done;
  ++counts.cases;
  counts.done += is_done ? 1 : 0;
  counts.failed += one.kind == CaseState::Kind::failed ? 1 : 0;
  counts.waiting += one.kind == CaseState::Kind::missing ? 1 : 0;
  counts.lacking += one.missing.empty() ? 0 : 1;
  counts.warned += is_done && !one.kinds.empty() ? 1 : 0;
  counts.faulty += is_done && !one.defects.empty() ? 1 : 0;
}

/// The first that failed and that are waiting, and the worst of those that are done.
void OverviewBuilder::keep(CaseGlance glance) {
  using enum CaseGlance::Status;
  if (glance.status != done) {
    std::vector<CaseGlance>& some = glance.status == failed ? failed_ : waiting_;
    if (some.size() < Overview::kMaxCases) some.push_back(std::move(glance));
    return;
  }
  // A heap whose first is the best of the worst.
  if (done_.size() == Overview::kMaxCases) {
    if (!is_worse(glance, done_.front())) return;
    std::pop_heap(done_.begin(), done_.end(), is_worse);
    done_.pop_back();
  }
  done_.push_back(std::move(glance));
  std::push_heap(done_.begin(), done_.end(), is_worse);
}

void OverviewBuilder::add_defects(const CaseDigest& one) {
  for (std::size_t d = 0; d < one.defects.size() && overview_.defects.size() < Overview::kMaxDefects; ++d)
    overview_.defects.push_back({valid_utf8(one.name), one.name, {one.defects[d], one.defect_kinds[d]}});
}

void OverviewBuilder::add(const CaseDigest& one) {
  const bool is_done = one.kind == CaseState::Kind::done;
  count(one);
  if (is_done) {
    count_kinds(one, overview_.kinds);
    add_defects(one);
    add_findings(one);
  }
  for (CaseGlance& glance : glances_of(one)) {
    if (is_done) {
      add_methods(glance, one.measures);
      add_raters(glance);
      add_agreement(glance);
    }
    ++overview_.counts.rows;
    overview_.counts.done_rows += is_done ? 1 : 0;
    overview_.labelled = overview_.labelled || !glance.label.empty();
    keep(std::move(glance));
  }
}

/// Of those that are shown, who has a page; `report` of a defect or a finding is the case's name until then.
void OverviewBuilder::find_reports() {
  std::map<std::string, std::string> known;
  const auto report_of = [&](const std::string& name) {
    const auto [found, is_new] = known.try_emplace(name);
    if (!is_new) return found->second;
    std::error_code ignored;
    const std::filesystem::path page = ready_.folder.report(name);
    if (std::filesystem::exists(page, ignored))
      found->second = page.lexically_relative(ready_.folder.path).generic_string();
    return found->second;
  };
  for (CaseGlance& glance : overview_.cases)
    if (glance.status == CaseGlance::Status::done) glance.report = report_of(glance.name);
  for (DefectGlance& defect : overview_.defects) defect.report = report_of(defect.report);
  for (FindingGlance& finding : overview_.findings) finding.report = report_of(finding.report);
}

void OverviewBuilder::finish_spreads() {
  overview_.labels = std::ssize(labels_);
  for (std::size_t l = 0; l < methods_.size(); ++l)
    for (const MethodValues& one : methods_[l])
      overview_.spreads[l].methods.push_back({one.sizes[static_cast<std::size_t>(overview_.unit)].drawn(),
                                              one.dice.drawn(), one.lmsd.drawn(),
                                              one.against_majority.drawn()});
}

void OverviewBuilder::finish_agreement() {
  std::vector<std::string> names(labels_.size());
  for (const auto& [label, place] : labels_) names[place] = label;
  for (std::size_t l = 0; l < agreement_.size(); ++l)
    if (const std::optional<double> median = agreement_[l].median())
      overview_.agreement.push_back({names[l], *median});
}

const Overview& OverviewBuilder::finish(const Summariser& summariser,
                                        const std::vector<std::string>& tables) {
  overview_.tables = tables;
  overview_.unit = summariser.unit();
  const std::vector<MethodSummary> summaries = summariser.summaries();
  for (const std::string& method : overview_.methods) {
    const std::size_t before = overview_.summaries.size();
    for (const MethodSummary& one : summaries)
      if (one.method == method) overview_.summaries.push_back(one);
    if (overview_.summaries.size() == before) overview_.summaries.push_back({method, {}});
  }
  finish_spreads();
  for (std::size_t r = 0; r < raters_.size(); ++r) {
    RaterOverview& over = overview_.rater_overview[r];
    over.dice = raters_[r].dice.median();
    over.larger = raters_[r].larger.median();
    if (over.dice) over.mean_dice = raters_[r].dice.over_cases().mean;
  }
  finish_agreement();
  for (std::vector<CaseGlance>* some : {&failed_, &done_, &waiting_})
    for (CaseGlance& glance : *some) overview_.cases.push_back(std::move(glance));
  std::sort(overview_.cases.begin(), overview_.cases.end(),
            [](const CaseGlance& a, const CaseGlance& b) { return a.number < b.number; });
  sort_findings();
  find_reports();
  return overview_;
}

}  // namespace crema::cohort
