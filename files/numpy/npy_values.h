// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "files/numpy/npy_array.h"

namespace crema::files {

/// Takes stored bytes, a whole number of values of the header's number.
using TakeValues = std::function<void(std::span<const std::uint8_t>)>;

/// Hands over the values of one class (0 where there are none) or of all, the last index running fastest, and
/// reads the array to its end. Throws InputError when it is cut short, too long or damaged.
void read_values(const Source& source, const NpyArray& array, std::int64_t chosen, const TakeValues& take);

/// Memory that takes, in bytes.
double reading_bytes(const NpyArray& array);

}  // namespace crema::files
