// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "crema/fuse.h"

namespace crema::python {

/// The library's options, with the array that they borrow.
struct Settings {
  Options options;
  nanobind::object region;
};

}  // namespace crema::python
