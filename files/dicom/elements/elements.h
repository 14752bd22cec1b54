// SPDX-License-Identifier: Apache-2.0
// The elements of a DICOM file, one after the other, without a tree of them in memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "files/dicom/elements/tags.h"
#include "files/io/source.h"

namespace crema::files::dicom {

inline constexpr std::int64_t kUndefined = -1;

/// One element that holds a value.
struct Element {
  Tag tag = 0;
  std::int64_t offset = 0;  ///< of its value in the file
  std::int64_t length = 0;  ///< kUndefined for pixels in fragments
};

/// The sequences around an element, from the outside in.
using Path = std::vector<Tag>;

/// Who is called while a file is walked through, in its order.
struct Visitor {
  std::function<void(const Path&, const Element&)> value;
  std::function<void(const Path&)> item;           ///< an item of the last sequence of the path begins
  std::function<void(const Path&)> sequence = {};  ///< this sequence begins, before its items
};

/// Sequences lie in each other no deeper than this.
inline constexpr std::size_t kMaxDepth = 16;

/// A file whose bytes are read in larger pieces.
class ElementReader {
 public:
  explicit ElementReader(const Source& source) : source_(source) {}

  [[nodiscard]] const std::filesystem::path& path() const { return source_.path(); }
  [[nodiscard]] std::int64_t size() const { return source_.size(); }

  /// So many bytes at an offset, valid until the next call; at most kMaxValue. Refuses a file that ends
  /// before.
  std::span<const std::uint8_t> bytes(std::int64_t offset, std::int64_t count);

  static constexpr std::int64_t kMaxValue = 16 * 1024;

 private:
  const Source& source_;
  std::vector<std::uint8_t> buffer_;
  std::int64_t start_ = 0;
};

/// Whether a file begins as DICOM files do.
bool has_preamble(std::span<const std::uint8_t> start);

/// Reads the file's own header and gives the transfer syntax; `first` becomes the offset of the data set.
std::string read_meta(ElementReader& reader, std::int64_t& first);

/// Calls the visitor for every element from an offset to the end of the file. Sequences of a known length are
/// entered where their tag is among `wanted`; those of unknown length always. Refuses elements out of order,
/// lengths that reach beyond what surrounds them and sequences that lie too deep. Returns how many zeros
/// follow the last element.
std::int64_t walk(ElementReader& reader, std::int64_t first, std::string_view transfer_syntax,
                  std::span<const Tag> wanted, const Visitor& visitor);

/// "(0062,0002)".
std::string tag_text(Tag tag);

}  // namespace crema::files::dicom
