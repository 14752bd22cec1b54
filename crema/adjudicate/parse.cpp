// SPDX-License-Identifier: Apache-2.0
// The reader of decisions, which trusts nothing.
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "crema/adjudicate/decisions.h"
#include "crema/base/error.h"
#include "crema/base/json_parse.h"
#include "crema/base/text.h"
#include "crema/counts/tally.h"

namespace crema {
namespace {

constexpr std::size_t kMaxText = 10'000, kMaxVerdicts = 1'000'000, kMaxInputs = 4 * kMaxRaters;
/// Voxels that all strokes of a file may pass over together: minutes of painting, seconds to apply.
constexpr std::int64_t kMaxPainted = 1'000'000'000;

/// An object whose members are read by name, each of its type; what nobody requested is refused.
class Members {
 public:
  Members(const Json& json, std::string where) : where_(std::move(where)) {
    const auto* object = std::get_if<Json::Object>(&json.value());
    if (object == nullptr) refuse("is not an object");
    object_ = object;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}{}; it was not written by crema, or changed since", where_, what));
  }

  [[nodiscard]] const Json* find(std::string_view name) {
    known_.insert(std::string(name));
    for (const Json::Member& member : *object_)
      if (member.name == name) return &member.value;
    return nullptr;
  }

  [[nodiscard]] const Json& need(std::string_view name) {
    if (const Json* found = find(name)) return *found;
    refuse(fmt::format("has no \"{}\"", name));
  }

  [[nodiscard]] std::string text(const Json& json, std::string_view name) const {
    const auto* text = std::get_if<std::string>(&json.value());
    if (text == nullptr) refuse(fmt::format("\"{}\" is not a string", name));
    if (text->size() > kMaxText)
      refuse(fmt::format("\"{}\" has {} bytes, but {} are allowed", name, text->size(), kMaxText));
    return *text;
  }

  [[nodiscard]] std::string need_text(std::string_view name) { return text(need(name), name); }
  [[nodiscard]] std::string text_or_none(std::string_view name) {
    const Json* found = find(name);
    return found == nullptr ? std::string() : text(*found, name);
  }

  [[nodiscard]] std::int64_t whole(const Json& json, std::string_view name, std::int64_t low,
                                   std::int64_t high) const {
    std::int64_t number = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&json.value()))
      number = *whole;
    else if (const auto* large = std::get_if<std::uint64_t>(&json.value());
             large != nullptr && *large <= std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      number = static_cast<std::int64_t>(*large);
    else
      refuse(fmt::format("\"{}\" is not a whole number", name));
    if (number < low || number > high)
      refuse(fmt::format("\"{}\" is {}, but must be {} to {}", name, number, low, high));
    return number;
  }

  [[nodiscard]] const Json::Array& list(std::string_view name, std::size_t most) {
    const auto* list = std::get_if<Json::Array>(&need(name).value());
    if (list == nullptr) refuse(fmt::format("\"{}\" is not a list", name));
    if (list->size() > most)
      refuse(fmt::format("\"{}\" has {} entries, but {} are allowed", name, list->size(), most));
    return *list;
  }

  /// Once all members were read.
  void close() const {
    std::set<std::string> seen;
    for (const Json::Member& member : *object_) {
      if (!known_.contains(member.name))
        refuse(fmt::format("has the unknown member \"{}\"", printable(member.name)));
      seen.insert(member.name);
    }
  }

 private:
  std::string where_;
  const Json::Object* object_ = nullptr;
  std::set<std::string> known_;
};

bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// "2026-11-15T20:47:41Z"
bool is_time(std::string_view text) {
  constexpr std::string_view pattern = "0000-00-00T00:00:00Z";
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(),
                    [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; });
}

/// As a brush writes them: one behind the other. `painted` counts the voxels of all strokes so far.
std::vector<Run> parse_runs(Members& members, std::int64_t voxels, std::int64_t& painted) {
  std::vector<Run> runs;
  std::int64_t end = 0;
  for (const Json& pair : members.list("runs", 10'000'000)) {
    const auto* two = std::get_if<Json::Array>(&pair.value());
    if (two == nullptr || two->size() != 2) members.refuse("\"runs\" holds more than pairs of numbers");
    const std::int64_t first = members.whole((*two)[0], "runs", 0, voxels - 1);
    const std::int64_t most =
        std::min<std::int64_t>(voxels - first, std::numeric_limits<std::int32_t>::max());
    if (first < end) members.refuse("\"runs\" overlap or are out of order");
    runs.push_back({first, static_cast<std::int32_t>(members.whole((*two)[1], "runs", 1, most))});
    end = first + runs.back().length;
    painted += runs.back().length;
    if (painted > kMaxPainted)
      members.refuse(fmt::format("strokes pass over more than {} voxels in all", kMaxPainted));
  }
  return runs;
}

Action parse_action(Members& members) {
  const std::string word = members.need_text("action");
  for (int a = 0; a <= static_cast<int>(Action::erase); ++a)
    if (word == to_string(static_cast<Action>(a))) return static_cast<Action>(a);
  members.refuse(
      fmt::format("\"action\" is \"{}\", but must be accept, reject, keep, rater, majority, draw "
                  "or erase",
                  printable(word.substr(0, 40))));
}

Verdict parse_verdict(const Json& json, std::size_t number, std::int64_t voxels, std::int64_t& painted) {
  Members members(json, fmt::format("decision {}: ", number + 1));
  Verdict verdict{.label = members.text_or_none("label"), .action = parse_action(members)};
  if (verdict.action == Action::draw || verdict.action == Action::erase) {
    verdict.runs = parse_runs(members, voxels, painted);
  } else {
    verdict.component =
        static_cast<std::size_t>(members.whole(members.need("component"), "component", 1, voxels) - 1);
    if (const Json* zone = members.find("zone")) verdict.zone = members.whole(*zone, "zone", 0, voxels - 1);
    if (verdict.action == Action::rater)
      verdict.rater = static_cast<int>(members.whole(members.need("rater"), "rater", 1, kMaxRaters) - 1);
  }
  verdict.reason = members.text_or_none("reason");
  verdict.time = members.text_or_none("time");
  if (!verdict.time.empty() && !is_time(verdict.time)) members.refuse("\"time\" is not a time in UTC");
  members.close();
  return verdict;
}

void parse_inputs(Members& members, Decisions& decisions) {
  std::size_t number = 0;
  for (const Json& json : members.list("inputs", kMaxInputs)) {
    Members input(json, fmt::format("input {}: ", ++number));
    decisions.inputs.push_back({input.need_text("name"), input.need_text("sha256")});
    if (!is_hash(decisions.inputs.back().sha256)) input.refuse("\"sha256\" is not 64 hexadecimal digits");
    input.close();
  }
  if (decisions.inputs.empty()) members.refuse("names no inputs");
}

void parse_settings(Members& members, Decisions& decisions) {
  const auto* settings = std::get_if<Json::Object>(&members.need("settings").value());
  if (settings == nullptr) members.refuse("\"settings\" is not an object");
  for (const Json::Member& member : *settings) {
    if (!is_kept_by_decisions(member.name))
      members.refuse(fmt::format("has the setting \"{}\", which decisions do not keep",
                                 printable(member.name.substr(0, 40))));
    decisions.settings.push_back({member.name, members.text(member.value, member.name)});
  }
}

std::int64_t parse_size(Members& members, Decisions& decisions) {
  const Json::Array& size = members.list("size", 3);
  if (size.size() != 3) members.refuse("\"size\" is not three numbers");
  std::int64_t voxels = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / voxels;
    const std::int64_t length = members.whole(
        size[a], "size", 1, std::min<std::int64_t>(most, std::numeric_limits<std::int32_t>::max()));
    decisions.size[a] = static_cast<std::int32_t>(length);
    voxels *= length;
  }
  return voxels;
}

}  // namespace

Decisions parse_decisions(std::string_view text) {
  const Json json = parse_json(text);
  Members members(json, "");
  if (members.find("decisions") == nullptr) members.refuse("is not a file of decisions");
  std::ignore = members.whole(members.need("decisions"), "decisions", 1, 1);
  Decisions decisions{.version = members.need_text("crema"),
                      .adjudicator = members.text_or_none("adjudicator"),
                      .method = members.need_text("method"),
                      .settings = {},
                      .inputs = {},
                      .list = {}};
  parse_settings(members, decisions);
  const std::int64_t voxels = parse_size(members, decisions);
  parse_inputs(members, decisions);
  std::int64_t painted = 0;
  for (const Json& verdict : members.list("list", kMaxVerdicts))
    decisions.list.push_back(parse_verdict(verdict, decisions.list.size(), voxels, painted));
  members.close();
  return decisions;
}

}  // namespace crema
