// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "crema/image/image.h"
#include "crema/sentence.h"

namespace crema::python {

namespace nb = nanobind;

/// Borrowed from Python: one run of memory, whatever shape it has there.
template <class T>
using Borrowed = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = Borrowed<std::uint8_t>;

/// Given to Python, which frees it.
template <class T>
using Given = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const Borrowed<T>& array) {
  return {array.data(), array.size()};
}

/// Hands the memory of a vector or canvas over to Python without copying it.
template <class Values>
Given<typename Values::value_type> give(Values values) {
  auto kept = std::make_unique<Values>(std::move(values));
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
  Values& own = *kept.release();
  return Given<typename Values::value_type>(own.data(), {own.size()}, owner);
}

/// Warnings as the caller reads them.
inline std::vector<std::string> spelled(const Warnings& warnings) {
  return texts(warnings, Spelling::python);
}

}  // namespace crema::python
