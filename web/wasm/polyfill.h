// SPDX-License-Identifier: Apache-2.0
// What the C++ library of Debian's emscripten lacks; every file of the WebAssembly build reads this first.
#pragma once

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>

namespace std {  // NOLINT(cert-dcl58-cpp): these are the standard's own names

/// As from_chars() of a double; a page has no locale but "C".
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  if (first == last || !(*first == '-' || *first == '.' || (*first >= '0' && *first <= '9')))
    return {first, errc::invalid_argument};
  const string text(first, last);
  char* end = nullptr;
  errno = 0;
  const double read = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  if (errno == ERANGE) return {first + (end - text.c_str()), errc::result_out_of_range};
  value = read;
  return {first + (end - text.c_str()), errc()};
}

template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t count) {
  return unique_ptr<Array>(new remove_extent_t<Array>[count]);
}

}  // namespace std
