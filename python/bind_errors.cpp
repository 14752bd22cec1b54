// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "crema/base/error.h"
#include "python/bind.h"

namespace crema::python {
namespace {

void raise(PyObject* kind, const Error& error) {
  PyErr_SetString(kind, error.sentence.text(Spelling::python).c_str());
}

void raise_no_memory() {
  PyErr_SetString(PyExc_MemoryError, "there is not enough memory; try fewer threads or a smaller image.");
}

/// No thread can be started where there is no memory for its stack; oneTBB has words for it, the standard
/// library a code.
bool is_lack_of_threads(const std::runtime_error& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr) return system->code() == std::errc::resource_unavailable_try_again;
  return std::string_view(error.what()).starts_with("pthread_create has failed");
}

/// Errors by who is at fault, in Python's own kinds. What is not caught here is RuntimeError.
void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(PyExc_ValueError, error);
  } catch (const FileError& error) {
    raise(PyExc_OSError, error);
  } catch (const ResourceError& error) {
    raise(PyExc_MemoryError, error);
  } catch (const Cancelled& error) {
    raise(PyExc_KeyboardInterrupt, error);
  } catch (const std::bad_alloc&) {
    raise_no_memory();
  } catch (const std::filesystem::filesystem_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const std::runtime_error& error) {
    if (!is_lack_of_threads(error)) throw;
    raise_no_memory();
  }
}

}  // namespace

void bind_errors(nanobind::module_& /*m*/) { nanobind::register_exception_translator(translate); }

}  // namespace crema::python
