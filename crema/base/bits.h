// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

namespace crema {

/// A value's bits as another type. std::bit_cast is not there for WebAssembly yet.
template <typename To, typename From>
To bits_as(const From& value) {
  static_assert(sizeof(To) == sizeof(From));
  To bits{};
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace crema
