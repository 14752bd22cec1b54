// SPDX-License-Identifier: Apache-2.0
#include "crema/adjudicate/decisions.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema {
namespace {

constexpr std::array<std::string_view, 7> kActions{"accept",   "reject", "keep", "rater",
                                                   "majority", "draw",   "erase"};

Json verdict_json(const Verdict& verdict) {
  Json json;
  if (!verdict.label.empty()) json["label"] = verdict.label;
  const bool brush = verdict.action == Action::draw || verdict.action == Action::erase;
  if (!brush) json["component"] = verdict.component + 1;
  if (verdict.zone) json["zone"] = *verdict.zone;
  json["action"] = to_string(verdict.action);
  if (verdict.action == Action::rater) json["rater"] = verdict.rater + 1;
  if (brush) {
    json["runs"] = Json::array();
    for (const Run& run : verdict.runs) json["runs"].push_back({run.first, run.length});
  }
  if (!verdict.reason.empty()) json["reason"] = verdict.reason;
  if (!verdict.time.empty()) json["time"] = verdict.time;
  return json;
}

std::string words_of(const Verdict& verdict) {
  if (verdict.action == Action::rater) return fmt::format("rater {}", verdict.rater + 1);
  return std::string(to_string(verdict.action));
}

bool same_case(const Decisions& a, const Decisions& b) {
  const auto settings = [](const Decisions& one) {
    std::map<std::string, std::string> map;
    for (const DecidedSetting& setting : one.settings) map[setting.name] = setting.text;
    return map;
  };
  return a.method == b.method && a.size == b.size && settings(a) == settings(b) &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                    [](const DecidedInput& u, const DecidedInput& v) { return u.sha256 == v.sha256; });
}

}  // namespace

std::string_view to_string(Action action) { return kActions[static_cast<std::size_t>(action)]; }

bool is_kept_by_decisions(std::string_view setting) {
  constexpr std::array<std::string_view, 15> kept{
      "threshold", "label",   "labels", "segment", "segments_are", "connectivity",     "slice_wise", "tie",
      "blocks",    "weights", "alpha",  "beta",    "empty_test",   "threshold_output", "undecided"};
  return std::find(kept.begin(), kept.end(), setting) != kept.end();
}

Json to_json(const Decisions& decisions) {
  Json json{{"crema", decisions.version}, {"decisions", 1}};
  if (!decisions.adjudicator.empty()) json["adjudicator"] = decisions.adjudicator;
  json["method"] = decisions.method;
  json["settings"] = Json::object();
  for (const DecidedSetting& setting : decisions.settings) json["settings"][setting.name] = setting.text;
  json["size"] = decisions.size;
  json["inputs"] = Json::array();
  for (const DecidedInput& input : decisions.inputs)
    json["inputs"].push_back({{"name", input.name}, {"sha256", input.sha256}});
  json["list"] = Json::array();
  for (const Verdict& verdict : decisions.list) json["list"].push_back(verdict_json(verdict));
  return json;
}

std::vector<ComparedPlace> compare_decisions(std::span<const Decisions> files,
                                             std::span<const std::string> names) {
  for (std::size_t f = 1; f < files.size(); ++f)
    if (!same_case(files[0], files[f]))
      throw InputError(fmt::format(
          "{}: is about other inputs, another method or other settings than {}; compare decisions of one "
          "page",
          printable(names[f]), printable(names[0])));
  using Key = std::tuple<std::string, std::size_t, std::int64_t>;
  std::map<Key, ComparedPlace> places;
  for (std::size_t f = 0; f < files.size(); ++f)
    for (const Verdict& verdict : files[f].list) {
      if (verdict.action == Action::draw || verdict.action == Action::erase) continue;
      ComparedPlace& place = places[{verdict.label, verdict.component, verdict.zone.value_or(-1)}];
      place.label = verdict.label;
      place.component = verdict.component;
      place.zone = verdict.zone;
      place.actions.resize(files.size());
      place.actions[f] = words_of(verdict);
    }
  std::vector<ComparedPlace> list;
  for (auto& [key, place] : places) {
    std::string first;
    for (const std::string& action : place.actions) {
      if (first.empty()) first = action;
      place.same &= action.empty() || action == first;
    }
    list.push_back(std::move(place));
  }
  return list;
}

}  // namespace crema
