// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/elements.h"

#include <algorithm>
#include <array>

#include "files/dicom/elements/bytes.h"
#include "files/io/gzip/gzip.h"
#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

constexpr std::int64_t kPreamble = 132;
constexpr std::size_t kPiece = std::size_t{64} * 1024;
constexpr std::uint32_t kUndefinedLength = 0xFFFFFFFF;

/// An element up to its value.
struct Start {
  Element element;
  std::array<char, 2> kind{};  ///< its value representation; 0 where it is not stated
};

bool is_sequence(const Start& start) { return start.kind == std::array{'S', 'Q'}; }
bool is_unknown(const Start& start) { return start.kind == std::array{'U', 'N'}; }

/// Whether values of this kind have a length of 32 bits.
bool has_long_length(const std::array<char, 2>& kind) {
  constexpr std::array<std::array<char, 2>, 13> kinds{{{'O', 'B'},
                                                       {'O', 'D'},
                                                       {'O', 'F'},
                                                       {'O', 'L'},
                                                       {'O', 'V'},
                                                       {'O', 'W'},
                                                       {'S', 'Q'},
                                                       {'S', 'V'},
                                                       {'U', 'C'},
                                                       {'U', 'N'},
                                                       {'U', 'R'},
                                                       {'U', 'T'},
                                                       {'U', 'V'}}};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

enum class Coding : std::uint8_t { plain, implicit };

class Walker {
 public:
  Walker(ElementReader& reader, std::span<const Tag> wanted, const Visitor& visitor)
      : reader_(reader), wanted_(wanted), visitor_(visitor) {}

  /// All elements from an offset up to `end`, or up to the mark that ends an item where `end` is unknown.
  /// Returns the offset behind them.
  std::int64_t data_set(std::int64_t at, std::int64_t end, Coding coding) {
    Tag last = 0;
    while (end == kUndefined || at < end) {
      if (path_.empty() && ends_in_zeros(at)) return at;
      const Start start = read_start(at, limit(end), coding);
      if (start.element.tag == kItemEnd) {
        if (end != kUndefined) refuse_mark(start, at);
        return start.element.offset;
      }
      if (start.element.tag <= last)
        refuse(reader_.path(),
               "{} at byte {} is out of order or duplicated; it is damaged: copy or save it again",
               tag_text(start.element.tag), at);
      last = start.element.tag;
      at = element(start, limit(end), coding);
    }
    return at;
  }

  [[nodiscard]] Start read_start(std::int64_t at, std::int64_t end, Coding coding) {
    require(8, at, end);
    const auto head = reader_.bytes(at, 8);
    Start start;
    start.element.tag = static_cast<Tag>(get16(head, 0)) << 16 | get16(head, 2);
    const bool mark = start.element.tag >> 16 == 0xFFFE;
    start.element.offset = at + 8;
    std::uint32_t length = get32(head, 4);
    if (!mark && coding == Coding::plain) {
      start.kind = {static_cast<char>(head[4]), static_cast<char>(head[5])};
      if (!is_upper(start.kind[0]) || !is_upper(start.kind[1]))
        refuse(reader_.path(), "{} at byte {} states no kind of value; it is damaged: copy or save it again",
               tag_text(start.element.tag), at);
      length = get16(head, 6);
      if (has_long_length(start.kind)) {
        require(12, at, end);
        length = get32(reader_.bytes(at, 12), 8);
        start.element.offset = at + 12;
      }
    }
    start.element.length = length == kUndefinedLength ? kUndefined : std::int64_t{length};
    if (start.element.length > end - start.element.offset)
      refuse(reader_.path(),
             "is cut short or damaged: {} at byte {} declares {} bytes, but {} are left; copy or download it "
             "again",
             tag_text(start.element.tag), at, length, end - start.element.offset);
    return start;
  }

 private:
  [[nodiscard]] std::int64_t limit(std::int64_t end) const {
    return end == kUndefined ? reader_.size() : end;
  }

  void require(std::int64_t count, std::int64_t at, std::int64_t end) const {
    if (count > end - at)
      refuse(reader_.path(),
             "is cut short or damaged: an element starts at byte {}, but {} bytes are left; copy or download "
             "it again",
             at, end - at);
  }

  [[noreturn]] void refuse_mark(const Start& start, std::int64_t at) const {
    refuse(reader_.path(), "has {} at byte {}, where it is not allowed; it is damaged: copy or save it again",
           tag_text(start.element.tag), at);
  }

  /// Padding behind the last element.
  [[nodiscard]] bool ends_in_zeros(std::int64_t at) {
    const std::int64_t left = reader_.size() - at;
    const auto next = reader_.bytes(at, std::min<std::int64_t>(left, 8));
    return std::all_of(next.begin(), next.end(), [](auto byte) { return byte == 0; });
  }

  /// Returns the offset behind the element.
  std::int64_t element(const Start& start, std::int64_t end, Coding coding) {
    const Element& own = start.element;
    if (own.tag >> 16 == 0xFFFE) refuse_mark(start, own.offset - 8);
    const bool pixels = own.tag == kPixelData && path_.empty();
    const bool open = own.length == kUndefined && !pixels;
    if (open && !is_sequence(start) && !is_unknown(start) && coding == Coding::plain)
      refuse(
          reader_.path(),
          "{} at byte {} has no length, which only sequences may omit; it is damaged: copy or save it again",
          tag_text(own.tag), own.offset);
    if (open || std::find(wanted_.begin(), wanted_.end(), own.tag) != wanted_.end())
      return sequence(start, end, is_unknown(start) ? Coding::implicit : coding);
    visitor_.value(path_, own);
    if (own.length == kUndefined) return reader_.size();  // pixels in fragments, which nobody here reads
    return own.offset + own.length;
  }

  std::int64_t sequence(const Start& start, std::int64_t end, Coding coding) {
    const Element& own = start.element;
    if (path_.size() >= kMaxDepth)
      refuse(reader_.path(),
             "has sequences nested more than {} deep at byte {}; it is damaged: copy or save it again",
             kMaxDepth, own.offset);
    path_.push_back(own.tag);
    if (visitor_.sequence) visitor_.sequence(path_);
    const std::int64_t stop = own.length == kUndefined ? kUndefined : own.offset + own.length;
    std::int64_t at = own.offset;
    while (stop == kUndefined || at < stop) {
      const Start item = read_start(at, stop == kUndefined ? end : stop, Coding::implicit);
      if (item.element.tag == kSequenceEnd && stop == kUndefined) {
        at = item.element.offset;
        break;
      }
      if (item.element.tag != kItem) refuse_mark(item, at);
      visitor_.item(path_);
      const std::int64_t length = item.element.length;
      at = data_set(item.element.offset, length == kUndefined ? kUndefined : item.element.offset + length,
                    coding);
    }
    path_.pop_back();
    return at;
  }

  ElementReader& reader_;
  std::span<const Tag> wanted_;
  const Visitor& visitor_;
  Path path_;
};

/// What follows the last element may be zeros alone, and not many.
std::int64_t trailing_zeros(ElementReader& reader, std::int64_t at) {
  const std::int64_t zeros = reader.size() - at;
  bool clean = zeros <= kMaxPadding;
  while (clean && at < reader.size()) {
    const auto piece = reader.bytes(at, std::min(reader.size() - at, ElementReader::kMaxValue));
    clean = std::all_of(piece.begin(), piece.end(), [](auto byte) { return byte == 0; });
    at += static_cast<std::int64_t>(piece.size());
  }
  if (!clean) refuse(reader.path(), "has data behind its last element; it is damaged: copy or save it again");
  return zeros;
}

}  // namespace

std::span<const std::uint8_t> ElementReader::bytes(std::int64_t offset, std::int64_t count) {
  const auto wanted = static_cast<std::size_t>(count);
  const bool held = offset >= start_ && offset + count <= start_ + static_cast<std::int64_t>(buffer_.size());
  if (!held) {
    buffer_.resize(std::max(kPiece, wanted));
    buffer_.resize(source_.read(offset, buffer_));
    start_ = offset;
    if (buffer_.size() < wanted)
      refuse(path(), "is cut short: it ends at byte {}; copy or download it again",
             offset + static_cast<std::int64_t>(buffer_.size()));
  }
  return std::span(buffer_).subspan(static_cast<std::size_t>(offset - start_), wanted);
}

bool has_preamble(std::span<const std::uint8_t> start) {
  constexpr std::array<std::uint8_t, 4> mark{'D', 'I', 'C', 'M'};
  return start.size() >= kPreamble && std::equal(mark.begin(), mark.end(), start.begin() + kPreamble - 4);
}

std::string tag_text(Tag tag) { return fmt::format("({:04X},{:04X})", tag >> 16, tag & 0xFFFF); }

std::string read_meta(ElementReader& reader, std::int64_t& first) {
  const Visitor nobody{[](const Path&, const Element&) {}, [](const Path&) {}};
  Walker walker(reader, {}, nobody);
  std::string syntax;
  first = kPreamble;
  while (reader.size() - first >= 8 && get16(reader.bytes(first, 8), 0) == 0x0002) {
    const Element own = walker.read_start(first, reader.size(), Coding::plain).element;
    if (own.length == kUndefined)
      refuse(reader.path(), "{} has no length; it is damaged: copy or save it again", tag_text(own.tag));
    if (own.tag == kTransferSyntax) syntax = text_of(reader, own);
    first = own.offset + own.length;
  }
  if (syntax.empty())
    refuse(reader.path(),
           "is a DICOM file that does not state its transfer syntax (0002,0010); it is damaged: copy or save "
           "it again");
  return syntax;
}

std::int64_t walk(ElementReader& reader, std::int64_t first, std::string_view transfer_syntax,
                  std::span<const Tag> wanted, const Visitor& visitor) {
  Walker walker(reader, wanted, visitor);
  const Coding coding = transfer_syntax == kImplicitLittle ? Coding::implicit : Coding::plain;
  const std::int64_t end = walker.data_set(first, reader.size(), coding);
  return trailing_zeros(reader, end);
}

}  // namespace crema::files::dicom
