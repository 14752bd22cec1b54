// SPDX-License-Identifier: Apache-2.0
// Values of elements: whole numbers, texts and lists of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "files/dicom/elements/elements.h"

namespace crema::files::dicom {

inline std::uint16_t get16(std::span<const std::uint8_t> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8);
}

inline std::uint32_t get32(std::span<const std::uint8_t> bytes, std::size_t at) {
  return get16(bytes, at) | static_cast<std::uint32_t>(get16(bytes, at + 2)) << 16;
}

/// The value as text, without the padding at its end. Refuses what is longer than any text that is read here.
std::string text_of(ElementReader& reader, const Element& element);

/// So many numbers written as text, separated by backslashes.
std::vector<double> numbers_of(ElementReader& reader, const Element& element, std::size_t count);

/// A whole number written as text.
std::int64_t integer_of(ElementReader& reader, const Element& element);

/// So many numbers of 16 bits.
std::vector<std::uint16_t> shorts_of(ElementReader& reader, const Element& element, std::size_t count);
std::uint16_t short_of(ElementReader& reader, const Element& element);

}  // namespace crema::files::dicom
