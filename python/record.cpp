// SPDX-License-Identifier: Apache-2.0
#include "python/record.h"

#include <cmath>
#include <memory>
#include <new>

#include <nlohmann/json.hpp>

namespace crema::python {
namespace {

namespace nb = nanobind;

/// Memory to fall back on while a record is made. The destructor of a tree of JSON allocates, and where it
/// cannot it ends the process: so the first allocation that fails gives this up before it throws. The GIL
/// must be held: there is one at a time.
class Reserve {
 public:
  Reserve() {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(std::size_t{4} << 20);
    before_ = std::set_new_handler(give_up);
  }
  ~Reserve() {
    std::set_new_handler(before_);
    release();
  }
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;

  static void release() noexcept { memory_.reset(); }

 private:
  static void give_up() {
    release();
    throw std::bad_alloc();
  }

  static inline std::unique_ptr<std::byte[]> memory_;
  std::new_handler before_ = nullptr;
};

/// A record whose end finds memory, whoever has run out of it.
struct Record {
  Json json;
  ~Record() { Reserve::release(); }
};

nb::object convert(const Json& json);

nb::object convert_list(const Json& json) {
  nb::list list;
  for (const Json& item : json) list.append(convert(item));
  return list;
}

nb::object convert_dict(const Json& json) {
  nb::dict dict;
  for (const auto& [key, value] : json.items()) dict[key.c_str()] = convert(value);
  return dict;
}

/// File names need not be UTF-8; what is not is replaced.
nb::object convert_text(const std::string& text) {
  PyObject* const made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) nb::raise_python_error();
  return nb::steal(made);
}

/// JSON has no words for what is not finite.
nb::object convert_number(double number) {
  return std::isfinite(number) ? nb::object(nb::float_(number)) : nb::none();
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
      return nb::bool_(json.get<bool>());
    case Json::value_t::number_integer:
      return nb::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return nb::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return convert_number(json.get<double>());
    default:
      return nb::none();
  }
}

}  // namespace

nb::object to_python(const std::function<Json()>& make) {
  const Reserve reserve;
  const Record record{make()};
  return convert(record.json);
}

}  // namespace crema::python
