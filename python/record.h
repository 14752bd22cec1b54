// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "crema/base/json.h"
#include "crema/records/table.h"

namespace crema::python {

/// A record as Python's own objects. Where there is no memory for it, that is raised.
nanobind::object to_python(const Json& record);

/// A table as a dict from its columns to lists; what is undefined is None.
nanobind::object to_python(const Table& table);

}  // namespace crema::python
