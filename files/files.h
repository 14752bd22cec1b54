// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/warning.h"
#include "crema/image/grid.h"
#include "crema/image/image.h"

/// Strict readers and atomic writers for mask files. A reader refuses with InputError (the file is at fault),
/// FileError (the disk is) or ResourceError (too large); the sentence names the file, the reason and the fix.
namespace crema::files {

enum class Format : std::uint8_t { nifti, nrrd, seg_nrrd, meta, dicom, png, tiff, npy, npz };

struct Header;
struct ColourTable;

/// What a map may hold: levels from 0 to 1 alone, logits (finite numbers), or whatever an image holds.
enum class MapValues : std::uint8_t { levels, logits, any };
/// Takes the labels of the next voxels, and the place of the first of them in the header's grid; parts that
/// hold nothing but background may be left out.
using LabelSink = std::function<void(std::int64_t first, std::span<const std::uint16_t> part)>;

/// Takes the levels of the next voxels, and the place of the first of them in the header's grid; of several
/// channels, that many grids follow each other.
using LevelSink = std::function<void(std::int64_t first, std::span<const float> part)>;

/// How values become inside and outside. Neither set: strict {0,1}, with the exceptions docs/formats.md
/// lists.
struct ReadOptions {
  std::optional<double> threshold;  ///< inside is value > threshold
  std::optional<double> label;      ///< inside is value == label
  /// The setting by which people cut these values, for a refusal; empty: there is none.
  std::string_view threshold_setting = "threshold";
  bool takes_label = true;            ///< people can choose one label, or all
  bool takes_levels = false;          ///< people can have levels fused as they are
  bool offers_image = false;          ///< whoever reads takes an image beneath the masks, too
  const LabelSink* labels = nullptr;  ///< set by stream_labels: takes whole numbers in place of a mask
  const LevelSink* levels = nullptr;  ///< set by stream_levels: takes levels in place of a whole map
  std::int64_t layer = 0;             ///< of a segmentation, where labels are taken
  bool channels = false;              ///< a map may have channels, and all of them are read
  std::int64_t max_memory = 0;  ///< bytes one file may take in memory; 0: three quarters of the machine's
  MapValues map = MapValues::levels;
  bool grid_is_given = false;  ///< by another file, so that it is no loss when this one does not state it
  std::shared_ptr<const Header> like = {};          ///< of that file: outlines are drawn on its grid
  std::shared_ptr<const ColourTable> palette = {};  ///< which labels the colours of PNG and TIFF stand for
};

/// A term of a dictionary, as DICOM has them.
struct Code {
  std::string value, scheme, meaning;

  /// Its meaning may be put in other words.
  bool operator==(const Code& other) const { return value == other.value && scheme == other.scheme; }
};

/// A segment of a segmentation.
struct SegmentInfo {
  std::string name, id;
  std::string colour;  ///< three numbers from 0 to 1, as the file has them; empty: none
  std::int64_t layer = 0;
  std::int64_t value = 1;         ///< of its voxels in that layer
  Code category = {}, type = {};  ///< what it shows; both or none
};

/// What a file says before its voxels are looked at; nothing larger than its header was allocated for it.
struct Header {
  std::filesystem::path path;
  Format format = Format::nifti;
  std::string name;  ///< of the segment, where a file holds several raters; empty elsewhere
  Grid grid;
  std::string type;         ///< "uint8", "float32 big-endian", "png 8-bit grey" …
  bool positioned = false;  ///< the file says where the grid lies (sform, qform)
  bool measured = false;    ///< the file says how large its voxels are; else spacing is 1 mm made up
  bool consensus = false;   ///< made by fusing raters: files written with this header are marked so
  std::vector<SegmentInfo> segments = {};  ///< all of a segmentation's; of one to be written, those it gets
  std::int32_t channels = 1;               ///< whole images, one after the other, in one file
  bool sparse = false;             ///< slices before the first and behind the last may be left out as empty
  bool every_slice = false;        ///< slices without a voxel are written, too, where they might be left out
  std::string frame_of_reference;  ///< identifies the space of the grid; empty: the file does not say
  std::string patient, study;      ///< digests that distinguish them; empty: the file does not say
  std::string foreign;             ///< a rater of another patient or scan than this reference; empty: none
  bool blank = false;              ///< one voxel that stands for "nothing drawn"; fits every grid
  bool absent = false;             ///< nothing is drawn: there is no file, or no such segment in it
  Warnings warnings;               ///< sentences, each naming the file
  std::shared_ptr<const void> native;  ///< format's own header, for writing the same geometry back
};

/// For ReadOptions: a CSV table of colours and labels, as docs/formats.md has it. Throws InputError that
/// names the line, FileError where it cannot be read.
std::shared_ptr<const ColourTable> read_palette(const std::filesystem::path& path);

Header read_header(const std::filesystem::path& path, const ReadOptions& options = {});

/// All raters of a file: one, but for a segmentation (.seg.nrrd, DICOM) one per segment. read_header refuses
/// several.
std::vector<Header> read_headers(const std::filesystem::path& path, const ReadOptions& options = {});

/// "study.seg.nrrd#Tumour", or the path alone where the file holds one rater without a name.
std::string rater_name(const Header& header);

struct MaskFile {
  std::vector<std::uint8_t> voxels;  ///< 0/1, in the header's grid
  Warnings warnings;                 ///< about values: rounded, {0,255}, empty …
};

MaskFile read_mask(const Header& header, const ReadOptions& options = {});

/// Takes the next voxels of a mask as 0/1, and the place of the first of them in the header's grid.
using MaskSink = std::function<void(std::int64_t first, Mask part)>;

/// The same without holding the mask: its parts go to the sink one after the other. Returns the warnings. A
/// file may be refused at its end, when the sink has seen all of it.
Warnings stream_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);

/// A label map: whole numbers from 0 to 65535, 0 is background. Refuses all else. Its parts go to the sink
/// one after the other; returns the warnings. Of a segmentation it is one layer, whatever its segments are.
Warnings stream_labels(const Header& header, const ReadOptions& options, const LabelSink& sink);

struct MapFile {
  std::vector<float> levels;  ///< in [0,1], in the header's grid
  Warnings warnings;          ///< about values: clamped, taken from the transparency …
};

/// A map of levels instead of a mask: values after scaling, for PNG divided by the largest a sample can hold.
/// Refuses what is not finite or lies outside [0,1] by more than 1e-6, unless the options ask for any values.
/// Threshold and label are not looked at.
MapFile read_map(const Header& header, const ReadOptions& options = {});

/// The same without holding the map: its parts go to the sink one after the other. Returns the warnings. A
/// file may be refused at its end, when the sink has seen all of it.
Warnings stream_levels(const Header& header, const ReadOptions& options, const LevelSink& sink);

/// How another rater's grid lies on the reference grid: the same, with axes flipped or exchanged, or a crop.
struct Placement {
  bool identity = true;
  std::array<int, 3> axis{0, 1, 2};             ///< other's axis a runs along the reference's axis[a] …
  std::array<int, 3> sign{1, 1, 1};             ///< … forwards or backwards
  std::array<std::int32_t, 3> offset{0, 0, 0};  ///< where the other's voxel (0,0,0) lies in the reference
  Warnings warnings;
};

/// Compares by how far the corners move, in voxels: ≤ 1e-3 silent, ≤ 0.1 a warning, more is refused.
Placement place(const Header& reference, const Header& other);

/// The other's voxels on the reference's grid; nothing is resampled, what lies outside a crop is 0.
std::vector<std::uint8_t> apply(const Placement& placement, const Grid& reference, const Grid& other,
                                std::vector<std::uint8_t> voxels);
std::vector<float> apply(const Placement& placement, const Grid& reference, const Grid& other,
                         std::vector<float> voxels);
std::vector<std::uint16_t> apply(const Placement& placement, const Grid& reference, const Grid& other,
                                 std::vector<std::uint16_t> voxels);

struct WriteOptions {
  bool overwrite = false;
};

/// Format by the ending of the name, as docs/formats.md lists them. Geometry is the reference's, to the bit
/// where the format is the same. Hard images are uint8, soft ones float32 (PNG: 0/255, and 16-bit grey). The
/// file appears complete under its name, or not at all. Returns warnings (what the format cannot hold).
Warnings write_image(const std::filesystem::path& path, const Image& image, const Header& reference,
                     const WriteOptions& options = {});

/// Labels as a file of that name holds them best: in 8 bits where all of them fit. Where a mask is written as
/// 0 and 255, labels are not.
Image label_image(const std::filesystem::path& path, LabelImage labels);

/// Checks a place to write before any work is done: ending known, folder there, nothing overwritten unasked,
/// not the same file as one of the inputs, and the format can hold that grid. Throws UsageError, or FileError
/// for what the disk refuses.
void check_output(const std::filesystem::path& path, const Grid& grid,
                  const std::vector<std::filesystem::path>& inputs, const WriteOptions& options = {});

/// Throws UsageError where a format needs more of its reference than a grid: a DICOM segmentation a series.
void check_reference(const std::filesystem::path& path, const Header& reference);

/// Text (a JSON record) written the same way: temporary, fsync, rename.
void write_text(const std::filesystem::path& path, const std::string& text, const WriteOptions& options = {});

/// An array of float32 in C order as the only member of a compressed .npz, as numpy.savez_compressed and
/// nnU-Net write one. Throws UsageError where it is too large for an archive without extensions.
std::vector<std::uint8_t> encode_npz(const std::string& member, std::span<const std::int64_t> shape,
                                     std::span<const float> values);

/// Removes this process's unfinished temporary files; safe to call from a signal handler that ends the
/// process: waits while files that belong together get their names, and after it no thread can create or name
/// one.
void remove_temporaries() noexcept;

/// A file name fit for a terminal: control characters, quotes and bytes that are not UTF-8 are escaped.
std::string printable(const std::filesystem::path& path);

/// Whether a file of this name would be an image in a format that is written here.
bool names_an_image(const std::filesystem::path& path);

/// Whether an image of this name can hold levels between 0 and 1; a segmentation cannot.
bool holds_levels(const std::filesystem::path& path);

/// The names a folder of results gets: same ending as the reference (".nii.gz", ".png" …).
std::string ending_of(const Header& reference);

}  // namespace crema::files
