// SPDX-License-Identifier: Apache-2.0
// Segmentations: which segments of a file are raters, and which are labels.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "crema/labels/label_maps.h"
#include "files/files.h"

namespace crema {
struct Settings;
}

namespace crema::raters {

/// "study.seg.nrrd#liver" names a segment of a file; a file of that very name comes first.
struct InputName {
  std::filesystem::path file;
  std::string segment;  ///< empty: none is named
};

InputName split_input(const std::filesystem::path& given);

/// The files of a list of inputs.
std::vector<std::filesystem::path> files_of(std::span<const std::filesystem::path> inputs);

/// What a file without the segment that the settings name is: refused, refused where people could have it
/// count as empty by a setting, or a rater who marked nothing.
enum class Lacking : std::uint8_t { refused, missing, empty };

/// What one input gives: a mask, each segment where segments are raters, or the whole file where labels are
/// fused. Throws InputError when a file holds several segments and nothing says which are meant.
std::vector<files::Header> open_input(const std::filesystem::path& given, const Settings& settings,
                                      const files::ReadOptions& options, Lacking lacking = Lacking::refused);

/// One file beside the raters, such as a consensus or a region: its mask, or the segment that the input
/// names; where that names none and the file holds several, the one called `segment`. Throws InputError where
/// nothing says which is meant.
files::Header open_beside(const std::filesystem::path& given, const std::string& segment,
                          const files::ReadOptions& options);

/// The same where labels are fused: the whole file. Throws InputError where the input names a segment.
files::Header open_labels_beside(const std::filesystem::path& given, const files::ReadOptions& options);

/// A file whose grid alone is wanted; all its segments lie on it.
files::Header open_grid(const std::filesystem::path& given, files::ReadOptions options);

/// Masks from segments of different names may show different things. Throws InputError unless a name was
/// chosen or the segments are raters; warns where names differ in case and blanks alone. `named` are those
/// headers whose segment the input names.
void check_names(std::span<const files::Header> headers, const std::vector<bool>& named,
                 const Settings& settings, Warnings& warnings);

/// A consensus or a candidate whose one segment has another name than what all raters drew, unless somebody
/// chose it; files that crema wrote are called by their own name.
Warnings compare_names(const std::filesystem::path& given, const files::Header& beside,
                       const files::Header& raters, const Settings& settings);

/// Gives a segment the code that all files state that have one for it, or none where they differ.
void take_common_codes(files::SegmentInfo& to, std::span<const files::Header> headers);

/// The segment that all raters drew, for a mask that is written as one; empty where they differ.
std::vector<files::SegmentInfo> common_segment(std::span<const files::Header> headers);

/// Where a rater's label lies in the file.
struct StoredLabel {
  std::int64_t layer = 0;
  Label stored = 0;
  Label label = 0;
};

/// Segments of several raters as labels: those of one name are one label.
struct SegmentLabels {
  std::vector<files::SegmentInfo> labels;          ///< name, colour and value; empty: nothing has a name
  std::vector<std::vector<StoredLabel>> of_rater;  ///< empty for a rater whose file holds labels already
  std::vector<std::string> left_out;               ///< names of segments that were not chosen
};

/// Finds the labels of the segments, and puts numbers where the choice has names. Values that are the same in
/// all files are kept, otherwise labels are numbered again, with a warning.
SegmentLabels name_segments(std::span<const files::Header> headers, Settings& settings, Warnings& warnings);

}  // namespace crema::raters
