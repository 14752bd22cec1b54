// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/bids.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "crema/base/json.h"
#include "crema/base/text.h"
#include "crema/base/version.h"
#include "files/format.h"

namespace crema::cohort {
namespace {

// The order in which BIDS 1.10 wants them.
constexpr auto kOrder = std::to_array<std::string_view>(
    {"sub",   "ses",   "sample",    "task",  "tracksys", "acq",  "nuc", "voi",   "ce",   "trc",  "stain",
     "rec",   "dir",   "run",       "mod",   "echo",     "flip", "inv", "mt",    "part", "proc", "hemi",
     "space", "split", "recording", "chunk", "seg",      "res",  "den", "label", "from", "to",   "mode"});

bool is_label(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+';
  });
}

}  // namespace

std::optional<BidsName> parse_bids(const std::string& file) {
  const std::string stem = files::without_ending(std::filesystem::path(file).filename().string());
  std::vector<std::string> parts = split(stem, '_');
  BidsName name;
  name.suffix = parts.back();
  parts.pop_back();
  for (const std::string& part : parts) {
    const std::size_t dash = part.find('-');
    if (dash == std::string::npos) return std::nullopt;
    const std::string key = part.substr(0, dash), value = part.substr(dash + 1);
    if (!is_label(key) || !is_label(value) || !name.entities.emplace(key, value).second) return std::nullopt;
  }
  if (!name.entities.contains("sub") || !is_label(name.suffix)) return std::nullopt;
  return name;
}

std::string bids_case(const BidsName& name) {
  std::string text;
  const auto add = [&](const std::string& key, const std::string& value) {
    text += (text.empty() ? "" : "_") + key + "-" + value;
  };
  for (const std::string_view key : kOrder)
    if (const auto found = name.entities.find(std::string(key)); found != name.entities.end())
      add(found->first, found->second);
  for (const auto& [key, value] : name.entities)
    if (key != "desc" && std::find(kOrder.begin(), kOrder.end(), key) == kOrder.end()) add(key, value);
  return text;
}

std::vector<Entry> bids_entries(const std::vector<std::string>& files, std::size_t& left_out) {
  std::vector<Entry> entries;
  for (const std::string& file : files) {
    const std::optional<BidsName> name = parse_bids(file);
    if (!name || (name->suffix != "mask" && name->suffix != "dseg")) continue;
    const auto rater = name->entities.find("desc");
    if (rater == name->entities.end())
      ++left_out;
    else
      entries.push_back({bids_case(*name), rater->second, file, 0});
  }
  return entries;
}

std::string bids_folder(const std::string& path) {
  std::filesystem::path folder;
  bool inside = false;
  for (const std::filesystem::path& part : std::filesystem::path(path).parent_path()) {
    inside = inside || part.string().starts_with("sub-");
    if (inside) folder /= part;
  }
  return folder.string();
}

std::string bids_result(const std::string& name, std::string_view method, BidsKind kind) {
  std::string label = "crema";
  for (const char c : method)
    if (c != '-') label += c;
  constexpr std::array<std::string_view, 3> suffixes{"_mask", "_dseg", "_probseg"};
  return name + "_desc-" + label + std::string(suffixes[static_cast<std::size_t>(kind)]);
}

std::string bids_description() {
  Json makers = Json::array();
  makers.push_back({{"Name", "crema"}, {"Version", std::string(version())}});
  const Json result{{"Name", "Consensus of raters' masks"},
                    {"BIDSVersion", "1.8.0"},
                    {"DatasetType", "derivative"},
                    {"GeneratedBy", std::move(makers)}};
  return result.text() + "\n";
}

std::string bids_ignore() {
  return "cases\nplan\nparts\n*.csv\ncohort.html\nengine-*.html\nrun.json\nschema.json\nmanifest.tsv\nsubmit*"
         "\nlogs\n";
}

}  // namespace crema::cohort
