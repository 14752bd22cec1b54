// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/dicom.h"

#include "files/dicom/elements/attributes.h"
#include "files/dicom/elements/characters.h"
#include "files/dicom/elements/data_set.h"
#include "files/dicom/elements/elements.h"
#include "files/dicom/outlines/outlined.h"
#include "files/dicom/read.h"
#include "files/io/checksum.h"
#include "files/io/gzip/gzip.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

using dicom::Kind;
using dicom::Segmentation;

std::string type_of(const Segmentation& file) {
  if (file.kind == Kind::binary) return "DICOM 1-bit";
  if (file.kind == Kind::fractional) return fmt::format("DICOM fractions of {}", file.maximum);
  return fmt::format("DICOM {}-bit labels", file.bits);
}

/// Distinguishes them without naming them.
std::string digest_of(const std::string& text) {
  return text.empty() ? text : dicom::derived_uid("identity" + text);
}

/// Whose images these are: digests of patient and study.
std::pair<std::string, std::string> identity_of(const dicom::Attributes& found, const Source& source) {
  Warnings ignored;
  const std::string characters = found.characters.empty() ? "ISO_IR 100" : found.characters;
  return {digest_of(dicom::utf8_of(found.patient, characters, source.path(), ignored)),
          digest_of(found.study)};
}

/// What is true of all segments.
Header common_header(const Source& source, const dicom::Native& native) {
  Header header;
  header.path = source.path();
  header.format = Format::dicom;
  header.grid = native.stack.grid;
  header.positioned = native.stack.positioned;
  header.measured = native.stack.measured;
  header.consensus = native.file.consensus;
  header.sparse = native.stack.positioned;
  header.frame_of_reference = native.file.frame_of_reference;
  header.type = type_of(native.file);
  header.warnings = native.file.warnings;
  append(header.warnings, native.stack.warnings);
  const bool map = native.file.kind == Kind::label_map;
  for (std::size_t s = 0; s < native.file.segments.size(); ++s) {
    const dicom::Segment& own = native.file.segments[s];
    header.segments.push_back({.name = own.label,
                               .id = std::to_string(own.number),
                               .colour = own.colour,
                               .layer = map ? 0 : static_cast<std::int64_t>(s),
                               .value = own.number,
                               .category = own.category,
                               .type = own.type});
  }
  return header;
}

/// One header for each segment.
std::vector<Header> segment_headers(const Source& source, dicom::Attributes found,
                                    const ReadOptions& options) {
  auto native = std::make_shared<dicom::Native>();
  native->file = dicom::read_segmentation(std::move(found), source.path());
  const bool placed = options.like != nullptr && options.like->positioned;
  native->stack = dicom::stack_frames(native->file, source.path(), placed ? &options.like->grid : nullptr);
  native->mark = dicom::mark_of(source, native->file);
  check_memory(source.path(), static_cast<double>(native->stack.grid.voxels()), options);
  Header common = common_header(source, *native);
  std::vector<Header> headers;
  for (std::size_t s = 0; s < native->file.segments.size(); ++s) {
    Header header = common;
    header.name = native->file.segments[s].label;
    header.native = std::make_shared<dicom::SegmentNative>(dicom::SegmentNative{native, s});
    headers.push_back(std::move(header));
    common.warnings.clear();  // what is true of the file is said once
  }
  return headers;
}

}  // namespace

Header dicom_read_series(const std::filesystem::path& folder) {
  const auto series = std::make_shared<const dicom::Series>(dicom::read_series(folder));
  Header header;
  header.path = folder;
  header.format = Format::dicom;
  header.grid = series->stack.grid;
  header.positioned = header.measured = true;
  header.type = "DICOM series";
  header.frame_of_reference = dicom::shared_text(*series, dicom::kFrameOfReference);
  header.patient = digest_of(dicom::shared_text(*series, dicom::kPatientId));
  header.study = digest_of(dicom::shared_text(*series, dicom::kStudyUid));
  header.native = std::make_shared<dicom::SegmentNative>(dicom::SegmentNative{.file = {}, .series = series});
  return header;
}

bool dicom_recognises(const Start& start) { return dicom::has_preamble(start.bytes); }

std::vector<Header> dicom_read_headers(const Source& source, const ReadOptions& options) {
  if (looks_gzipped(source.start(2)))
    refuse(source.path(), "is a DICOM file inside a gzip file; unpack it first");
  dicom::Attributes found = dicom::read_attributes(source, options);
  const auto [patient, study] = identity_of(found, source);
  std::vector<Header> headers = found.sop_class == dicom::kStructureSetStorage
                                    ? dicom::outlined_headers(source, found.syntax, options)
                                    : segment_headers(source, std::move(found), options);
  for (Header& header : headers) {
    header.patient = patient;
    header.study = study;
  }
  return headers;
}

Header dicom_read_header(const Source& source, const ReadOptions& options) {
  std::vector<Header> headers = dicom_read_headers(source, options);
  if (headers.size() == 1) return std::move(headers.front());
  std::string names;
  for (const Header& header : headers) names += (names.empty() ? "" : ", ") + printable(header.name);
  refuse(source.path(), "holds {} segments ({}), but one mask is needed here; save that segment separately",
         headers.size(), names);
}

}  // namespace crema::files
