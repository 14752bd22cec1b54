// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/digest.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cohort/run/column.h"
#include "crema/base/error.h"
#include "files/files.h"

namespace crema::cohort {
namespace {

/// Empty where the table has no such column, or no words in it.
std::string text_at(const Json& table, const Json& row, std::string_view name) {
  const Json& cell = JsonColumn(table, name).of(row);
  const auto* text = std::get_if<std::string>(&cell.value());
  return text == nullptr ? std::string() : *text;
}

std::vector<LabelDigest> labels_in(const Json& table) {
  std::vector<LabelDigest> labels;
  for (std::size_t r = 1; r < list_in(table).size(); ++r) {
    const Json& row = list_in(table)[r];
    labels.push_back({text_at(table, row, "label"), JsonColumn(table, "components").number(row),
                      JsonColumn(table, "positive_agreement").number(row),
                      JsonColumn(table, "warnings").number(row), text_at(table, row, "outlier")});
  }
  if (labels.empty()) labels.emplace_back();
  return labels;
}

void add_raters(LabelDigest& label, const Json& raters, std::string_view first) {
  const JsonColumn name(raters, "rater"), method(raters, "method"), dice(raters, "dice"),
      voxels(raters, "voxels"), consensus(raters, "consensus_voxels");
  for (std::size_t r = 1; r < list_in(raters).size(); ++r) {
    const Json& row = list_in(raters)[r];
    if (text_in(method.of(row)) != first || text_at(raters, row, "label") != label.label) continue;
    RaterDigest beside{std::string(text_in(name.of(row))), dice.number(row), {}};
    const double own = voxels.number(row).value_or(0), all = consensus.number(row).value_or(0);
    if (all > 0) beside.larger = 100 * (own - all) / all;
    label.beside.push_back(std::move(beside));
  }
}

Json json_of(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

std::optional<double> number_in(const Json& json) {
  if (const auto* real = std::get_if<double>(&json.value())) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&json.value())) return static_cast<double>(*whole);
  return {};
}

Json json_of(const LabelDigest& label) {
  Json beside = Json::array();
  for (const RaterDigest& one : label.beside)
    beside.push_back(Json(Json::Array{one.rater, json_of(one.dice), json_of(one.larger)}));
  return Json(Json::Array{label.label, json_of(label.components), json_of(label.agreement),
                          json_of(label.warnings), label.farthest, std::move(beside)});
}

Json json_of(const MethodMeasures& one) {
  const MethodGlance& glance = one.glance;
  return Json(Json::Array{one.method, one.label, json_of(glance.kept), json_of(glance.volume),
                          json_of(glance.area), json_of(glance.soft_voxels), json_of(glance.lmsd),
                          json_of(glance.against_majority), json_of(glance.dice)});
}

Json json_of(const FindingDigest& one) {
  return Json(Json::Array{one.label, std::string(to_string(one.reason)), one.words, one.component, one.voxels,
                          one.fall});
}

/// Throws InputError.
ReviewReason reason_named(std::string_view name) {
  for (const ReviewReason reason : {ReviewReason::flips, ReviewReason::left_out, ReviewReason::zone})
    if (to_string(reason) == name) return reason;
  throw InputError("a finding of a case has a reason that is not known");
}

std::vector<FindingDigest> findings_in(const Json& table) {
  const JsonColumn reason(table, "reason"), words(table, "kind"), component(table, "component"),
      voxels(table, "voxels"), fall(table, "fall");
  std::vector<FindingDigest> findings;
  for (std::size_t r = 1; r < list_in(table).size(); ++r) {
    const Json& row = list_in(table)[r];
    findings.push_back({text_at(table, row, "label"), reason_named(text_in(reason.of(row))),
                        std::string(text_in(words.of(row))), whole_in(component.of(row)),
                        whole_in(voxels.of(row)), fall.number(row).value_or(0)});
  }
  return findings;
}

/// A list with that many members. Throws InputError.
const Json::Array& fields(const Json& json, std::size_t count) {
  const Json::Array& list = list_in(json);
  if (list.size() != count) throw InputError("a digest of a case has another number of fields");
  return list;
}

LabelDigest label_in(const Json& json) {
  const Json::Array& list = fields(json, 6);
  LabelDigest label{std::string(text_in(list[0])), number_in(list[1]), number_in(list[2]), number_in(list[3]),
                    std::string(text_in(list[4]))};
  for (const Json& one : list_in(list[5])) {
    const Json::Array& beside = fields(one, 3);
    label.beside.push_back({std::string(text_in(beside[0])), number_in(beside[1]), number_in(beside[2])});
  }
  return label;
}

MethodMeasures measures_in_line(const Json& json) {
  const Json::Array& list = fields(json, 9);
  return {std::string(text_in(list[0])),
          std::string(text_in(list[1])),
          {number_in(list[2]), number_in(list[3]), number_in(list[4]), number_in(list[5]), number_in(list[6]),
           number_in(list[7]), number_in(list[8])}};
}

FindingDigest finding_in(const Json& json) {
  const Json::Array& list = fields(json, 6);
  return {std::string(text_in(list[0])),
          reason_named(text_in(list[1])),
          std::string(text_in(list[2])),
          whole_in(list[3]),
          whole_in(list[4]),
          number_in(list[5]).value_or(0)};
}

/// A label that nobody drew has nothing to be measured: its case counts in no mean of it.
void drop_undrawn(CaseDigest& digest) {
  std::set<std::string_view> undrawn;
  for (const LabelDigest& label : digest.labels)
    if (label.components == 0) undrawn.insert(label.label);
  std::erase_if(digest.measures, [&](const MethodMeasures& one) { return undrawn.contains(one.label); });
}

Thumbnail thumbnail_in(const Json& json) {
  return {std::string(text_in(member(json, "thumbnail"))),
          std::string(text_in(member(json, "thumbnail_label")))};
}

void add_warnings_of(CaseDigest& digest, const Json& json) {
  for (const Json& one : list_in(member(json, "kinds"))) {
    const Json::Array& kind = fields(one, 3);
    KindDigest& read = digest.kinds.emplace_back(KindDigest{kind_named(text_in(kind[0])), whole_in(kind[1])});
    for (const Json& rater : list_in(kind[2])) read.raters.emplace_back(text_in(rater));
  }
  for (const Json& one : list_in(member(json, "defects"))) {
    const Json::Array& defect = fields(one, 2);
    digest.defect_kinds.push_back(kind_named(text_in(defect[0])));
    digest.defects.emplace_back(text_in(defect[1]));
  }
}

/// Whose file a sentence is about: it names that one first, by its path. Empty where it names none.
std::string rater_named(std::string_view sentence, const Json& inputs) {
  std::string_view rater;
  std::size_t first = std::string_view::npos, longest = 0;
  for (const Json& input : list_in(inputs)) {
    const std::string path = files::printable(std::filesystem::path(text_in(member(input, "path"))));
    const std::size_t at = path.empty() ? std::string_view::npos : sentence.find(path);
    if (at == std::string_view::npos || at > first || (at == first && path.size() < longest)) continue;
    rater = text_in(member(input, "rater"));
    first = at;
    longest = path.size();
  }
  return std::string(rater);
}

void add_warning(CaseDigest& digest, const Warning& warning, const Json& inputs) {
  const auto same = [&](const KindDigest& one) { return one.kind == warning.kind; };
  auto kind = std::find_if(digest.kinds.begin(), digest.kinds.end(), same);
  if (kind == digest.kinds.end()) kind = digest.kinds.insert(kind, KindDigest{warning.kind});
  ++kind->warnings;
  const std::string rater = rater_named(warning.marked(), inputs);
  if (!rater.empty() && std::find(kind->raters.begin(), kind->raters.end(), rater) == kind->raters.end())
    kind->raters.push_back(rater);
  if (severity_of(warning.kind) != Severity::defect) return;
  digest.defects.push_back(warning.marked());
  digest.defect_kinds.push_back(warning.kind);
}

}  // namespace

void take_result(CaseDigest& digest, const Json& result, std::string_view method) {
  const Json& tables = member(result, "tables");
  const Json& raters = member(tables, "raters");
  digest.labels = labels_in(member(tables, "cases"));
  for (LabelDigest& label : digest.labels) add_raters(label, raters, method);
  digest.measures = measures_in(member(tables, "methods"), raters);
  drop_undrawn(digest);
  digest.findings = findings_in(member(tables, "review"));
  digest.thumbnail = thumbnail_in(result);
  digest.result = text_in(member(result, "sha256"));
  for (const Warning& warning : warnings_in(result)) add_warning(digest, warning, member(result, "inputs"));
}

std::string digest_line(const CaseDigest& digest) {
  Json json{{"case", digest.name},
            {"kind", static_cast<int>(digest.kind)},
            {"raters", digest.raters},
            {"bytes", Json(digest.bytes)}};
  if (!digest.missing.empty()) json["missing"] = Json(digest.missing);
  if (digest.failure) json["failure"] = Json(Json::Array{digest.failure->kind, digest.failure->message});
  for (const LabelDigest& label : digest.labels) json["labels"].push_back(json_of(label));
  for (const MethodMeasures& one : digest.measures) json["measures"].push_back(json_of(one));
  for (const KindDigest& one : digest.kinds)
    json["kinds"].push_back(
        Json(Json::Array{std::string(to_string(one.kind)), one.warnings, Json(one.raters)}));
  for (std::size_t d = 0; d < digest.defects.size(); ++d)
    json["defects"].push_back(
        Json(Json::Array{std::string(to_string(digest.defect_kinds[d])), digest.defects[d]}));
  for (const FindingDigest& one : digest.findings) json["findings"].push_back(json_of(one));
  add_thumbnail(json, digest.thumbnail);
  if (!digest.result.empty()) json["result"] = digest.result;
  return line_of(json) + "\n";
}

CaseDigest digest_in(std::string_view line) {
  const Json json = parse_json(line);
  CaseDigest digest{.name = std::string(text_in(member(json, "case"))),
                    .kind = static_cast<CaseState::Kind>(whole_in(member(json, "kind"))),
                    .raters = whole_in(member(json, "raters"))};
  if (const Json& failure = member(json, "failure"); !list_in(failure).empty()) {
    const Json::Array& list = fields(failure, 2);
    digest.failure = {std::string(text_in(list[0])), std::string(text_in(list[1]))};
  }
  for (const Json& one : list_in(member(json, "missing"))) digest.missing.emplace_back(text_in(one));
  for (const Json& one : list_in(member(json, "labels"))) digest.labels.push_back(label_in(one));
  for (const Json& one : list_in(member(json, "measures"))) digest.measures.push_back(measures_in_line(one));
  add_warnings_of(digest, json);
  for (const Json& one : list_in(member(json, "findings"))) digest.findings.push_back(finding_in(one));
  digest.thumbnail = thumbnail_in(json);
  digest.result = text_in(member(json, "result"));
  const Json::Array& bytes = fields(member(json, "bytes"), kTableFiles);
  for (std::size_t t = 0; t < kTableFiles; ++t) digest.bytes[t] = whole_in(bytes[t]);
  return digest;
}

}  // namespace crema::cohort
