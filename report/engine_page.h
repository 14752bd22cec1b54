// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace crema::report {

/// What the page of a shared module is called: another module has another name. Empty where there is none.
std::string engine_name();

/// A page that holds crema as a WebAssembly module for all pages beside it; a page takes nothing else from
/// it, and only with the checksum that it knows.
std::string make_engine();

}  // namespace crema::report
