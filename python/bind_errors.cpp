// SPDX-License-Identifier: Apache-2.0
#include "crema/error.h"
#include "python/bind.h"
#include "python/sentence.h"

namespace crema::python {
namespace {

void set_error(PyObject* kind, const std::exception& error) {
  PyErr_SetString(kind, with_keywords(error.what()).c_str());
}

/// Errors by who is at fault, in Python's own kinds.
void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    set_error(PyExc_ValueError, error);
  } catch (const FileError& error) {
    set_error(PyExc_OSError, error);
  } catch (const ResourceError& error) {
    set_error(PyExc_MemoryError, error);
  } catch (const Cancelled& error) {
    set_error(PyExc_KeyboardInterrupt, error);
  }
}

}  // namespace

void bind_errors(nanobind::module_& /*m*/) { nanobind::register_exception_translator(translate); }

}  // namespace crema::python
