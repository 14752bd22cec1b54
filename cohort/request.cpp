// SPDX-License-Identifier: Apache-2.0
#include "cohort/request.h"

#include <array>

#include <fmt/format.h>

#include "cohort/manifest.h"
#include "crema/agreement/record_parts.h"
#include "crema/error.h"
#include "crema/setting_values.h"
#include "crema/version.h"
#include "files/files.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHd95 = "max|pooled|area", kRegions = "full|box|union";

/// Settings that change how fast a result comes, not which.
bool matters(const Setting& setting) { return setting.group != "Limits" && setting.name != "provenance"; }

Json settings_json(const Settings& settings) {
  Json made = Json::object();
  for (const Setting& setting : crema::settings()) {
    if (!was_given(settings, setting.name) || !matters(setting)) continue;
    const bool searched = setting.name == "weights" && settings.search_weights;
    made[setting.name] = searched ? Json("auto") : value_of(setting.get(settings));
  }
  return made;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw UsageError(fmt::format("{}: {}", files::printable(path), what));
}

constexpr std::string_view kFix = "name another folder for the results, or let all cases be done again with ";

/// Which part of two identities differs, in words.
std::string difference(const Json& old, const Json& now) {
  if (line_of(member(old, "version")) != line_of(member(now, "version")))
    return fmt::format("was made by crema {}, and this is {}", text_in(member(old, "version")),
                       text_in(member(now, "version")));
  if (line_of(member(old, "methods")) != line_of(member(now, "methods")))
    return fmt::format("was made with the methods {}, and now they are {}", line_of(member(old, "methods")),
                       line_of(member(now, "methods")));
  return fmt::format("was made with other settings, {} {}, and now they are {} {}",
                     line_of(member(old, "settings")), line_of(member(old, "tables")),
                     line_of(member(now, "settings")), line_of(member(now, "tables")));
}

}  // namespace

std::string typed(const Json& value) {
  if (const auto* truth = std::get_if<bool>(&value.value())) return *truth ? "True" : "False";
  if (const auto* text = std::get_if<std::string>(&value.value())) return *text;
  std::string list;
  for (const Json& item : list_in(value)) list += (list.empty() ? "" : ",") + line_of(item);
  return list.empty() ? line_of(value) : list;
}

Json identity_of(const CohortRequest& request) {
  Json methods = Json::array();
  for (const Method* method : request.methods) methods.push_back(std::string(method->name));
  return {{"version", std::string(version())},
          {"methods", std::move(methods)},
          {"settings", settings_json(request.settings)},
          {"tables",
           {{"surfaces", request.study.surfaces},
            {"surface_tolerance", request.study.tolerance},
            {"hd95", std::string(to_string(request.study.hd95))},
            {"region", std::string(to_string(request.study.region.kind))},
            {"margin", request.study.region.margin},
            {"images", request.images},
            {"bids", request.bids},
            {"reports", request.reports}}}};
}

CohortRequest request_from(const Json& identity) {
  CohortRequest request;
  request.settings.offers_labels = true;
  std::vector<std::string> names;
  for (const Json& name : list_in(member(identity, "methods"))) names.emplace_back(text_in(name));
  request.methods = find_methods(names);
  if (const auto* given = std::get_if<Json::Object>(&member(identity, "settings").value()))
    for (const Json::Member& setting : *given) set(request.settings, setting.name, typed(setting.value));
  const Json& tables = member(identity, "tables");
  const auto on = [&](std::string_view name) { return line_of(member(tables, name)) == "true"; };
  request.study.surfaces = on("surfaces");
  request.study.tolerance = parse_not_negative(line_of(member(tables, "surface_tolerance")));
  request.study.hd95 = static_cast<Hd95>(parse_choice(text_in(member(tables, "hd95")), kHd95));
  request.study.region.kind =
      static_cast<Region::Kind>(parse_choice(text_in(member(tables, "region")), kRegions));
  request.study.region.margin = static_cast<std::int32_t>(whole_in(member(tables, "margin")));
  request.images = on("images");
  request.bids = on("bids");
  request.reports = on("reports");
  return request;
}

RunRecord read_run(const RunFolder& folder) {
  std::error_code ignored;
  if (!fs::exists(folder.settings(), ignored))
    refuse(folder.path, fmt::format("is no folder of a run: it has no run.json; name what {} made.",
                                    Sentence::command("cohort run")));
  try {
    const Json json = parse_json(read_text(folder.settings()));
    const std::string layout(text_in(member(json, "layout")));
    return {member(json, "run"), static_cast<Layout>(parse_choice(layout, kLayouts)),
            std::string(text_in(member(json, "data")))};
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", files::printable(folder.settings()), e.sentence.marked()));
  }
}

std::string run_text(const RunRecord& record) {
  const Json made{{"run", record.identity},
                  {"layout", std::string(to_string(record.layout))},
                  {"data", record.root.string()}};
  return made.text() + "\n";
}

void check_folder(const RunFolder& folder, const Json& identity, bool replace) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder.path, failed);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse(folder.path, "is a file, but a folder is needed; name another.");
  if (!fs::exists(folder.settings(), failed)) {
    // A lock and unfinished work are what a run that was killed at once has left.
    for (const auto& entry : fs::directory_iterator(folder.path, failed))
      if (!entry.path().filename().string().starts_with('.'))
        refuse(folder.path, "is not empty and not of a run; name another folder.");
    return;
  }
  const Json old = read_run(folder).identity;
  if (!replace && line_of(old) != line_of(identity))
    refuse(folder.path,
           fmt::format("{}; {}{}.", difference(old, identity), kFix, Sentence::setting("force", "True")));
}

}  // namespace crema::cohort
