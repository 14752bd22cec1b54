// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "crema/agreement/json.h"

namespace crema::python {

/// A record as Python's own objects. Where there is no memory for it, that is raised.
nanobind::object to_python(const Json& record);

}  // namespace crema::python
