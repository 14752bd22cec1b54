// SPDX-License-Identifier: Apache-2.0
#include "files/parts.h"

#include <algorithm>

#include "crema/base/error.h"
#include "files/format.h"
#include "files/io/source.h"
#include "files/io/system/held.h"

namespace crema::files {

std::vector<std::filesystem::path> parts_of_file(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> parts;
  const auto add = [&](const std::vector<std::filesystem::path>& more) {
    for (const std::filesystem::path& part : more)
      if (is_there(part) && std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  };
  const bool there = is_there(path);
  if (there) parts.push_back(path);
  if (const FormatRow* const row = row_by_ending(path); row != nullptr && row->sources == nullptr)
    add(row->parts(path));
  // Formats go by content: a header under any name may name a data file.
  if (there) {
    try {
      if (const FormatRow& row = find_format(Source(path)); row.sources != nullptr) add(row.sources(path));
    } catch (const Error&) {  // not an image, or damaged; reading it will say so
    }
  }
  return parts;
}

}  // namespace crema::files
