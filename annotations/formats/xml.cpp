// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/xml.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/base/utf8.h"

namespace crema::annotations {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxAttributes = 64;
constexpr std::string_view kBlanks = " \t\r\n";

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
    {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};

bool of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_:.-").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

/// Reads one element after the other from the front of a text.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  XmlElement whole() {
    if (take("<?xml")) check_encoding(until("?>"));
    misc();
    if (!take("<")) refuse("element expected");
    XmlElement root = element(0);
    misc();
    if (at_ != text_.size()) refuse("content after the root element");
    return root;
  }

 private:
  [[noreturn]] void refuse(const char* what) const {
    throw InputError(fmt::format("is not XML as it is read here: {} at byte {}.", what, at_));
  }

  /// Behind "<?xml".
  static void check_encoding(std::string_view declaration) {
    constexpr std::string_view kName = "encoding";
    const std::size_t name = declaration.find(kName);
    if (name == std::string_view::npos) return;
    const std::size_t start = declaration.find_first_of("\"'", name);
    const std::size_t end = declaration.find_first_of("\"'", std::min(start, declaration.size() - 1) + 1);
    const std::string_view given =
        end == std::string_view::npos ? "" : declaration.substr(start + 1, end - start - 1);
    std::string folded(given);
    for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (folded != "utf-8" && folded != "utf8" && folded != "us-ascii")
      throw InputError(fmt::format("is in the encoding {}, which is not read; save it as UTF-8.",
                                   printable(given.substr(0, 40))));
  }

  [[nodiscard]] bool sees(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  bool take(std::string_view what) {
    if (!sees(what)) return false;
    at_ += what.size();
    return true;
  }

  void skip() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  std::string_view until(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) refuse("unexpected end");
    const std::string_view between = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return between;
  }

  /// Comments and blanks around the element.
  void misc() {
    for (skip(); take("<!--"); skip()) until("-->");
    if (sees("<!")) refuse("a document type, which is not read,");
    if (sees("<?")) refuse("a processing instruction, which is not read,");
  }

  std::string_view name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && of_a_name(text_[at_])) ++at_;
    if (at_ == start) refuse("a name is missing");
    return text_.substr(start, at_ - start);
  }

  /// The text up to a sign, with entities replaced.
  std::string characters(std::string_view ends) {
    const std::string stops = std::string(ends) + '&';
    std::string result;
    while (true) {
      const std::size_t stop = text_.find_first_of(stops, at_);
      if (stop == std::string_view::npos) refuse("unterminated value");
      result += text_.substr(at_, stop - at_);
      at_ = stop;
      if (!take("&")) return result;
      reference(result);
    }
  }

  void reference(std::string& result) {
    constexpr std::size_t kLongest = 9;
    const std::size_t end = text_.substr(at_, kLongest + 1).find(';');
    if (end == std::string_view::npos) refuse("an & that starts no entity");
    const std::string_view spelled = text_.substr(at_, end);
    const auto known = std::find_if(kEntities.begin(), kEntities.end(),
                                    [&](const auto& one) { return one.first == spelled; });
    if (known != kEntities.end())
      result += known->second;
    else if (!spelled.starts_with('#'))
      refuse("an entity that is not one of the five");
    else
      numbered(spelled.substr(1), result);
    at_ += end + 1;
  }

  void numbered(std::string_view digits, std::string& result) const {
    const int base = digits.starts_with('x') ? 16 : 10;
    if (base == 16) digits.remove_prefix(1);
    std::uint32_t point = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), point, base);
    const bool allowed = point == 9 || point == 10 || point == 13 || (point >= 32 && point < 0xD800) ||
                         (point > 0xDFFF && point < 0xFFFE) || (point > 0xFFFF && point < 0x110000);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || !allowed)
      refuse("a character that does not exist");
    append_utf8(result, point);
  }

  void attributes(XmlElement& result) {
    for (skip(); !sees(">") && !sees("/>"); skip()) {
      const std::string_view wanted = name();
      if (result.attribute(wanted) != nullptr) refuse("duplicate attribute");
      if (result.attributes.size() == kMaxAttributes) refuse("too many attributes");
      skip();
      if (!take("=")) refuse("a = is missing");
      skip();
      const std::string_view quote = sees("\"") ? "\"" : "'";
      if (!take(quote)) refuse("a quote is missing");
      result.attributes.emplace_back(wanted, characters(quote == "\"" ? "\"<" : "'<"));
      if (!take(quote)) refuse("a < in a value");
      if (!sees(">") && !sees("/>") && kBlanks.find(next()) == std::string_view::npos)
        refuse("a blank is missing");
    }
  }

  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// Behind its "<".
  XmlElement element(int depth) {
    if (depth >= kMaxDepth) refuse("elements are nested too deeply");
    XmlElement result;
    result.name = name();
    attributes(result);
    if (take("/>")) return result;
    at_ += 1;
    content(result, depth);
    if (name() != result.name) refuse("another element is closed than was opened");
    skip();
    if (!take(">")) refuse("a > is missing");
    return result;
  }

  /// Up to its "</".
  void content(XmlElement& result, int depth) {
    while (true) {
      result.text += characters("<");
      if (take("</")) break;
      if (take("<!--"))
        until("-->");
      else if (take("<![CDATA["))
        result.text += until("]]>");
      else if (sees("<!") || sees("<?"))
        refuse("a declaration, which is not read,");
      else if (take("<"))
        result.children.push_back(element(depth + 1));
    }
    result.text.erase(result.text.find_last_not_of(kBlanks) + 1);
    result.text.erase(0, std::min(result.text.find_first_not_of(kBlanks), result.text.size()));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  for (const auto& [own, value] : attributes)
    if (own == wanted) return &value;
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& one : children)
    if (one.name == wanted) return &one;
  return nullptr;
}

XmlElement parse_xml(std::string_view text) { return XmlReader(text).whole(); }

std::int64_t xml_bytes(std::string_view text) {
  const auto count = [&](char c) { return std::int64_t{std::count(text.begin(), text.end(), c)}; };
  // Growing lists are held twice for a moment.
  return 3 * count('<') * std::int64_t{sizeof(XmlElement)} +
         3 * count('=') * 2 * std::int64_t{sizeof(std::string)} + 2 * std::int64_t(text.size());
}

std::string escape_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto known =
        std::find_if(kEntities.begin(), kEntities.end(), [&](const auto& one) { return one.second == c; });
    if (known != kEntities.end())
      result += fmt::format("&{};", known->first);
    else if (static_cast<unsigned char>(c) < ' ')
      result += c == '\t' || c == '\n' || c == '\r' ? fmt::format("&#{};", static_cast<int>(c)) : " ";
    else
      result += c;
  }
  return result;
}

}  // namespace crema::annotations
