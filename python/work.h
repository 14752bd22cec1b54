// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include <nanobind/nanobind.h>

#include "crema/fuse.h"

namespace crema::python {

/// What a piece of work and the Python thread that waits for it tell each other.
struct Control {
  std::atomic<bool> stop{false};
  std::atomic<double> share{0};
};

/// Does the work on a thread of its own with the GIL released. Meanwhile the calling thread sees to signals
/// and calls progress(share), unless that is None; what either of them raises stops the work and is raised.
void run(const nanobind::object& progress, const std::function<void(Control&)>& work);

/// The same options, which report to and heed the control.
Options under(Control& control, Options options);

}  // namespace crema::python
