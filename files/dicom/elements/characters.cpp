// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/characters.h"

#include <algorithm>

#include "crema/base/utf8.h"
#include "files/io/sentence.h"
#include "files/io/text_header.h"

namespace crema::files::dicom {

namespace {

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string from_latin(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0 | byte >> 6);
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

std::string with_bytes(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return result;
}

}  // namespace

std::string utf8_of(const std::string& text, const std::string& characters, const std::filesystem::path& path,
                    Warnings& warnings) {
  std::string plain(trimmed(text));
  if (is_ascii(plain)) return plain;
  if (characters == "ISO_IR 192" && is_utf8(plain)) return plain;
  if (characters == "ISO_IR 100" || characters == "ISO 2022 IR 100") return from_latin(plain);
  warnings.push_back(
      {sentence(path, "the name of a segment is in {}, which is not supported; its raw bytes are used: {}",
                characters.empty() ? "no stated character set" : "the character set " + printable(characters),
                printable(with_bytes(plain))),
       WarningKind::file});
  return with_bytes(plain);
}

}  // namespace crema::files::dicom
