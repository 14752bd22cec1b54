// SPDX-License-Identifier: Apache-2.0
#include "annotations/record.h"

#include <fmt/format.h>

#include "annotations/formats/fields.h"
#include "crema/base/error.h"
#include "crema/base/version.h"
#include "files/files.h"
#include "files/io/system/regular.h"

namespace crema::annotations {
namespace {

namespace fs = std::filesystem;

Json picture_json(const Picture& one) {
  Json result{
      {"file", one.file}, {"id", one.id.value_or(0)}, {"width", one.size.width}, {"height", one.size.height}};
  if (!one.field.empty()) result["field"] = one.field;
  if (!one.from.empty()) result["from_name"] = one.from;
  if (!one.to.empty()) result["to_name"] = one.to;
  if (one.polygons) result["polygons"] = true;
  return result;
}

Picture picture_in(const Json& json) {
  const auto optional = [&](std::string_view name) { return std::string(text_in(member(json, name))); };
  return {std::string(text(json, "file")),
          {static_cast<std::int32_t>(whole(json, "width", 0, kMaxSide)),
           static_cast<std::int32_t>(whole(json, "height", 0, kMaxSide))},
          id_of(json, "id"),
          optional("field"),
          optional("from_name"),
          optional("to_name"),
          is_true(json, "polygons")};
}

std::size_t place_in(const Json& json, std::string_view name, std::size_t count) {
  return static_cast<std::size_t>(whole(json, name, 0, static_cast<std::int64_t>(count) - 1));
}

CaseRecord case_in(const Json& json, const Record& record) {
  CaseRecord one{std::string(text(json, "case")), place_in(json, "picture", record.pictures.size())};
  if (std::holds_alternative<std::int64_t>(member(json, "category").value()))
    one.category = place_in(json, "category", record.categories.size());
  one.left = static_cast<std::int32_t>(whole(json, "left", 0, kMaxSide));
  one.top = static_cast<std::int32_t>(whole(json, "top", 0, kMaxSide));
  return one;
}

template <class F>
void each_in(const Json& json, std::string_view name, F take) {
  const Json::Array& all = list(json, name);
  for (std::size_t i = 0; i < all.size(); ++i) at(name, i, [&] { take(all[i]); });
}

Record record_in(const Json& json) {
  Record record{find_tool(text(json, "tool")), {}, {}, {}};
  if (record.tool == nullptr)
    throw InputError(
        fmt::format("the tool is {}, which is not known; import the annotations again.", text(json, "tool")));
  std::unordered_set<std::int64_t> picture_ids, category_ids;
  each_in(json, "pictures", [&](const Json& one) {
    check_id(id_of(one, "id"), picture_ids);
    record.pictures.push_back(picture_in(one));
  });
  each_in(json, "categories", [&](const Json& one) {
    check_id(id_of(one, "id"), category_ids);
    record.categories.push_back({std::string(text(one, "name")), id_of(one, "id"),
                                 std::string(text_in(member(one, "colour"))),
                                 std::string(text_in(member(one, "supercategory")))});
  });
  each_in(json, "cases", [&](const Json& one) { record.cases.push_back(case_in(one, record)); });
  return record;
}

}  // namespace

std::string record_text(const Record& record) {
  Json json{{"crema", std::string(version())}, {"tool", std::string(record.tool->name)}};
  json["pictures"] = Json::array();
  json["categories"] = Json::array();
  json["cases"] = Json::array();
  for (const Picture& one : record.pictures) json["pictures"].push_back(picture_json(one));
  for (const Category& one : record.categories)
    json["categories"].push_back({{"name", one.name},
                                  {"id", one.id.value_or(0)},
                                  {"colour", one.colour},
                                  {"supercategory", one.group}});
  for (const CaseRecord& one : record.cases)
    json["cases"].push_back({{"case", one.name},
                             {"picture", one.picture},
                             {"category", one.category ? Json(*one.category) : Json()},
                             {"left", one.left},
                             {"top", one.top}});
  return json.text() + "\n";
}

Record read_record(const fs::path& folder) {
  const fs::path path = folder / kRecordFile;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw InputError(fmt::format("{}: has no {}; name the folder that {} wrote.", files::printable(folder),
                                 kRecordFile, Sentence::command("import")));
  const std::string text = files::read_text(path);
  try {
    return record_in(parse_json(text));
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", files::printable(path), e.sentence.marked()));
  }
}

}  // namespace crema::annotations
