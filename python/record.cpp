// SPDX-License-Identifier: Apache-2.0
#include "python/record.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <nlohmann/json.hpp>
#include <sys/mman.h>

namespace crema::python {
namespace {

namespace nb = nanobind;

/// Throws bad_alloc unless there is room for so many bytes. The destructor of a tree of JSON allocates, and
/// where it cannot it ends the process: so all that the tree may take is asked for before it is begun.
void require_room(std::size_t bytes) {
  void* const room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  munmap(room, bytes);
}

/// More than a record takes as a tree and as Python's objects together; its rows are the components.
std::size_t max_bytes(const Reduction& reduction) {
  const std::size_t rows = std::min(reduction.crowns.size(), kMaxListedComponents);
  const auto raters = static_cast<std::size_t>(reduction.raters);
  return (std::size_t{4} << 20) + (rows + 1) * (5000 + 1000 * raters);
}

/// What Python made; it makes nothing where there is no memory.
nb::object made(PyObject* object) {
  if (object == nullptr) nb::raise_python_error();
  return nb::steal(object);
}

nb::object convert(const Json& json);

nb::object convert_list(const Json& json) {
  nb::object list = made(PyList_New(static_cast<Py_ssize_t>(json.size())));
  Py_ssize_t at = 0;
  for (const Json& item : json) PyList_SET_ITEM(list.ptr(), at++, convert(item).release().ptr());
  return list;
}

/// File names need not be UTF-8; what is not is replaced.
nb::object convert_text(const std::string& text) {
  return made(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::object convert_dict(const Json& json) {
  nb::object dict = made(PyDict_New());
  for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
    const nb::object name = made(PyUnicode_InternFromString(key.c_str()));
    if (PyDict_SetItem(dict.ptr(), name.ptr(), convert(value).ptr()) != 0) nb::raise_python_error();
  }
  return dict;
}

nb::object convert(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object:
      return convert_dict(json);
    case Json::value_t::array:
      return convert_list(json);
    case Json::value_t::string:
      return convert_text(json.get_ref<const std::string&>());
    case Json::value_t::boolean:
      return nb::borrow(json.get<bool>() ? Py_True : Py_False);
    case Json::value_t::number_integer:
      return made(PyLong_FromLongLong(json.get<std::int64_t>()));
    case Json::value_t::number_unsigned:
      return made(PyLong_FromUnsignedLongLong(json.get<std::uint64_t>()));
    case Json::value_t::number_float:  // JSON has no words for what is not finite
      if (std::isfinite(json.get<double>())) return made(PyFloat_FromDouble(json.get<double>()));
      return nb::none();
    default:
      return nb::none();
  }
}

}  // namespace

nb::object to_python(const Reduction& reduction, const std::function<Json()>& make) {
  require_room(max_bytes(reduction));
  return convert(make());
}

}  // namespace crema::python
