// SPDX-License-Identifier: Apache-2.0
// Raters beside each other, beside the consensus, and what happens without one of them.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "crema/records/units.h"
#include "plot/palette.h"
#include "report/case/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

const RaterPair& pair_of(const AgreementStudy& study, std::size_t a, std::size_t b) {
  const auto low = static_cast<int>(std::min(a, b)), high = static_cast<int>(std::max(a, b));
  return *std::find_if(study.pairs.begin(), study.pairs.end(),
                       [&](const RaterPair& pair) { return pair.a == low && pair.b == high; });
}

/// The shades run over what occurs, so that differences are seen.
std::string heat_cell(const Measured& dice, double low, double high) {
  if (!dice.defined()) return measure_html(dice);
  const double share = high > low ? (*dice - low) / (high - low) : 1;
  // Between 0.66 and 0.74 neither dark nor light letters can be read.
  const double dark = share < 0.7 ? 0.08 + 0.56 * share / 0.7 : 0.75 + 0.2 * (share - 0.7) / 0.3;
  return fmt::format("<span class=\"heat\" style=\"background:{};color:{}\">{:.3f}</span>", plot::shade(dark),
                     dark < 0.7 ? plot::kInk : plot::kWhite, *dice);
}

std::string heat_map(const Material& material) {
  const AgreementStudy& study = material.findings.study;
  const std::size_t raters = material.raters().size();
  double low = 1, high = 0;
  for (const RaterPair& pair : study.pairs) {
    low = std::min(low, pair.dice.value_or(low));
    high = std::max(high, pair.dice.value_or(high));
  }
  std::vector<Column> columns{{"Dice", false}};
  for (std::size_t k = 0; k < raters; ++k) columns.push_back({material.rater_html(k)});
  columns.push_back({"Mean distance to the others"});
  TableHtml table("pairs", "Dice overlap of each pair of raters", columns);
  for (std::size_t a = 0; a < raters; ++a) {
    std::vector<std::string> cells{material.rater_html(a)};
    for (std::size_t b = 0; b < raters; ++b)
      cells.push_back(a == b ? "<span class=\"self\">·</span>"
                             : heat_cell(pair_of(study, a, b).dice, low, high));
    cells.push_back(measure_html(study.outlier.raters[a].dice));
    table.add(cells);
  }
  return table.html();
}

std::string kappa_sentence(const AgreementStudy& study, const Grid& grid) {
  const ChanceCorrected& chance = study.chance;
  if (!chance.kappa.defined() || !chance.alpha.defined()) return "";
  return fmt::format(
      "<p>Fleiss’ kappa is {:.3f} and Krippendorff’s alpha {:.3f} on the {} image of {} {}; both rise "
      "with "
      "the background, positive agreement does not.</p>\n",
      *chance.kappa, *chance.alpha, to_string(chance.region.kind), grouped(chance.voxels),
      grid.flat() ? "pixels" : "voxels");
}

std::string larger_or_smaller(double difference, double consensus) {
  if (consensus <= 0) return "–";
  const double percent = 100 * difference / consensus;
  return fmt::format("{}{:.0f} %",
                     percent < -0.5  ? "−"
                     : percent > 0.5 ? "+"
                                     : "±",
                     percent < 0 ? -percent : percent);
}

std::string list_of(const std::vector<std::size_t>& components) {
  std::string text;
  for (const std::size_t c : components)
    text += fmt::format("{}<a href=\"#look\" data-component=\"{}\">{}</a>", text.empty() ? "" : ", ", c + 1,
                        c + 1);
  return text.empty() ? "–" : text;
}

/// Raters' levels beside the consensus, where they gave them.
std::string levels_table(const Material& material) {
  const ConsensusStudy& study = material.study();
  if (study.level_scores.empty()) return "";
  TableHtml table("levels", "Each rater’s levels against the consensus",
                  {{"Rater", false}, {"Soft Dice"}, {"Tanimoto"}, {"Brier score"}, {"Calibration error"}});
  for (std::size_t k = 0; k < study.level_scores.size(); ++k) {
    const LevelScore& score = study.level_scores[k];
    table.add({material.rater_html(k), measure_html(score.overlap.soft_dice),
               measure_html(score.overlap.tanimoto), measure_html(score.brier, 4),
               measure_html(score.calibration_error, 4)});
  }
  return "<p>The table above uses levels from 0.5 up. Brier score and expected calibration error compare the "
         "levels with the consensus above 0.5; lower is better.</p>\n" +
         table.html();
}

}  // namespace

std::string Material::rater_html(std::size_t rater) const {
  const auto stroke = plot::rater_stroke(static_cast<int>(rater), 1);
  return fmt::format(
      "<span class=\"rater\"><svg class=\"sample\" width=\"26\" height=\"10\" aria-hidden=\"true\">"
      "<path d=\"M0 5H26\" stroke=\"{}\" stroke-width=\"3\"{}/></svg>{}</span>",
      stroke.colour, stroke.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dash),
      name_html(raters()[rater]));
}

std::string Material::names_html(Raters some) const {
  std::string text;
  for (Raters left = some; left != 0; left &= left - 1)
    text += (text.empty() ? "" : " ") + rater_html(static_cast<std::size_t>(std::countr_zero(left)));
  return text.empty() ? "nobody" : text;
}

std::string agreement_section(const Material& material) {
  if (material.raters().size() < 2) return "";
  return section("agreement", "How well the raters agree",
                 "Each number is the overlap of two raters: 1 for identical masks, 0 for nothing in common; "
                 "darker is better. A pale row is a rater unlike all others.",
                 heat_map(material) + kappa_sentence(material.findings.study, material.reduction().grid));
}

std::string raters_section(const Material& material) {
  const ConsensusStudy& study = material.study();
  const Grid& grid = material.reduction().grid;
  const PageUnit unit = page_unit(grid);
  TableHtml table("raters", "Each rater against the consensus",
                  {{"Rater", false},
                   {fmt::format("{}, {}", unit.what, unit.unit)},
                   {"Size against the consensus"},
                   {"Dice"},
                   {"Precision"},
                   {"Recall"},
                   {fmt::format("HD95, {}", length_unit(grid))},
                   {"Regions found"},
                   {"Own regions"}});
  for (std::size_t k = 0; k < material.raters().size(); ++k) {
    const RaterOverlap& overlap = study.overlaps[k];
    const Detection& detection = study.detection.raters[k];
    const auto own = static_cast<double>(overlap.voxels.first);
    const auto consensus = static_cast<double>(overlap.voxels.second);
    table.add({material.rater_html(k), size_html(grid, own), larger_or_smaller(own - consensus, consensus),
               measure_html(overlap.dice), measure_html(overlap.precision), measure_html(overlap.recall),
               measure_html(study.surfaces[k].hd95, 2),
               fmt::format("{} of {}", detection.consensus_found, detection.consensus_parts),
               fmt::format("{}", detection.own_parts - detection.own_found)});
  }
  return section("raters-section", "Each rater against the consensus",
                 "Size against the consensus shows who draws larger (+) or smaller (−). Precision is the "
                 "share of the rater’s mask that is in the consensus, recall the share of the consensus that "
                 "the rater marked; HD95 is the distance between the surfaces, without the worst twentieth. "
                 "Own regions are connected parts that the consensus does not have.",
                 table.html() + levels_table(material));
}

std::string without_section(const Material& material) {
  const ConsensusStudy& study = material.study();
  if (study.left_out.empty()) return "";
  const bool flat = material.reduction().grid.flat();
  TableHtml table("without", "The consensus without one of the raters",
                  {{"Without", false},
                   {flat ? "Consensus, pixels" : "Consensus, voxels"},
                   {flat ? "Change, pixels" : "Change, voxels"},
                   {"Dice with the consensus of all"},
                   {"Components gained", false},
                   {"Components lost", false}});
  for (const LeftOut& one : study.left_out)
    table.add({material.rater_html(static_cast<std::size_t>(one.rater)), grouped(one.voxels.second),
               (one.change > 0 ? "+" : "") + grouped(one.change), measure_html(one.dice), list_of(one.gained),
               list_of(one.lost)});
  return section("without-section", "What would change without one of the raters",
                 "Each rater is left out once and the consensus computed again, on the same components. A "
                 "lost component was in only because of that rater; a gained one was kept out by that rater.",
                 table.html());
}

}  // namespace crema::report
