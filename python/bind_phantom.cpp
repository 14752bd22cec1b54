// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/phantom/phantom.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/work.h"

namespace crema::python {
namespace {

/// The raters' masks one after the other, and their grid.
std::pair<Given<std::uint8_t>, Grid> phantom(const std::string& kind,
                                             std::optional<std::array<std::int32_t, 3>> size, bool full,
                                             int raters, std::uint64_t seed, int lesions) {
  const PhantomKind parsed = parse_phantom_kind(kind);
  PhantomOptions options{.kind = parsed, .raters = raters, .seed = seed, .lesions = lesions};
  options.size = size.value_or(phantom_size(parsed, full ? PhantomSize::full : PhantomSize::small));
  std::vector<std::uint8_t> stack;
  Grid grid;
  run([&] {
    const Phantom drawn = make_phantom(options);
    grid = drawn.grid;
    stack.reserve(drawn.masks.size() * static_cast<std::size_t>(grid.voxels()));
    for (const auto& mask : drawn.masks) stack.insert(stack.end(), mask.begin(), mask.end());
  });
  return {give(std::move(stack)), grid};
}

}  // namespace

void bind_phantom(nb::module_& m) {
  m.def("phantom", phantom, nb::arg("kind"), nb::arg("size").none(), nb::arg("full"), nb::arg("raters"),
        nb::arg("seed"), nb::arg("lesions"));
}

}  // namespace crema::python
