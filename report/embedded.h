// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The files of report/page, as the build embedded them.
namespace crema::report::embedded {

/// What all pages have, with places to fill in, such as {{title}}.
std::string_view frame();
std::string_view style();
/// All modules as one.
std::string_view script();
/// In hexadecimal digits: the page allows this script and no other.
std::string_view script_sha256();

/// The page of a cohort: the same style and a little more, and a script of its own.
std::string_view cohort_style();
std::string_view cohort_script();
std::string_view cohort_script_sha256();

/// The page that takes files: the same style and a little more, and a script that shares most with a
/// report's.
std::string_view app_sections();
std::string_view app_style();
std::string_view app_script();
std::string_view app_script_sha256();

/// As wasm(), with the readers of files.
std::string_view app_wasm();

/// crema as a WebAssembly module, gzipped; empty where it was built without.
std::string_view wasm();
std::string_view wasm_sha256();

/// The page that hands the module over to those that share it.
std::string_view engine_script();
std::string_view engine_script_sha256();

}  // namespace crema::report::embedded
