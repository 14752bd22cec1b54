// SPDX-License-Identifier: Apache-2.0
// What each number of the page is: one definition each, the same on terminal, page and in the tables.
#include <fmt/format.h>

#include "report/cohort/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string entry(std::string_view name, const std::string& definition) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, definition);
}

std::string size_words(cohort::SizeUnit unit) {
  switch (unit) {
    case cohort::SizeUnit::cubic_mm:
      return "the sum of a consensus’s levels times the volume of a voxel, in millilitres; for a mask its "
             "volume (<code>volume_mm3</code> in <code>methods.csv</code>, divided by 1000)";
    case cohort::SizeUnit::square_mm:
      return "the sum of a consensus’s levels times the area of a pixel, in mm²; for a mask its area "
             "(<code>area_mm2</code> in <code>methods.csv</code>)";
    case cohort::SizeUnit::voxels:
      break;
  }
  return "the sum of a consensus’s levels, in voxels, since not all files state the size of a voxel; for a "
         "mask the number of its voxels (<code>soft_volume</code> in <code>methods.csv</code>)";
}

}  // namespace

std::string numbers_section(const CohortMaterial& material) {
  if (material.done.empty()) return "";
  const CohortUnit unit = unit_of(material.overview);
  const std::string list =
      entry(unit.what, size_words(material.overview.unit)) +
      entry("Dice with the raters",
            "for each rater 2·|rater ∩ consensus| / (|rater| + |consensus|) over the whole image; the mean "
            "over "
            "the case’s raters, and of those values the mean or median over cases, each case counting once") +
      entry("Lowest Dice", "the least of these over the raters of the case") +
      entry("Positive agreement",
            "the probability that two raters agree on a voxel that one of them drew; it does not depend on "
            "the background (<code>positive_agreement</code> in <code>cases.csv</code>)") +
      entry("LMSD",
            "the sum over components of the mean squared distance to the raters, in the distance of the "
            "method; "
            "only values of one distance can be compared") +
      entry("Size against the majority vote",
            "by how many percent the consensus is larger than that of the majority vote in the same case; "
            "one huge ratio dominates a mean, so median and quartiles are given too") +
      entry("Fall",
            "by how much a component’s criterion is expected to fall if the raters agreed on the finding");
  return section("numbers", "What the numbers are",
                 "Each number is defined once and is the same on the terminal, here and in the tables.",
                 "<dl class=\"numbers\">\n" + list + "</dl>\n");
}

}  // namespace crema::report
