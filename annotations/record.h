// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotations/formats/tool.h"

namespace crema::annotations {

/// What a case of an imported cohort shows: a picture, or one object in a box of it.
struct CaseRecord {
  std::string name;
  std::size_t picture = 0;
  std::optional<std::size_t> category = {};  ///< of a mask; none: segments bear the names of theirs
  std::int32_t left = 0, top = 0;            ///< of the box
};

/// What the export of a consensus has to know of the import, beside the masks.
struct Record {
  const Tool* tool = nullptr;
  std::vector<Picture> pictures;
  std::vector<Category> categories;
  std::vector<CaseRecord> cases;
};

inline constexpr std::string_view kRecordFile = "annotations.json";

std::string record_text(const Record& record);

/// Reads it back from the folder of an import. Throws InputError where there is none, or where it was changed
/// into something else.
Record read_record(const std::filesystem::path& folder);

}  // namespace crema::annotations
