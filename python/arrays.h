// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "crema/base/sentence.h"
#include "crema/base/warning.h"
#include "crema/image/image.h"

namespace crema::python {

namespace nb = nanobind;

/// Borrowed from Python: one run of memory, whatever shape it has there.
template <class T>
using Borrowed = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = Borrowed<std::uint8_t>;

/// Given to Python, which frees it.
template <class T>
using Given = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const Borrowed<T>& array) {
  return {array.data(), array.size()};
}

/// Hands the memory of a vector or canvas over to Python without copying it.
template <class Values>
Given<typename Values::value_type> give(Values values) {
  auto kept = std::make_unique<Values>(std::move(values));
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
  Values& own = *kept.release();
  return Given<typename Values::value_type>(own.data(), {own.size()}, owner);
}

/// Lets Python see an image that is kept here as well.
template <class Values>
Given<typename Values::value_type> lend(std::shared_ptr<Image> image) {
  auto& own = std::get<Values>(*image);
  auto kept = std::make_unique<std::shared_ptr<Image>>(std::move(image));
  const nb::capsule owner(kept.get(),
                          [](void* p) noexcept { delete static_cast<std::shared_ptr<Image>*>(p); });
  static_cast<void>(kept.release());  // NOLINT(bugprone-unused-return-value): the capsule has it
  return Given<typename Values::value_type>(own.data(), {own.size()}, owner);
}

/// Warnings in Python: strings that know their kind and severity.
using ReportedWarnings = nb::typed<nb::list, nb::str>;

inline ReportedWarnings spelled(const Warnings& warnings) {
  nb::list reported;
  if (warnings.empty()) return reported;
  const nb::object make = nb::module_::import_("crema._warning").attr("Warning");
  for (const Warning& warning : crema::spelled(warnings, Spelling::python))
    reported.append(make(warning.marked(), std::string(to_string(warning.kind)),
                         std::string(to_string(severity_of(warning.kind)))));
  return reported;
}

/// Warnings that come from Python: texts, some with a kind.
using Reported = nb::typed<nb::sequence, nb::str>;

/// And back; a string of the caller's own has no special kind.
inline Warnings taken(const Reported& reported) {
  Warnings warnings;
  for (const nb::handle one : reported)
    warnings.emplace_back(nb::cast<std::string>(one),
                          kind_named(nb::cast<std::string>(nb::getattr(one, "kind", nb::str("other")))));
  return warnings;
}

}  // namespace crema::python
