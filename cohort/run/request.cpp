// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/request.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/base/version.h"
#include "crema/records/record_parts.h"
#include "crema/tables/setting_values.h"
#include "files/files.h"
#include "files/io/checksum.h"
#include "files/io/system/regular.h"
#include "files/plan.h"
#include "raters/open/segments.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// Settings that change how fast a result comes, not which.
bool matters(const Setting& setting) { return setting.group != "Limits" && setting.name != "provenance"; }

Json settings_json(const Settings& settings) {
  Json result = Json::object();
  for (const Setting& setting : crema::settings()) {
    if (!was_given(settings, setting.name) || !matters(setting)) continue;
    const bool searched = setting.name == "weights" && settings.search_weights;
    result[setting.name] = searched ? Json("auto") : value_of(setting.get(settings));
  }
  return result;
}

[[noreturn]] void refuse_folder(const fs::path& path, const std::string& what) {
  throw UsageError(fmt::format("{}: {}", files::printable(path), what));
}

constexpr std::string_view kFix = "name another folder for the results, or let all cases be done again with ";

/// Values as people read them: "only *_seg.nii.gz; except old_*, tmp_*" rather than braces and quotes.
std::string in_words(const Json& value) {
  if (const auto* text = std::get_if<std::string>(&value.value())) return files::printable(*text);
  std::string words;
  if (const auto* list = std::get_if<Json::Array>(&value.value())) {
    for (const Json& item : *list) words += (words.empty() ? "" : ", ") + in_words(item);
    return words;
  }
  const auto* members = std::get_if<Json::Object>(&value.value());
  if (members == nullptr) return line_of(value);
  for (const Json::Member& member : *members)
    words += (words.empty() ? "" : "; ") + member.name + " " + in_words(member.value);
  return words.empty() ? "none" : words;
}

/// Which part of two identities differs, in words.
std::string difference(const Json& old, const Json& now) {
  if (line_of(member(old, "version")) != line_of(member(now, "version")))
    return fmt::format("was written by crema {}, and this is {}", text_in(member(old, "version")),
                       text_in(member(now, "version")));
  if (line_of(member(old, "methods")) != line_of(member(now, "methods")))
    return fmt::format("was run with the methods {}, and now they are {}", in_words(member(old, "methods")),
                       in_words(member(now, "methods")));
  if (line_of(member(old, "settings")) == line_of(member(now, "settings")) &&
      line_of(member(old, "files")) != line_of(member(now, "files")))
    return "was run with files, named by its settings, that have another content now";
  const std::string_view part =
      line_of(member(old, "settings")) == line_of(member(now, "settings")) ? "tables" : "settings";
  return fmt::format("was run with other settings ({}), and now they are: {}", in_words(member(old, part)),
                     in_words(member(now, part)));
}

/// What was taken of the data before, and now.
std::string other_data(const Json& old, const Json& now) {
  if (line_of(member(old, "location")) != line_of(member(now, "location")))
    return fmt::format("was computed from the data in {}, and now they are in {}",
                       text_in(member(old, "location")), text_in(member(now, "location")));
  return fmt::format("was computed from other files of the data ({}), and now they are: {}", in_words(old),
                     in_words(now));
}

/// Files that settings name, by the names of these.
std::vector<std::pair<std::string, std::string*>> files_of(Settings& settings) {
  std::vector<std::pair<std::string, std::string*>> named;
  if (!settings.region_file.empty()) named.emplace_back("roi", &settings.region_file);
  if (!settings.like.empty()) named.emplace_back("like", &settings.like);
  if (!settings.palette.empty()) named.emplace_back("palette", &settings.palette);
  return named;
}

/// Of a file and what its header names.
Json checksums_of(const fs::path& path) {
  Json sums = Json::array();
  std::vector<fs::path> parts = files::parts_of(path);
  if (parts.empty()) files::read_header(path);  // for its refusal
  for (const fs::path& part : parts) sums.push_back(files::sha256_of(part));
  return sums;
}

}  // namespace

std::vector<std::string> setting_files(const Settings& settings, const std::string& case_name) {
  std::vector<std::string> files;
  for (const std::string& path : named_files(settings))
    files.push_back(raters::split_input(for_case(path, case_name)).file.string());
  return files;
}

std::vector<std::string> setting_files(const Settings& settings) {
  std::vector<std::string> files;
  for (const std::string& path : named_files(settings))
    if (!is_of_each_case(path)) files.push_back(raters::split_input(path).file.string());
  return files;
}

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
  Json identity{
      {"version", std::string(version())},
      {"methods", std::move(methods)},
      {"settings", settings_json(request.settings)},
      {"tables", {{"images", request.images}, {"bids", request.bids}, {"reports", request.reports}}}};
  if (request.missing == Missing::empty) identity["tables"]["missing"] = "empty";
  if (line_of(request.files) != "null") identity["files"] = request.files;
  return identity;
}

std::vector<std::string> empty_raters(const CohortRequest& request, const Cohort& cohort,
                                      const CohortCase& one) {
  return request.missing == Missing::empty ? missing_raters(cohort, one) : std::vector<std::string>();
}

void check_missing(const CohortRequest& request) {
  if (request.missing == Missing::empty && request.settings.segments_are_raters)
    throw UsageError(fmt::format("{} and {} exclude each other; give one of them.",
                                 Sentence::setting("missing", "empty"),
                                 Sentence::setting("segments_are", "raters")));
}

void pin_files(CohortRequest& request) {
  request.files = Json();
  Json pinned = Json::object();
  for (const auto& [name, path] : files_of(request.settings)) {
    *path = fs::absolute(*path).lexically_normal().string();
    if (is_of_each_case(*path)) continue;
    pinned[name] = checksums_of(raters::split_input(*path).file);
    request.files = pinned;
  }
}

void check_files(const CohortRequest& request) {
  CohortRequest now = request;
  pin_files(now);
  for (const auto& [name, path] : files_of(now.settings))
    if (line_of(member(now.files, name)) != line_of(member(request.files, name)))
      throw InputError(
          fmt::format("{}: has another content than when the run was planned; bring the old file back, "
                      "or plan the run again with {}.",
                      files::printable(*path), Sentence::setting("force", "True")));
}

Json data_set_of(const Cohort& cohort, const Where& where) {
  Json result{{"location", printable(cohort.location)}, {"layout", std::string(to_string(cohort.layout))}};
  if (!where.only.empty()) result["only"] = where.only;
  if (!where.except.empty()) result["except"] = Json(where.except);
  if (!where.image.empty()) result["image"] = where.image;
  return result;
}

CohortRequest request_from(const Json& identity) {
  CohortRequest request;
  request.settings.measured = true;
  std::vector<std::string> names;
  for (const Json& name : list_in(member(identity, "methods"))) names.emplace_back(text_in(name));
  request.methods = find_methods(names);
  if (const auto* given = std::get_if<Json::Object>(&member(identity, "settings").value()))
    for (const Json::Member& setting : *given) set(request.settings, setting.name, typed(setting.value));
  const Json& tables = member(identity, "tables");
  const auto on = [&](std::string_view name) { return line_of(member(tables, name)) == "true"; };
  request.images = on("images");
  request.bids = on("bids");
  request.reports = on("reports");
  if (text_in(member(tables, "missing")) == "empty") request.missing = Missing::empty;
  request.files = member(identity, "files");
  return request;
}

RunRecord read_run(const RunFolder& folder) {
  std::error_code ignored;
  if (!fs::exists(folder.settings(), ignored))
    refuse_folder(folder.path,
                  fmt::format("is not the folder of a run: it has no run.json; name the output of {}.",
                              Sentence::command("cohort run")));
  const std::string text = files::read_text(folder.settings());
  try {
    const Json json = parse_json(text);
    const std::string layout(text_in(member(json, "layout")));
    return {member(json, "run"),
            static_cast<Layout>(parse_choice(layout, kLayouts)),
            std::string(text_in(member(json, "data"))),
            member(json, "data_set"),
            static_cast<int>(std::clamp<std::int64_t>(whole_in(member(json, "fan_out")), 0, 2)),
            line_of(member(json, "persons")) == "true"};
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", files::printable(folder.settings()), e.sentence.marked()));
  }
}

std::string run_text(const RunRecord& record) {
  Json result{{"run", record.identity},
              {"layout", std::string(to_string(record.layout))},
              {"data", record.root.string()},
              {"data_set", record.data_set}};
  if (record.fan_out > 0) result["fan_out"] = record.fan_out;
  if (record.persons) result["persons"] = true;
  return result.text() + "\n";
}

void check_folder(const RunFolder& folder, const RunRecord& record, bool replace) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder.path, failed);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status))
    refuse_folder(folder.path, "is a file, but a folder is needed; name another.");
  if (!fs::exists(folder.settings(), failed)) {
    // A lock and unfinished work are what a run that was killed at once has left.
    for (const auto& entry : fs::directory_iterator(folder.path, failed))
      if (!entry.path().filename().string().starts_with('.'))
        refuse_folder(folder.path, "is not empty and not of a run; name another folder.");
    return;
  }
  const RunRecord old = read_run(folder);
  if (replace) return;
  std::string reported;
  if (line_of(old.data_set) != line_of(record.data_set)) reported = other_data(old.data_set, record.data_set);
  if (line_of(old.identity) != line_of(record.identity)) reported = difference(old.identity, record.identity);
  if (!reported.empty())
    refuse_folder(folder.path, fmt::format("{}; {}{}.", reported, kFix, Sentence::setting("force", "True")));
}

}  // namespace crema::cohort
