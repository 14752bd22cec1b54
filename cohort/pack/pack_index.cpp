// SPDX-License-Identifier: Apache-2.0
#include "cohort/pack/pack_index.h"

#include <algorithm>

#include "cohort/run/result.h"
#include "files/io/system/regular.h"

namespace crema::cohort {
namespace {

bool is_plain(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

std::optional<PackedFile> file_in(const Json& json) {
  const Json::Array& fields = list_in(json);
  if (fields.size() != 5) return std::nullopt;
  PackedFile file{std::string(text_in(fields[0])), whole_in(fields[1]), whole_in(fields[2]),
                  whole_in(fields[3]), std::string(text_in(fields[4]))};
  return is_plain(file.name) && file.offset >= 0 && file.bytes >= 0 ? std::optional(std::move(file))
                                                                    : std::nullopt;
}

}  // namespace

std::string index_text(const std::vector<PackedCase>& cases) {
  std::string text = "{\n  \"cases\": [";
  for (const PackedCase& one : cases) {
    Json files = Json::array();
    for (const PackedFile& file : one.files)
      files.push_back(Json(Json::Array{file.name, file.offset, file.bytes, file.modified, file.sha256}));
    text += (&one == cases.data() ? "\n    " : ",\n    ") +
            line_of(Json(Json::Array{one.name, std::move(files)}));
  }
  return sealed(text + "\n  ]\n}\n");
}

std::optional<std::vector<PackedCase>> index_in(std::string_view text) {
  const std::optional<Json> json = unsealed(text);
  if (!json) return std::nullopt;
  std::vector<PackedCase> cases;
  for (const Json& one : list_in(member(*json, "cases"))) {
    const Json::Array& fields = list_in(one);
    if (fields.size() != 2 || list_in(fields[1]).empty()) return std::nullopt;
    PackedCase& own = cases.emplace_back(PackedCase{std::string(text_in(fields[0])), {}});
    for (const Json& listed : list_in(fields[1])) {
      std::optional<PackedFile> file = file_in(listed);
      if (!file) return std::nullopt;
      own.files.push_back(std::move(*file));
    }
  }
  return cases;
}

std::optional<std::vector<PackedCase>> read_index(const std::filesystem::path& path,
                                                  const std::string& name) {
  try {
    const std::string text = files::read_text(path);
    if (!name.empty() && text.find("[" + line_of(Json(name)) + ",") == std::string::npos) return std::nullopt;
    return index_in(text);
  } catch (const InputError&) {
  } catch (const FileError&) {  // not there
  }
  return std::nullopt;
}

}  // namespace crema::cohort
