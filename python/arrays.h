// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "crema/image/image.h"

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
  auto* const kept = new Values(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return Given<typename Values::value_type>(kept->data(), {kept->size()}, owner);
}

}  // namespace crema::python
