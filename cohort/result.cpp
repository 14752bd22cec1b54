// SPDX-License-Identifier: Apache-2.0
#include "cohort/result.h"

#include <algorithm>

#include "cohort/manifest.h"
#include "crema/error.h"
#include "files/io/checksum.h"
#include "files/plan.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

Json checksum_or_null(const fs::path& path) {
  try {
    return files::sha256_of(path);
  } catch (const Error&) {
    return nullptr;
  }
}

Json to_json(const Cell& cell) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Undefined>)
          return nullptr;
        else
          return held;
      },
      cell.content());
}

/// One row on each line, the names of the columns first.
void add_table(std::string& text, const Table& table) {
  text += "      " + line_of(Json(table.columns));
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(to_json(cell));
    text += ",\n      " + line_of(cells);
  }
}

}  // namespace

Json inputs_of(const Cohort& cohort, const CohortCase& one, const Settings& settings) {
  Json inputs = Json::array();
  const auto add = [&](const std::string& rater, const std::string& told, const fs::path& path) {
    std::vector<fs::path> parts = files::parts_of(path);
    if (parts.empty()) parts.push_back(path);
    for (const fs::path& part : parts) {
      const std::string name =
          part == path ? told : (fs::path(told).parent_path() / part.filename()).string();
      inputs.push_back({{"rater", rater}, {"path", name}, {"sha256", checksum_or_null(part)}});
    }
  };
  for (const RaterFile& file : one.raters) add(file.rater, file.path, path_of(cohort, file));
  for (const std::string& path : {settings.region_file, settings.like})
    if (!path.empty()) add("", path, path);
  return inputs;
}

std::string result_text(const std::string& name, const Json& identity, const Json& inputs,
                        const std::vector<files::StagedSet::Fact>& outputs, const RunFolder& folder,
                        const std::vector<std::string>& warnings, const CaseTables& tables) {
  Json images = Json::array();
  for (const auto& output : outputs)
    images.push_back({{"path", output.path.lexically_relative(folder.path).string()},
                      {"bytes", output.bytes},
                      {"sha256", output.sha256}});
  const Json head{{"case", name},
                  {"run", identity},
                  {"inputs", inputs},
                  {"outputs", std::move(images)},
                  {"warnings", warnings}};
  std::string text = head.text();
  text.erase(text.size() - 2);  // the closing brace, to go on
  text += ",\n  \"tables\": {";
  for (std::size_t t = 0; t < kTables.size(); ++t) {
    if (tables[t].columns.empty()) continue;
    text += t == 0 ? "\n    \"" : ",\n    \"";
    text += std::string(kTables[t]) + "\": [\n";
    add_table(text, tables[t]);
    text += "\n    ]";
  }
  return text + "\n  }\n}\n";
}

std::string failure_text(const std::string& name, const Json& identity, const Json& inputs,
                         const CaseFailure& failure) {
  const Json made{{"case", name},
                  {"run", identity},
                  {"inputs", inputs},
                  {"class", failure.kind},
                  {"transient", failure.transient()},
                  {"message", failure.message}};
  return made.text() + "\n";
}

CaseState read_case(const RunFolder& folder, const std::string& name) {
  using enum CaseState::Kind;
  const auto read = [&](const fs::path& path, CaseState::Kind kind) -> CaseState {
    try {
      Json json = parse_json(read_text(path));
      if (text_in(member(json, "case")) == valid_utf8(name)) return {kind, std::move(json)};
    } catch (const InputError&) {  // cut short
    } catch (const FileError&) {   // not there
    }
    return {};
  };
  CaseState state = read(folder.result(name), done);
  return state.kind == missing ? read(folder.failure(name), failed) : std::move(state);
}

CaseFailure failure_in(const Json& json) {
  return {std::string(text_in(member(json, "class"))), std::string(text_in(member(json, "message")))};
}

bool fits(const Json& json, const Json& identity, const Json& inputs, const RunFolder& folder) {
  if (line_of(member(json, "run")) != line_of(identity) || line_of(member(json, "inputs")) != line_of(inputs))
    return false;
  const Json::Array& outputs = list_in(member(json, "outputs"));
  return std::all_of(outputs.begin(), outputs.end(), [&](const Json& output) {
    return line_of(member(output, "sha256")) ==
           line_of(checksum_or_null(folder.path / text_in(member(output, "path"))));
  });
}

}  // namespace crema::cohort
