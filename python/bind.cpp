// SPDX-License-Identifier: Apache-2.0
#include "python/bind.h"

#include <nanobind/stl/string_view.h>

#include "crema/base/version.h"

NB_MODULE(_core, m) {
  using namespace crema::python;
  nanobind::set_leak_warnings(false);  // what a notebook still holds at its end is no leak
  m.doc() = "The C++ library behind crema. Private: names and arguments may change in any version.";
  bind_errors(m);
  bind_settings(m);
  bind_files(m);
  bind_raters(m);
  bind_fuse(m);
  bind_agreement(m);
  bind_certify(m);
  bind_check(m);
  bind_figure(m);
  bind_phantom(m);
  m.def("version", crema::version);
}
