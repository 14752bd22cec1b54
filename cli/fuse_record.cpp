// SPDX-License-Identifier: Apache-2.0
#include "cli/fuse_record.h"

#include <nlohmann/json.hpp>

#include "crema/agreement/record.h"

namespace crema::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The record with one more field after `before`.
Json with_field(const Json& record, const std::string& before, const std::string& name, const Json& value) {
  Json extended;
  for (const auto& [key, field] : record.items()) {
    extended[key] = field;
    if (key == before) extended[name] = value;
  }
  return extended;
}

Json record_of(const Session& session, const std::vector<std::string>& files, const Shared& shared,
               const Reduction& reduction, const Outcome& outcome) {
  Record record;
  record.command = session.arguments;
  record.files = files;
  record.warnings = session.warnings;
  record.output = outcome.image.string();
  record.seconds = shared.reading + shared.counting + outcome.seconds;
  record.weight_search = outcome.search;
  Json json = Json::parse(to_json(record, reduction, outcome.solution, outcome.options));
  return outcome.threshold ? with_field(json, "output", "threshold_output", *outcome.threshold) : json;
}

}  // namespace

std::string record_text(const Session& session, const std::vector<std::string>& files, const Shared& shared,
                        const Reduction& reduction, const std::vector<Outcome>& outcomes) {
  Json json;
  if (outcomes.size() == 1) {
    json = record_of(session, files, shared, reduction, outcomes.front());
  } else {
    json["crema"] = version();
    json["command"] = session.arguments;
    json["results"] = Json::array();
    for (const Outcome& outcome : outcomes)
      json["results"].push_back(record_of(session, files, shared, reduction, outcome));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crema::cli
