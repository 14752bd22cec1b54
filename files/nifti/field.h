// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "files/nifti/header.h"

namespace crema::files {

/// One element of an integer field.
std::int64_t integer_at(std::span<const std::uint8_t> raw, const NiftiField& field, std::size_t index,
                        bool big_endian);

/// One element of any field.
double real_at(std::span<const std::uint8_t> raw, const NiftiField& field, std::size_t index,
               bool big_endian);

/// Writes one element, little-endian.
void put_integer(std::span<std::uint8_t> raw, const NiftiField& field, std::size_t index, std::int64_t value);
void put_real(std::span<std::uint8_t> raw, const NiftiField& field, std::size_t index, double value);

/// Copies a field between headers of one version, to the bit, into little-endian.
void copy_field(std::span<std::uint8_t> to, std::span<const std::uint8_t> from, const NiftiField& field,
                bool from_big_endian);

}  // namespace crema::files
