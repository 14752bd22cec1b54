// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

/// The parts of the extension, one function each; bind.cpp lists them.
namespace crema::python {

void bind_errors(nanobind::module_& m);
void bind_settings(nanobind::module_& m);
void bind_files(nanobind::module_& m);
void bind_raters(nanobind::module_& m);
void bind_fuse(nanobind::module_& m);
void bind_agreement(nanobind::module_& m);
void bind_certify(nanobind::module_& m);
void bind_check(nanobind::module_& m);
void bind_figure(nanobind::module_& m);
void bind_phantom(nanobind::module_& m);

}  // namespace crema::python
