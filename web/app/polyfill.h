// SPDX-License-Identifier: Apache-2.0
// What the readers of files need besides web/wasm/polyfill.h; their part of the WebAssembly build reads
// this too.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace std {  // NOLINT(cert-dcl58-cpp): these are the standard's own names

template <class To, class From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// As few digits as lead back to the number.
inline to_chars_result to_chars(char* first, char* last, double value) noexcept {
  for (int digits = 1;; ++digits) {
    const int length = snprintf(first, static_cast<size_t>(last - first), "%.*g", digits, value);
    if (length >= last - first) return {last, errc::value_too_large};
    if (digits == 17 || strtod(first, nullptr) == value) return {first + length, errc()};
  }
}

}  // namespace std
