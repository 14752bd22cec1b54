// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "files/dicom/elements/tags.h"

namespace crema::files::dicom {

/// A data set being made, in explicit little endian; elements are written in the order of their tags.
class DataSet {
 public:
  DataSet& text(Tag tag, std::string_view kind, std::string_view value);
  DataSet& number(Tag tag, std::uint16_t value);
  DataSet& numbers(Tag tag, const std::vector<std::uint16_t>& values);
  DataSet& wide_numbers(Tag tag, const std::vector<std::uint32_t>& values);
  DataSet& sequence(Tag tag, const std::vector<DataSet>& items);
  /// A code of a terminology, as a sequence of one item.
  DataSet& code(Tag tag, std::string_view value, std::string_view scheme, std::string_view meaning);
  /// The head of an element whose bytes follow elsewhere; it has to be the last one.
  DataSet& head(Tag tag, std::string_view kind, std::uint32_t length);

  [[nodiscard]] std::vector<std::uint8_t> bytes() const;

 private:
  using Bytes = std::vector<std::uint8_t>;
  DataSet& put(Tag tag, std::string_view kind, Bytes value);
  std::map<Tag, Bytes> elements_;
};

/// A decimal number as DICOM writes them, in at most 16 characters.
std::string decimal_text(double value);

/// An identifier under the root for derived ones, the same for the same text.
std::string derived_uid(std::string_view text);

}  // namespace crema::files::dicom
