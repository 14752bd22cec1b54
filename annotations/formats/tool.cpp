// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/tool.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "annotations/formats/coco.h"
#include "annotations/formats/cvat.h"
#include "annotations/formats/fields.h"
#include "annotations/formats/label_studio.h"
#include "crema/base/error.h"
#include "crema/base/json_parse.h"
#include "crema/base/memory.h"
#include "crema/base/text.h"
#include "crema/base/utf8.h"
#include "files/files.h"
#include "files/io/system/regular.h"
#include "files/numpy/zip_text.h"
#include "raters/open/names.h"

namespace crema::annotations {
namespace {

namespace fs = std::filesystem;

constexpr std::array<Tool, 3> kTable{{
    {"coco", "COCO", ".json", is_coco, read_coco, write_coco},
    {"cvat", "CVAT", ".xml", is_cvat, read_cvat, write_cvat},
    {"label-studio", "Label Studio", ".json", is_label_studio, read_label_studio, write_label_studio},
}};

[[noreturn]] void refuse_export(const fs::path& path, const std::string& what) {
  throw InputError(fmt::format("{}: {}", files::printable(path), what));
}

/// Annotators are called by their files: without endings, with folders where it takes them.
std::vector<std::string> names_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(fs::path(path).replace_extension().string());
  return raters::short_names(names, raters::Ending::drop);
}

void check_parsing(const fs::path& path, std::int64_t bytes, std::int64_t max_memory) {
  if (bytes > max_memory)
    throw ResourceError(fmt::format(
        "{}: reading it needs about {}, but {} are allowed; split the export, or "
        "allow more by {}.",
        files::printable(path), megabytes(bytes), megabytes(max_memory), Sentence::setting("max_memory")));
}

/// Of the file itself, or of the one in the archive that a tool packed it into.
std::string text_of(const fs::path& path, std::int64_t max_memory) {
  constexpr std::array<std::string_view, 2> endings{".json", ".xml"};
  if (std::optional<std::string> text = files::read_zipped_text(path, endings, max_memory))
    return std::move(*text);
  std::error_code missing;
  if (const auto size = fs::file_size(path, missing); !missing)
    check_parsing(path, static_cast<std::int64_t>(size), max_memory);
  return files::read_text(path);
}

/// Without the mark that some programs put in front. Throws InputError for another encoding.
std::string_view utf8_in(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  constexpr char kNone = '\0';  // every other byte of UTF-16 in a text of JSON or XML
  const std::string_view start = text.substr(0, 4);
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF") ||
      start.find(kNone) != std::string_view::npos)
    throw InputError("is in UTF-16 or UTF-32, which are not read; save it as UTF-8.");
  if (!is_utf8(text)) throw InputError("is not in UTF-8; save it as UTF-8.");
  return text.substr(start.starts_with(kMark) ? kMark.size() : 0);
}

Document open_document(const fs::path& path, const std::string& rater, std::int64_t max_memory) {
  const std::string whole = text_of(path, max_memory);
  const std::string_view text = utf8_in(whole);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos)
    refuse_export(path, "is empty; name a file that COCO, CVAT or Label Studio exported.");
  const bool xml = text[start] == '<';
  check_parsing(path, xml ? xml_bytes(text) : json_bytes(text), max_memory);
  Document document{path, rater, {}};
  if (xml)
    document.content = parse_xml(text);
  else
    document.content = parse_json(text);
  return document;
}

const Tool& tool_of(const Document& document) {
  const auto found =
      std::find_if(kTable.begin(), kTable.end(), [&](const Tool& tool) { return tool.recognises(document); });
  if (found == kTable.end())
    throw InputError(
        "is not an export of COCO (images and annotations), CVAT (XML for images) or Label Studio (JSON).");
  return *found;
}

void read_one(const fs::path& path, const std::string& rater, std::int64_t max_memory, const Tool*& tool,
              Collector& all) {
  const Document document = open_document(path, rater, max_memory);
  const Tool& own = tool_of(document);
  if (tool != nullptr && tool != &own)
    throw InputError(
        fmt::format("is of {}, but the first file is of {}; import them apart.", own.title, tool->title));
  tool = &own;
  own.read(document, all);
}

/// Each file counts as an annotator, however often it is named.
Warnings warnings_about_repeats(const std::vector<fs::path>& paths) {
  Warnings warnings;
  std::set<fs::path> seen;
  std::error_code ignored;
  for (const fs::path& path : paths)
    if (!seen.insert(fs::weakly_canonical(path, ignored)).second)
      warnings.push_back(
          {fmt::format("{}: is named twice and counts as two annotators.", files::printable(path)),
           WarningKind::copy});
  return warnings;
}

}  // namespace

std::span<const Tool> tools() { return kTable; }

const Tool* find_tool(std::string_view name) {
  const auto found =
      std::find_if(kTable.begin(), kTable.end(), [&](const Tool& tool) { return tool.name == name; });
  return found == kTable.end() ? nullptr : &*found;
}

std::string together(const std::vector<fs::path>& paths) {
  std::string first = files::printable(paths.front());
  if (paths.size() == 1) return first;
  return fmt::format("{} and {}", first, counted(std::ssize(paths) - 1, "more file"));
}

Export read_exports(const std::vector<fs::path>& paths, std::int64_t max_memory) {
  Collector all;
  const Tool* tool = nullptr;
  const std::vector<std::string> names = names_of(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) try {
      read_one(paths[i], names[i], max_memory, tool, all);
    } catch (const UsageError&) {
      throw;
    } catch (const InputError& e) {
      const std::string& sentence = e.sentence.marked();
      if (sentence.starts_with(files::printable(paths[i]))) throw;
      refuse_export(paths[i], sentence);
    }
  try {
    Export read{tool, std::move(all).whole()};
    append(read.dataset.warnings, warnings_about_repeats(paths));
    return read;
  } catch (const InputError& e) {
    throw InputError(together(paths) + ": " + e.sentence.marked());
  }
}

Patch on_picture(const Patch& mask, Extent picture) {
  Patch whole{0, 0, picture, std::vector<std::uint8_t>(static_cast<std::size_t>(picture.pixels()), 0)};
  for (std::int32_t y = 0; y < mask.box.height; ++y)
    std::copy_n(mask.row(y), mask.box.width,
                whole.pixels.begin() + (std::int64_t{mask.top + y} * picture.width + mask.left));
  return whole;
}

}  // namespace crema::annotations
