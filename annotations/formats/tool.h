// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "annotations/collector.h"
#include "annotations/formats/xml.h"
#include "crema/base/json.h"

namespace crema::annotations {

/// A file that a tool has exported.
struct Document {
  std::filesystem::path path;
  std::string rater;  ///< who drew it, where one file is one annotator's
  std::variant<Json, XmlElement> content;
};

/// An object on which annotators agree.
struct FusedObject {
  std::size_t picture = 0, category = 0;
  Runs mask;  ///< along rows, in the box that its pixels span
};

/// A consensus, to be written as a tool imports it.
struct Consensus {
  std::vector<Picture> pictures;
  std::vector<Category> categories;
  std::vector<FusedObject> objects;  ///< in the order of their pictures
  std::string description;           ///< who made it, and by which method
};

/// The same mask on all of its picture.
Patch on_picture(const Patch& mask, Extent picture);

/// What a tool's files are, one row each.
struct Tool {
  std::string_view name;   ///< as people type it
  std::string_view title;  ///< as its makers write it
  std::string_view ending;
  bool (*recognises)(const Document& document);
  void (*read)(const Document& document, Collector& all);
  std::string (*write)(const Consensus& consensus);
};

std::span<const Tool> tools();

/// "coco|cvat|label-studio"
inline constexpr std::string_view kTools = "coco|cvat|label-studio";

/// The tool of that name; none: nullptr.
const Tool* find_tool(std::string_view name);

/// What annotators exported from one tool.
struct Export {
  const Tool* tool = nullptr;
  Dataset dataset;
};

/// What a sentence about several files calls them: the first, and how many more.
std::string together(const std::vector<std::filesystem::path>& paths);

/// Reads all files; warns of one that is named twice. Throws InputError, naming the file, for what is not of
/// a known tool or of another one than the first; ResourceError where reading would take more than
/// `max_memory` bytes.
Export read_exports(const std::vector<std::filesystem::path>& paths, std::int64_t max_memory);

}  // namespace crema::annotations
