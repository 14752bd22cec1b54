// SPDX-License-Identifier: Apache-2.0
// fmt, which Debian has compiled for its own machines alone, once for all files of the WebAssembly build.
#include <fmt/format-inl.h>

namespace fmt::detail {

template thousands_sep_result<char> thousands_sep_impl(locale_ref place);
template char decimal_point_impl(locale_ref place);

}  // namespace fmt::detail
