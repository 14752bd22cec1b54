// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <nanobind/nanobind.h>

#include "crema/agreement/records.h"
#include "crema/reduction.h"

namespace crema::python {

/// The record of a run on these counts as Python's own objects. Where there is no memory for it, that is
/// raised.
nanobind::object to_python(const Reduction& reduction, const std::function<Json()>& make);

}  // namespace crema::python
