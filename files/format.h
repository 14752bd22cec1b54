// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "crema/base/warning.h"
#include "files/files.h"
#include "files/io/source.h"
#include "files/values/values.h"

namespace crema::files {

/// What files that were made by fusing raters say of themselves, in the field that the format has for it.
inline constexpr std::string_view kConsensusMark = "crema consensus";

/// The start of a file's content, by which its format is known.
struct Start {
  std::vector<std::uint8_t> bytes;  ///< inflated where the file is gzip
  bool compressed = false;
};

/// A file to be written, in pieces that follow each other.
struct Output {
  std::filesystem::path path;
  std::vector<std::span<const std::uint8_t>> pieces;
};

/// What a writer made; the outputs may borrow from `owned` and from the image.
struct Encoded {
  std::vector<std::vector<std::uint8_t>> owned;
  std::vector<Output> outputs;  ///< the one that makes the others findable comes last
  Warnings warnings;
};

/// One row per format; nothing else lists formats.
struct FormatRow {
  Format format;
  std::string_view name;
  std::span<const std::string_view> endings;  ///< it goes by, the first is the usual one
  int dimensions;                             ///< the most it can hold
  bool (*recognises)(const Start& start);
  bool (*claims)(const std::filesystem::path& path);  ///< by name, when no content is recognised
  std::filesystem::path (*header_path)(
      const std::filesystem::path& path);  ///< the file that holds the header
  Header (*read_header)(const Source& source, const ReadOptions& options);
  Checked (*read_mask)(const Header& header, const ReadOptions& options, const MaskSink& sink);
  MapFile (*read_map)(const Header& header, const ReadOptions& options);
  Encoded (*encode)(const std::filesystem::path& path, const Image& image,
                    const Header& reference);  ///< null: read only
  std::vector<std::filesystem::path> (*parts)(
      const std::filesystem::path& path);  ///< files an image consists of
  /// Where a file may hold several raters.
  std::vector<Header> (*read_headers)(const Source& source, const ReadOptions& options) = nullptr;
  /// Where the files of a folder are one image, which is no mask: its header.
  Header (*read_folder)(const std::filesystem::path& folder) = nullptr;
  /// What a reference lacks for results to be written with it, and the fix; empty: nothing. Null: any will
  /// do.
  std::string (*lacks)(const Header& reference) = nullptr;
  /// Files an image that is there consists of, where its header names them.
  std::vector<std::filesystem::path> (*sources)(const std::filesystem::path& path) = nullptr;
};

/// The bytes of an image in the format that its name says.
Encoded encode_image(const std::filesystem::path& path, const Image& image, const Header& reference);

std::span<const FormatRow> format_table();
const FormatRow& row_of(Format format);

/// The row of a file: by content; by name only when the content says nothing. Throws InputError.
const FormatRow& find_format(const Source& source);

/// The row whose ending the name has, or nothing.
const FormatRow* row_by_ending(const std::filesystem::path& path);

/// Whether the name ends so, whatever the case.
bool ends_with(const std::filesystem::path& path, std::string_view ending);

/// The file's name as people say it: without the longest ending of a format, unless nothing else is in it.
std::string without_ending(const std::string& file);

/// Whether a result may state the spacing of this reference: it was read, or somebody set it.
bool spacing_known(const Header& reference);

/// All endings images are written under, for people.
std::string known_endings();

}  // namespace crema::files
