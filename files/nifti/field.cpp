// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/field.h"

#include <bit>

namespace crema::files {

namespace {

constexpr NiftiLayout kOne{
    .version = 1,
    .size = 348,
    .magic = {344, 1, 4, false},
    .dim_info = {39, 1, 1, false},
    .dim = {40, 2, 8, false},
    .datatype = {70, 2, 1, false},
    .bitpix = {72, 2, 1, false},
    .pixdim = {76, 4, 8, true},
    .vox_offset = {108, 4, 1, true},
    .slope = {112, 4, 1, true},
    .intercept = {116, 4, 1, true},
    .units = {123, 1, 1, false},
    .cal_max = {124, 4, 1, true},
    .descrip = {148, 1, 80, false},
    .qform_code = {252, 2, 1, false},
    .sform_code = {254, 2, 1, false},
    .quatern = {256, 4, 3, true},
    .qoffset = {268, 4, 3, true},
    .srow = {280, 4, 12, true},
};

constexpr NiftiLayout kTwo{
    .version = 2,
    .size = 540,
    .magic = {4, 1, 8, false},
    .dim_info = {524, 1, 1, false},
    .dim = {16, 8, 8, false},
    .datatype = {12, 2, 1, false},
    .bitpix = {14, 2, 1, false},
    .pixdim = {104, 8, 8, true},
    .vox_offset = {168, 8, 1, false},
    .slope = {176, 8, 1, true},
    .intercept = {184, 8, 1, true},
    .units = {500, 4, 1, false},
    .cal_max = {192, 8, 1, true},
    .descrip = {240, 1, 80, false},
    .qform_code = {344, 4, 1, false},
    .sform_code = {348, 4, 1, false},
    .quatern = {352, 8, 3, true},
    .qoffset = {376, 8, 3, true},
    .srow = {400, 8, 12, true},
};

std::uint64_t bits_at(std::span<const std::uint8_t> raw, const NiftiField& field, std::size_t index,
                      bool big_endian) {
  const auto bytes = raw.subspan(field.offset + index * field.width, field.width);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < field.width; ++i) {
    bits = (bits << 8) | bytes[big_endian ? i : field.width - 1 - i];
  }
  return bits;
}

void put_bits(std::span<std::uint8_t> raw, const NiftiField& field, std::size_t index, std::uint64_t bits) {
  const auto bytes = raw.subspan(field.offset + index * field.width, field.width);
  for (std::size_t i = 0; i < field.width; ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

}  // namespace

const NiftiLayout& nifti_layout(int version) { return version == 2 ? kTwo : kOne; }

std::int64_t integer_at(std::span<const std::uint8_t> raw, const NiftiField& field, std::size_t index,
                        bool big_endian) {
  const std::uint64_t bits = bits_at(raw, field, index, big_endian);
  switch (field.width) {
    case 1:
      return static_cast<std::int64_t>(bits);
    case 2:
      return static_cast<std::int16_t>(bits);
    case 4:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

double real_at(std::span<const std::uint8_t> raw, const NiftiField& field, std::size_t index,
               bool big_endian) {
  if (!field.real) return static_cast<double>(integer_at(raw, field, index, big_endian));
  const std::uint64_t bits = bits_at(raw, field, index, big_endian);
  if (field.width == 8) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

void put_integer(std::span<std::uint8_t> raw, const NiftiField& field, std::size_t index,
                 std::int64_t value) {
  put_bits(raw, field, index, static_cast<std::uint64_t>(value));
}

void put_real(std::span<std::uint8_t> raw, const NiftiField& field, std::size_t index, double value) {
  if (!field.real) return put_integer(raw, field, index, static_cast<std::int64_t>(value));
  put_bits(raw, field, index,
           field.width == 8 ? std::bit_cast<std::uint64_t>(value)
                            : std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

void copy_field(std::span<std::uint8_t> to, std::span<const std::uint8_t> from, const NiftiField& field,
                bool from_big_endian) {
  for (std::size_t i = 0; i < field.count; ++i)
    put_bits(to, field, i, bits_at(from, field, i, from_big_endian));
}

}  // namespace crema::files
