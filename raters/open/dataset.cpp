// SPDX-License-Identifier: Apache-2.0
// nnU-Net's dataset.json: {"labels": {"background": 0, "liver": 1, "tumour": [1, 2]}, "regions_class_order":
// [1, 2]}.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/json_parse.h"
#include "crema/base/text.h"
#include "files/files.h"
#include "files/io/system/regular.h"
#include "raters/open/classes.h"

namespace crema::raters {
namespace {

/// What is left out of training has no channel.
constexpr std::string_view kIgnored = "ignore";

/// A label, or nothing where it is none.
std::optional<Label> label_of(const Json& json) {
  std::int64_t value = -1;
  if (const auto* const number = std::get_if<std::int64_t>(&json.value())) value = *number;
  if (const auto* const number = std::get_if<std::uint64_t>(&json.value()))
    value = static_cast<std::int64_t>(std::min<std::uint64_t>(*number, 1U << 20));
  if (value < 0 || value > 65535) return {};
  return static_cast<Label>(value);
}

/// One label, or several of a region.
std::optional<std::vector<Label>> labels_of(const Json& json) {
  const auto* const list = std::get_if<Json::Array>(&json.value());
  std::vector<Label> labels;
  for (const Json& one : list != nullptr ? *list : Json::Array{json}) {
    const std::optional<Label> label = label_of(one);
    if (!label) return {};
    labels.push_back(*label);
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

/// Regions in the order of their channels and as what they are written; labels by their number.
bool complete(const Json& json, DatasetLabels& dataset) {
  if (!dataset.regions) {
    std::stable_sort(dataset.classes.begin(), dataset.classes.end(),
                     [](const NamedLabels& a, const NamedLabels& b) { return a.labels < b.labels; });
    return true;
  }
  const Json::Array& order = list_in(member(json, "regions_class_order"));
  if (order.empty()) return true;
  for (const Json& one : order) {
    const std::optional<Label> value = label_of(one);
    if (!value || *value == 0) return false;
    dataset.values.push_back(*value);
  }
  const std::set<Label> distinct(dataset.values.begin(), dataset.values.end());
  return distinct.size() == order.size() && order.size() == dataset.classes.size();
}

/// Throws InputError where two names are of one label: nothing says which of them it has.
void check_names(const DatasetLabels& dataset) {
  for (std::size_t i = 1; !dataset.regions && i < dataset.classes.size(); ++i)
    if (dataset.classes[i].labels == dataset.classes[i - 1].labels)
      throw InputError(
          fmt::format("{}: the classes {} and {} have the same label {}; correct it, or move the file away.",
                      files::printable(dataset.path), printable(dataset.classes[i - 1].name),
                      printable(dataset.classes[i].name), dataset.classes[i].labels.front()));
}

void check_regions(const DatasetLabels& dataset) {
  if (!dataset.regions) return;
  try {
    check_nesting(dataset.classes);
  } catch (const UsageError& e) {
    throw InputError(e.sentence.text());
  }
}

std::optional<DatasetLabels> dataset_of(const Json& json, const std::filesystem::path& path) {
  const auto* const object = std::get_if<Json::Object>(&member(json, "labels").value());
  if (object == nullptr) return {};
  DatasetLabels dataset{.path = path, .classes = {}, .values = {}};
  for (const auto& [name, value] : *object) {
    const std::optional<std::vector<Label>> own = labels_of(value);
    if (!own || own->empty()) return {};  // the first nnU-Net named labels the other way round
    if (*own == std::vector<Label>{0} || name == kIgnored) continue;
    dataset.regions = dataset.regions || own->size() > 1;
    dataset.classes.push_back({name, *own});
  }
  if (!complete(json, dataset))
    throw InputError(
        fmt::format("{}: regions_class_order does not give one label for each region; correct it, "
                    "or give {} and move the file away.",
                    files::printable(path), Sentence::setting("regions")));
  check_names(dataset);
  check_regions(dataset);
  return dataset;
}

}  // namespace

std::optional<DatasetLabels> read_dataset(const std::filesystem::path& rater) {
  const std::filesystem::path path = rater.parent_path() / "dataset.json";
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return {};
  try {
    return dataset_of(parse_json(files::read_text(path)), path);
  } catch (const InputError& e) {
    const std::string text = e.sentence.text();
    if (text.starts_with(files::printable(path))) throw;
    throw InputError(fmt::format("{}: {}", files::printable(path), text));
  }
}

}  // namespace crema::raters
