// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npy_header.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;
using Path = std::filesystem::path;

constexpr std::string_view kMagic = "\x93NUMPY"sv;
constexpr std::size_t kMaxAxes = 32;
constexpr double kMaxValues = 1e15;

struct Kind {
  std::string_view code;  ///< kind and width, as NumPy writes them
  Number number;
};

constexpr std::array kKinds{
    Kind{"b1", Number::uint8},   Kind{"i1", Number::int8},    Kind{"u1", Number::uint8},
    Kind{"i2", Number::int16},   Kind{"u2", Number::uint16},  Kind{"i4", Number::int32},
    Kind{"u4", Number::uint32},  Kind{"i8", Number::int64},   Kind{"u8", Number::uint64},
    Kind{"f2", Number::float32}, Kind{"f4", Number::float32}, Kind{"f8", Number::float64},
};

/// The few forms of a Python literal that an array's header is made of.
class Literal {
 public:
  Literal(std::string_view text, const Path& path) : rest_(text), path_(&path) {}

  /// Whether the next character is this one; it is taken then.
  bool take(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(char wanted) {
    if (!take(wanted)) damaged();
  }
  std::string_view quoted() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"') need('"');
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) damaged();
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (text.find('\\') != std::string_view::npos) damaged();
    return text;
  }
  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"True"sv, "False"sv}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word.size() == 4;
    }
    damaged();
  }
  std::int64_t extent() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) damaged();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take('L');  // as Python 2 wrote large numbers
    return value;
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    need('(');
    while (!take(')')) {
      if (values.size() == kMaxAxes) damaged();
      values.push_back(extent());
      if (!take(',')) {
        if (values.size() < 2) damaged();  // (5) is no tuple, (5,) is
        need(')');
        break;
      }
    }
    return values;
  }
  void end() {
    skip_spaces();
    if (rest_ != "\n" && !rest_.empty()) damaged();
  }
  [[noreturn]] void damaged() const {
    refuse(*path_, "has a damaged array header near byte {}; save it again with numpy.save",
           rest_.data() - start_);
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string_view rest_;
  const char* start_ = rest_.data();
  const Path* path_;
};

void set_type(NpyHeader& header, std::string_view descr, const Path& path) {
  const bool whole = descr.size() >= 2 && "<>|="sv.find(descr[0]) != std::string_view::npos;
  const std::string_view code = whole ? descr.substr(1) : descr;
  if (code.starts_with('O')) {
    refuse(path, "holds Python objects (pickle), which are never loaded; save a plain array of numbers");
  }
  const auto* const kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.code == code; });
  if (!whole || kind == kKinds.end()) {
    refuse(path, "holds values of type {}, but a mask has plain numbers; convert it with astype",
           printable(std::string(descr.substr(0, 40))));
  }
  header.number = kind->number;
  header.half = code == "f2";
  header.swapped = descr[0] == '>' && header.item_bytes() > 1;
}

void read_entry(Literal& literal, std::string_view key, NpyHeader& header, const Path& path) {
  if (key == "shape") {
    header.shape = literal.tuple();
  } else if (key == "fortran_order") {
    header.fortran = literal.boolean();
  } else if (literal.take('[')) {
    refuse(path, "holds records of several fields, but a mask has plain numbers; save one field");
  } else {
    set_type(header, literal.quoted(), path);
  }
}

void read_dictionary(std::string_view text, NpyHeader& header, const Path& path) {
  std::vector<std::string_view> missing{"descr", "fortran_order", "shape"};
  Literal literal(text, path);
  literal.need('{');
  while (!literal.take('}')) {
    const std::string_view key = literal.quoted();
    literal.need(':');
    if (std::erase(missing, key) == 0) literal.damaged();
    read_entry(literal, key, header, path);
    if (!literal.take(',')) {
      literal.need('}');
      break;
    }
  }
  literal.end();
  if (!missing.empty()) literal.damaged();
}

void check_shape(const NpyHeader& header, const Path& path) {
  double product = 1;
  for (const std::int64_t extent : header.shape) {
    if (extent == 0)
      refuse(path, "holds no values (shape {}); save an array that does", shape_text(header.shape));
    product *= static_cast<double>(extent);
  }
  if (product > kMaxValues) {
    refuse(path, "is damaged: its header declares the shape {}; copy or save it again",
           shape_text(header.shape));
  }
}

/// Where the text of the header starts and how long it says it is.
struct Extent {
  std::size_t start, length;
};

Extent header_extent(std::span<const std::uint8_t> start, const Path& path) {
  if (start.size() < 12) refuse(path, "is cut short: {} bytes of a NumPy array; copy it again", start.size());
  const unsigned version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    refuse(path, "is a NumPy file of version {}.{}, which is not supported; save it again with numpy.save",
           version, start[7]);
  }
  std::size_t length = start[8] | std::size_t{start[9]} << 8;
  if (version > 1) length |= std::size_t{start[10]} << 16 | std::size_t{start[11]} << 24;
  return {version > 1 ? 12u : 10u, length};
}

}  // namespace

bool looks_like_npy(std::span<const std::uint8_t> start) {
  return start.size() >= kMagic.size() && std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

NpyHeader parse_npy(std::span<const std::uint8_t> start, const Path& path) {
  if (!looks_like_npy(start)) refuse(path, "does not hold a NumPy array; save it again");
  const Extent extent = header_extent(start, path);
  if (extent.start + extent.length > kNpyLongestHeader) {
    refuse(path, "is damaged: its header should be {} bytes long; save it again", extent.length);
  }
  if (start.size() < extent.start + extent.length) {
    refuse(path, "is cut short: {} of {} header bytes; copy it again", start.size(),
           extent.start + extent.length);
  }
  NpyHeader header;
  const auto raw = start.first(extent.start + extent.length);
  header.raw.assign(raw.begin(), raw.end());
  const auto text = raw.subspan(extent.start);
  read_dictionary({reinterpret_cast<const char*>(text.data()), text.size()}, header, path);
  check_shape(header, path);
  return header;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::string type_text(const NpyHeader& header) {
  return std::string(header.half ? "float16" : name_of(header.number)) +
         (header.swapped ? " big-endian" : "");
}

}  // namespace crema::files
