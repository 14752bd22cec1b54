// SPDX-License-Identifier: Apache-2.0
#include "cohort/pack/tar.h"

#include <algorithm>

#include <fmt/format.h>

namespace crema::cohort {
namespace {

constexpr std::size_t kLongestName = 100, kSumBegin = 148, kSumEnd = 156;
constexpr std::int64_t kMaxOctal = (std::int64_t{1} << 33) - 1;  // eleven digits

/// A block of the older format, whose fields are octal digits.
std::string block(const std::string& name, std::int64_t bytes, std::int64_t seconds, char type) {
  std::string head(kTarBlock, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    std::copy(text.begin(), text.end(), head.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(0, name.substr(0, kLongestName));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", std::clamp<std::int64_t>(bytes, 0, kMaxOctal)));
  put(136, fmt::format("{:011o}", std::clamp<std::int64_t>(seconds, 0, kMaxOctal)));
  put(kSumBegin, std::string(kSumEnd - kSumBegin, ' '));
  head[156] = type;
  put(257, std::string("ustar\0", 6) + "00");
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  put(kSumBegin, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return head;
}

/// "30 path=…\n", whose number counts itself.
std::string pax_record(const std::string& content) {
  std::size_t length = content.size() + 2;
  while (std::to_string(length).size() + content.size() + 2 != length) ++length;
  return fmt::format("{} {}\n", length, content);
}

}  // namespace

std::string tar_head(const std::string& name, std::int64_t bytes, std::int64_t seconds) {
  std::string more;
  if (name.size() > kLongestName) more += pax_record("path=" + name);
  if (bytes > kMaxOctal) more += pax_record(fmt::format("size={}", bytes));
  std::string head;
  if (!more.empty())
    head = block("pax", std::ssize(more), seconds, 'x') + more + tar_padding(std::ssize(more));
  return head + block(name, bytes, seconds, '0');
}

std::string tar_padding(std::int64_t bytes) {
  return std::string(static_cast<std::size_t>((kTarBlock - bytes % kTarBlock) % kTarBlock), '\0');
}

std::string tar_end() { return std::string(2 * kTarBlock, '\0'); }

}  // namespace crema::cohort
