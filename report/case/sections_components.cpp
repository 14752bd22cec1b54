// SPDX-License-Identifier: Apache-2.0
// Component by component: who drew it, what was decided, by how much, by which rule, and where to look again.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/records/review_words.h"
#include "report/case/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

constexpr std::size_t kMaxListed = 500, kMaxRules = 60, kMaxDecisions = 25;

std::string link(std::size_t component) {
  return fmt::format("<a href=\"#look\" data-component=\"{0}\">{0}</a>", component + 1);
}

/// Components by falling size; those of the same size stay in their order.
std::vector<std::size_t> by_size(const Reduction& reduction, std::size_t most) {
  std::vector<std::size_t> order(reduction.crowns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& list = reduction.components.list;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return list[a].voxels > list[b].voxels; });
  if (order.size() > most) order.resize(most);
  return order;
}

std::string left_out_note(std::size_t all, std::size_t listed) {
  if (all <= listed) return "";
  return fmt::format(
      "<p class=\"note\">The {} largest of {} components are listed; <code>crema agreement "
      "--csv</code> writes all of them.</p>\n",
      listed, all);
}

/// Whose weight, changed least, turns the decision; and who turns it by not being there at all.
std::string stability_html(const Material& material, std::size_t c) {
  const ConsensusStudy& study = material.study();
  std::string without;
  for (const LeftOut& one : study.left_out) {
    const bool turns = std::find(one.lost.begin(), one.lost.end(), c) != one.lost.end() ||
                       std::find(one.gained.begin(), one.gained.end(), c) != one.gained.end();
    if (turns)
      without += (without.empty() ? "" : ", ") + material.rater_html(static_cast<std::size_t>(one.rater));
  }
  if (!without.empty()) return "turns without " + without;
  if (study.stability.empty()) return study.left_out.empty() ? "–" : "same without any single rater";
  const auto& weights = study.stability[c].flip_weight;
  std::size_t nearest = weights.size();
  double least = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double now = material.main().options.weights.empty() ? 1 : material.main().options.weights[k];
    if (!weights[k] || *weights[k] <= 0) continue;
    const double factor = *weights[k] > now ? *weights[k] / now : now / *weights[k];
    if (nearest == weights.size() || factor < least) {
      nearest = k;
      least = factor;
    }
  }
  if (nearest == weights.size()) return "same for any weight of one rater";
  return fmt::format("changes when {} weighs {:.2g}", material.rater_html(nearest), *weights[nearest]);
}

std::string decision_html(const Decision& decision, std::int64_t voxels) {
  if (decision.soft_voxels <= 0) return "<span class=\"dropped\">left out</span>";
  return fmt::format("<span class=\"kept\">kept</span> {} of {}", grouped(decision.voxels), grouped(voxels));
}

std::string margin_html(const Measured& margin) {
  if (!margin.defined()) return measure_html(margin);
  return fmt::format("{}{:.4f}", *margin < 0 ? "−" : "+", *margin < 0 ? -*margin : *margin);
}

std::string more_decisions_note(std::size_t all, std::size_t listed) {
  if (all <= listed) return "";
  return fmt::format(
      "<p class=\"note\">The first {} of {} decisions; <code>crema agreement --review</code> writes all of "
      "them.</p>\n",
      listed, grouped(static_cast<std::int64_t>(all)));
}

}  // namespace

std::string components_section(const Material& material) {
  const Reduction& reduction = material.reduction();
  const ConsensusStudy& study = material.study();
  const PageUnit unit = page_unit(reduction.grid);
  TableHtml table("components", "Components of the union of all masks, the largest first",
                  {{"Component", false},
                   {"Drawn by", false},
                   {"Raters"},
                   {reduction.grid.flat() ? "Union, pixels" : "Union, voxels"},
                   {fmt::format("Union, {}", unit.unit)},
                   {reduction.grid.flat() ? "Decision, pixels" : "Decision, voxels", false},
                   {"Margin"},
                   {"How stable", false}});
  const std::vector<std::size_t> order = by_size(reduction, kMaxListed);
  for (const std::size_t c : order) {
    const Component& component = reduction.components.list[c];
    const Decision& decision = study.evaluated.solution.components[c];
    const Raters present = raters_present(reduction.crowns[c].tally);
    table.add({link(c), material.names_html(present),
               fmt::format("{} of {}", std::popcount(present), reduction.raters), grouped(component.voxels),
               size_html(reduction.grid, static_cast<double>(component.voxels)),
               decision_html(decision, component.voxels), margin_html(study.margins[c]),
               stability_html(material, c)},
              decision.soft_voxels > 0 ? " class=\"in\"" : " class=\"out\"");
  }
  return section("components-section", "Component by component",
                 "A component is a connected region of the union of all masks; its number links to it in the "
                 "viewer. It is kept if some mask in it is closer to the raters than an empty one; the "
                 "margin is the difference, above 0 in favour of keeping it. Near 0 the decision is close.",
                 table.html() + left_out_note(reduction.crowns.size(), order.size()));
}

std::string rules_section(const Material& material) {
  const ConsensusStudy& study = material.study();
  TableHtml table("rules", "The rule of each component", {{"Component", false}, {"In words", false}});
  std::size_t reported = 0;
  for (const std::size_t c : by_size(material.reduction(), kMaxRules)) {
    const FoundWeights& found = study.weights[c];
    if (found.reason) continue;
    ++reported;
    table.add({link(c), "<bdi>" + escaped(rule_in_words(found, material.raters())) + "</bdi>"});
  }
  if (reported == 0) return "";
  return section(
      "rules-section", "The weights found, and the rule in words",
      "A consensus of least distance is a weighted vote with weights of its own: it holds what "
      "raters with a total weight above the threshold marked. A heuristic follows the rule with few "
      "exceptions.",
      table.html());
}

std::string review_section(const Material& material) {
  const ConsensusStudy& study = material.study();
  if (study.review.empty()) return "";
  const Grid& grid = material.reduction().grid;
  TableHtml table("review", "Decisions, the most important first",
                  {{"Decision", false},
                   {"What", false},
                   {"Component"},
                   {grid.flat() ? "Pixels" : "Voxels"},
                   {"In the consensus"},
                   {"Drawn by", false},
                   {"At"}});
  const std::size_t listed = std::min(study.review.size(), kMaxDecisions);
  for (std::size_t i = 0; i < listed; ++i) {
    const ReviewItem& item = study.review[i];
    table.add({fmt::format("<a href=\"#look\" data-place=\"{}\">{}</a>", fmt::join(item.at, ","), i + 1),
               "<bdi>" + escaped(review_words(item, grid, material.raters())) + "</bdi>",
               link(item.component), grouped(item.voxels), grouped(item.inside),
               material.names_html(item.drawn), fmt::format("{}", fmt::join(item.at, ", "))});
  }
  return section("review-section", "Where to look again",
                 "Decisions for an adjudicator: first components that a single rater keeps or leaves out, "
                 "then those left out although two or more raters drew them, then zones on which the raters "
                 "of a component disagree, ordered by how far the criterion would fall if they agreed.",
                 table.html() + more_decisions_note(study.review_all, listed));
}

}  // namespace crema::report
