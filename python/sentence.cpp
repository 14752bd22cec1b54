// SPDX-License-Identifier: Apache-2.0
#include "python/sentence.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace crema::python {
namespace {

/// Longer names first where one begins with another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kWords{{
    {"--threshold", "threshold="},
    {"--label", "label="},
    {"--max-memory", "max_memory="},
    {"--weights", "weights="},
    {"--connectivity", "connectivity="},
    {"--slice-wise", "slice_wise="},
    {"--blocks", "blocks="},
    {"--force", "overwrite=True"},
    {"\"crema certify\"", "crema.certify"},
}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    const std::size_t after = at + from.size();
    const bool value = to.back() == '=' && after + 1 < text.size() && text[after] == ' ' &&
                       std::isdigit(static_cast<unsigned char>(text[after + 1])) != 0;
    text.replace(at, from.size() + (value ? 1 : 0), to);
  }
}

}  // namespace

std::string with_keywords(std::string sentence) {
  for (const auto& [option, keyword] : kWords) replace_all(sentence, option, keyword);
  return sentence;
}

std::vector<std::string> with_keywords(std::vector<std::string> sentences) {
  for (std::string& sentence : sentences) sentence = with_keywords(std::move(sentence));
  return sentences;
}

}  // namespace crema::python
