// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace crema::report {

/// The page that takes files, as one HTML file; empty where crema was built without WebAssembly.
std::string make_app();

}  // namespace crema::report
