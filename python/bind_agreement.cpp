// SPDX-License-Identifier: Apache-2.0
// How raters agree, how sure a consensus is, and what other methods make of the same counts.
#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/agreement_record.h"
#include "crema/error.h"
#include "crema/text.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/agreement.h"
#include "raters/names.h"

namespace crema::python {
namespace {

Hd95 find_hd95(const std::string& name) {
  for (const Hd95 kind : {Hd95::max, Hd95::pooled, Hd95::area})
    if (to_string(kind) == name) return kind;
  throw UsageError("hd95 is max, pooled or area, not " + printable(name) + ".");
}

std::optional<LeaveOut> find_mode(const std::optional<std::string>& name) {
  if (!name) return {};
  if (*name == "fixed") return LeaveOut::fixed;
  if (*name == "exact") return LeaveOut::exact;
  throw UsageError("leave_one_out is fixed or exact, not " + printable(*name) + ".");
}

CaseNames names_of(const Fused& fused, const std::string& given) {
  return raters::names_of(fused.run->counted, fused.run->counted.names, given);
}

/// What the study looks at; the image of a method that needs neighbours went to Python and comes back.
Judged judged(const Fused& fused, const Borrowed<float>& levels) {
  const raters::Outcome& outcome = fused.outcome;
  Judged one{std::string(outcome.method().name), &outcome.method(), outcome.solution, outcome.options};
  if (outcome.method().needs != Needs::neighbours) return one;
  const auto seen = view(levels);
  if (outcome.method().kind == Kind::soft) {
    SoftImage map(seen.size(), 0);
    std::copy(seen.begin(), seen.end(), map.begin());
    one.solution.image = std::make_shared<Image>(std::move(map));
  } else {
    HardImage mask(seen.size(), 0);
    std::transform(seen.begin(), seen.end(), mask.begin(), [](float level) { return level > 0.5f ? 1 : 0; });
    one.solution.image = std::make_shared<Image>(std::move(mask));
  }
  return one;
}

/// The program's record of agreement, and the bootstrap's map where one was asked for.
std::pair<nb::object, std::optional<Given<float>>> agreement(
    const Fused& fused, const Borrowed<float>& levels, const std::string& name, bool surfaces,
    double tolerance, const std::string& hd95, const std::optional<std::string>& leave_one_out,
    int replicates, std::uint64_t seed, std::optional<std::size_t> review) {
  const StudyOptions asked{.surfaces = surfaces,
                           .tolerance = tolerance,
                           .hd95 = find_hd95(hd95),
                           .leave_out = find_mode(leave_one_out),
                           .replicates = replicates,
                           .seed = seed,
                           .review = review};
  AgreementStudy study;
  std::optional<Given<float>> map;
  std::vector<float> shares;
  const Reduction& reduction = fused.reduction();
  run([&] {
    const Options& options = fused.outcome.options;
    study = study_agreement(reduction, {judged(fused, levels)}, asked, options.threads);
    if (const auto& found = study.consensuses.front().bootstrap) {
      const Image image = paint(reduction, *found, options);
      std::visit([&](const auto& voxels) { shares.assign(voxels.begin(), voxels.end()); }, image);
    }
  });
  if (replicates > 0) map = give(std::move(shares));
  return {to_python(agreement_record(fused.run->facts(fused.warnings), fused.run->settings, reduction,
                                     names_of(fused, name), study)),
          std::move(map)};
}

/// The program's record of a comparison, for methods that need no more than these counts hold.
nb::object compare(const Fused& fused, const std::vector<std::string>& names, const std::string& name) {
  const std::vector<const Method*> methods = find_methods(names);
  for (const Method* method : methods)
    if (method->needs > fused.outcome.method().needs || method->needs == Needs::neighbours)
      throw UsageError(std::string(method->name) + " needs more than " +
                       std::string(fused.outcome.method().name) +
                       " counted; start from a result of jaccard, or of fuse with both.");
  raters::Comparison found;
  Warnings warnings = fused.run->counted.warnings;
  run([&] { found = raters::compare(fused.run->counted, methods, fused.run->settings, warnings); });
  return to_python(compare_record(fused.run->facts(warnings), fused.run->settings, fused.reduction(),
                                  names_of(fused, name), found.rows, found.pairs));
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("agreement", agreement,
        nb::sig("def agreement(fused: Fused, levels: NDArray[numpy.float32], case: str, surfaces: bool, "
                "tolerance: float, hd95: str, leave_one_out: str | None, replicates: int, seed: int, "
                "review: int | None) -> tuple[dict[str, typing.Any], NDArray[numpy.float32] | None]"));
  m.def("compare", compare,
        nb::sig("def compare(fused: Fused, methods: Sequence[str], case: str) -> dict[str, typing.Any]"));
}

}  // namespace crema::python
