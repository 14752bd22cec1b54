// SPDX-License-Identifier: Apache-2.0
#include "python/record.h"

#include <cmath>

namespace crema::python {
namespace {

namespace nb = nanobind;

/// What Python made; it makes nothing where there is no memory.
nb::object owned(PyObject* object) {
  if (object == nullptr) nb::raise_python_error();
  return nb::steal(object);
}

/// Each kind of value as Python has it. Where there is no memory for one, that is raised, and what was made
/// before is given back.
struct Convert {
  nb::object operator()(std::nullptr_t) const { return nb::none(); }
  nb::object operator()(bool truth) const { return nb::borrow(truth ? Py_True : Py_False); }
  nb::object operator()(std::int64_t number) const { return owned(PyLong_FromLongLong(number)); }
  nb::object operator()(std::uint64_t number) const { return owned(PyLong_FromUnsignedLongLong(number)); }

  nb::object operator()(double number) const {
    if (!std::isfinite(number)) return nb::none();  // as in JSON, which has no words for them
    return owned(PyFloat_FromDouble(number));
  }

  /// File names need not be UTF-8; what is not is replaced.
  nb::object operator()(const std::string& text) const {
    return owned(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }

  nb::object operator()(const Json::Array& items) const {
    nb::object list = owned(PyList_New(static_cast<Py_ssize_t>(items.size())));
    Py_ssize_t at = 0;
    for (const Json& item : items)
      if (PyList_SetItem(list.ptr(), at++, std::visit(*this, item.value()).release().ptr()) != 0)
        nb::raise_python_error();
    return list;
  }

  nb::object operator()(const Json::Object& members) const {
    nb::object dict = owned(PyDict_New());
    for (const auto& [name, member] : members) {
      const nb::object key = owned(PyUnicode_InternFromString(name.c_str()));
      if (PyDict_SetItem(dict.ptr(), key.ptr(), std::visit(*this, member.value()).ptr()) != 0)
        nb::raise_python_error();
    }
    return dict;
  }
};

/// What stands in a cell, without the reason where that is nothing.
struct AsJson {
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
  Json operator()(Undefined) const { return nullptr; }
};

}  // namespace

nb::object to_python(const Table& table) {
  Json columns = Json::object();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    Json column = Json::array();
    for (const auto& row : table.rows) column.push_back(std::visit(AsJson{}, row[c].content()));
    columns[table.columns[c]] = std::move(column);
  }
  return to_python(columns);
}

nb::object to_python(const Json& record) { return std::visit(Convert{}, record.value()); }

}  // namespace crema::python
