// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/result.h"

#include <algorithm>

#include <fmt/format.h>

#include "cohort/find/manifest.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/records/record_parts.h"
#include "files/io/checksum.h"
#include "files/io/system/regular.h"
#include "files/plan.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// Why a file is not there, as its reader says it.
std::string why_away(const fs::path& path, const FileError& error) {
  try {
    files::read_header(path);
  } catch (const Error& e) {
    return e.sentence.text(Spelling::program);
  }
  return error.sentence.text(Spelling::program);
}

constexpr std::string_view kSeal = ",\n  \"sha256\": \"", kEnd = "\"\n}\n";
constexpr std::size_t kDigits = 64;

std::string sum_of(std::string_view text) {
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return files::sha256_of(std::span(&bytes, 1));
}

bool is_whole(std::string_view text) {
  constexpr std::size_t tail = kSeal.size() + kDigits + kEnd.size();
  if (text.size() < tail) return false;
  const std::string_view content = text.substr(0, text.size() - tail), seal = text.substr(content.size());
  return seal.starts_with(kSeal) && seal.ends_with(kEnd) &&
         seal.substr(kSeal.size(), kDigits) == sum_of(content);
}

std::optional<Json> read_sealed_case(const fs::path& path, const std::string& name) {
  std::optional<Json> json = read_sealed(path);
  return json && text_in(member(*json, "case")) == name ? std::move(json) : std::nullopt;
}

/// What a result names as its output.
struct NamedOutput {
  fs::path path;
  std::string sha256;
};

/// Whether it may be an output of that case: a file in its folder, or under its name in BIDS.
bool is_own(const RunFolder& folder, const std::string& name, const fs::path& path) {
  return path.parent_path() == folder.of_case(name) ||
         path.filename().string().starts_with(name + "_desc-crema");
}

std::vector<NamedOutput> outputs_of(const Json& result, const RunFolder& folder, const std::string& name) {
  std::vector<NamedOutput> outputs;
  for (const Json& output : list_in(member(result, "outputs"))) {
    const std::string_view named = text_in(member(output, "path"));
    const fs::path path = inside(folder, named, folder.result(name));
    if (!is_own(folder, name, path))
      throw InputError(
          fmt::format("{}: names {}, which is not an output of this case; the file was edited. Remove "
                      "that file if the case is to be done again.",
                      files::printable(folder.result(name)), printable(named)));
    outputs.push_back({path, std::string(text_in(member(output, "sha256")))});
  }
  return outputs;
}

bool is_as_written(const NamedOutput& output) {
  try {
    return files::sha256_of(output.path) == output.sha256;
  } catch (const Error&) {
    return false;
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

std::string sealed(std::string text) {
  text.erase(text.size() - 3);  // the end of the line before the closing brace, to go on
  const std::string sum = sum_of(text);
  return text + std::string(kSeal) + sum + std::string(kEnd);
}

std::optional<Json> unsealed(std::string_view text) {
  return is_whole(text) ? std::optional(parse_json(text)) : std::nullopt;
}

std::optional<Json> read_sealed(const fs::path& path) {
  try {
    return unsealed(files::read_text(path));
  } catch (const InputError&) {  // cut short, or no file
  } catch (const FileError&) {   // not there
  }
  return std::nullopt;
}

CaseInputs inputs_of(const Cohort& cohort, const CohortCase& one, const CohortRequest& request) {
  CaseInputs inputs{Json::array(), one.unread};
  const auto add = [&](const std::string& rater, const std::string& reported, const fs::path& path) {
    std::vector<fs::path> parts = files::parts_of(path);
    if (parts.empty()) parts.push_back(path);
    for (const fs::path& part : parts) {
      // Beside the file, or in the folder that the path is.
      const fs::path folder =
          part.parent_path() == path ? fs::path(reported) : fs::path(reported).parent_path();
      const std::string name = part == path ? reported : (folder / part.filename()).string();
      Json sum;
      try {
        sum = files::sha256_of(part);
      } catch (const InputError&) {  // no regular file: reading it will say so
      } catch (const FileError& e) {
        if (inputs.away.empty()) inputs.away = why_away(path, e);
      }
      inputs.list.push_back({{"rater", rater}, {"path", name}, {"sha256", std::move(sum)}});
    }
  };
  for (const RaterFile& file : one.raters) add(file.rater, file.path, path_of(cohort, file));
  for (const std::string& rater : empty_raters(request, cohort, one))
    inputs.list.push_back({{"rater", rater}, {"path", ""}, {"sha256", nullptr}});
  for (const std::string& path : setting_files(request.settings, one.name)) add("", path, path);
  return inputs;
}

void add_thumbnail(Json& json, const Thumbnail& thumbnail) {
  if (thumbnail.png.empty()) return;
  json["thumbnail"] = thumbnail.png;
  if (!thumbnail.label.empty()) json["thumbnail_label"] = thumbnail.label;
}

std::string result_text(const CohortCase& one, const Json& identity, const Json& inputs,
                        const std::vector<files::StagedSet::Fact>& outputs, const RunFolder& folder,
                        const ResultFacts& facts) {
  Json images = Json::array();
  for (const auto& output : outputs)
    images.push_back({{"path", output.path.lexically_relative(folder.path).string()},
                      {"bytes", output.bytes},
                      {"sha256", output.sha256}});
  Json head{{"case", one.name}, {"run", identity}, {"inputs", inputs}};
  if (!one.image.empty()) head["image"] = one.image;
  head["outputs"] = std::move(images);
  add_warnings(head, facts.warnings);
  add_thumbnail(head, facts.thumbnail);
  std::string text = head.text();
  text.erase(text.size() - 2);  // the closing brace, to go on
  text += ",\n  \"tables\": {";
  for (std::size_t t = 0; t < kTables.size(); ++t) {
    if (facts.tables[t].columns.empty()) continue;
    text += t == 0 ? "\n    \"" : ",\n    \"";
    text += std::string(kTables[t]) + "\": [\n";
    add_table(text, facts.tables[t]);
    text += "\n    ]";
  }
  return sealed(text + "\n  }\n}\n");
}

std::string seal_of(std::string_view text) {
  return std::string(text.substr(text.size() - kEnd.size() - kDigits, kDigits));
}

std::vector<fs::path> output_paths(const Json& result, const RunFolder& folder) {
  std::vector<fs::path> paths;
  for (NamedOutput& output : outputs_of(result, folder, std::string(text_in(member(result, "case")))))
    paths.push_back(std::move(output.path));
  return paths;
}

std::vector<fs::path> sound_outputs(const Json& result, const RunFolder& folder) {
  std::vector<fs::path> paths;
  for (NamedOutput& output : outputs_of(result, folder, std::string(text_in(member(result, "case"))))) {
    if (!is_as_written(output))
      throw InputError(fmt::format("{}: was changed or removed since the run wrote it; run the cohort again.",
                                   files::printable(output.path)));
    paths.push_back(std::move(output.path));
  }
  return paths;
}

Warnings warnings_in(const Json& result) {
  Warnings warnings;
  const Json::Array& kinds = list_in(member(result, "warning_kinds"));
  for (const Json& text : list_in(member(result, "warnings"))) {
    const bool known = warnings.size() < kinds.size();
    warnings.emplace_back(
        std::string(text_in(text)),
        known ? kind_named(text_in(member(kinds[warnings.size()], "kind"))) : WarningKind::other);
  }
  return warnings;
}

std::string failure_text(const std::string& name, const Json& identity, const Json& inputs,
                         const CaseFailure& failure) {
  const Json built{{"case", name},
                   {"run", identity},
                   {"inputs", inputs},
                   {"class", failure.kind},
                   {"transient", failure.transient()},
                   {"message", failure.message}};
  return sealed(built.text() + "\n");
}

std::optional<Json> read_result(const RunFolder& folder, const std::string& name) {
  std::optional<Json> json = read_sealed_case(folder.result(name), name);
  if (json) outputs_of(*json, folder, name);  // for its refusal
  return json;
}

std::optional<Json> read_failure(const RunFolder& folder, const std::string& name) {
  return read_sealed_case(folder.failure(name), name);
}

CaseFailure failure_in(const Json& json) {
  return {std::string(text_in(member(json, "class"))), std::string(text_in(member(json, "message")))};
}

CaseState state_of(const RunFolder& folder, const std::string& name, const Json& identity) {
  using enum CaseState::Kind;
  const auto of_this_run = [&](const std::optional<Json>& json) {
    return json && line_of(member(*json, "run")) == line_of(identity);
  };
  CaseState state;
  if (const std::optional<Json> json = read_failure(folder, name); of_this_run(json)) {
    state.kind = failed;
    state.failure = failure_in(*json);
    if (!state.failure->away()) return state;
  }
  if (std::optional<Json> json = read_result(folder, name); of_this_run(json)) {
    state.kind = done;
    state.result = std::move(*json);
  }
  return state;
}

void remove_result(const RunFolder& folder, const std::string& name) {
  std::error_code ignored;
  const std::optional<Json> json = read_result(folder, name);
  fs::remove(folder.result(name), ignored);
  if (!json) return;
  for (const NamedOutput& output : outputs_of(*json, folder, name))
    if (is_as_written(output)) fs::remove(output.path, ignored);
}

bool fits(const Json& json, const Json& identity, const Json& inputs, const RunFolder& folder) {
  if (line_of(member(json, "run")) != line_of(identity) || line_of(member(json, "inputs")) != line_of(inputs))
    return false;
  const std::vector<NamedOutput> outputs =
      outputs_of(json, folder, std::string(text_in(member(json, "case"))));
  return std::all_of(outputs.begin(), outputs.end(), is_as_written);
}

}  // namespace crema::cohort
