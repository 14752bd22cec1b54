// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crema::annotations {

/// An element of XML with what it holds.
struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< between the tags, without blanks at its ends

  /// The value of an attribute; nullptr where there is none.
  [[nodiscard]] const std::string* attribute(std::string_view wanted) const;
  /// The first child of that name; nullptr where there is none.
  [[nodiscard]] const XmlElement* child(std::string_view wanted) const;
};

/// The one element of a text. As much of XML as annotations need, and strictly: the five entities and
/// characters by number, comments and character data; no document type, no other entities, no processing
/// instruction but the declaration, no more than 64 levels and 64 attributes. Throws InputError that says
/// where it ceases to be XML.
XmlElement parse_xml(std::string_view text);

/// What parsing takes at most, in bytes.
std::int64_t xml_bytes(std::string_view text);

/// A text as the value of an attribute or between tags.
std::string escape_xml(std::string_view text);

}  // namespace crema::annotations
