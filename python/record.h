// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <nanobind/nanobind.h>

#include "crema/agreement/records.h"

namespace crema::python {

/// A record as Python's own objects. Where there is no memory for it, that is raised.
nanobind::object to_python(const std::function<Json()>& make);

}  // namespace crema::python
