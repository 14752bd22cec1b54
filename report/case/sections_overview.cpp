// SPDX-License-Identifier: Apache-2.0
// All labels of a case side by side, and how those that claimed the same voxels were settled.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "figure/case_figure.h"
#include "report/case/case_parts.h"
#include "report/case/sections.h"
#include "report/compact_json.h"

namespace crema::report {
namespace {

constexpr std::size_t kMaxDisputes = 20;

std::vector<Column> overview_columns(const Grid& grid) {
  std::vector<Column> columns{{"Label", false},    {"Positive agreement"}, {"Mean Dice with the consensus"},
                              {"Components kept"}, {"Left out"},           {"Voxels"}};
  if (grid.measured) columns.push_back({fmt::format("{}, {}", page_unit(grid).what, page_unit(grid).unit)});
  columns.push_back({"LMSD"});
  columns.push_back({"Gap"});
  return columns;
}

std::string mean_dice(const ConsensusStudy& study) {
  double sum = 0;
  int count = 0;
  for (const RaterOverlap& overlap : study.overlaps)
    if (overlap.dice.defined()) sum += *overlap.dice, ++count;
  return count == 0 ? "–" : fmt::format("{:.3f}", sum / count);
}

/// How much lower the best LMSD may be; needs a proof.
std::string gap_cell(const Solution& solution) {
  if (!solution.lower_bound) return "<abbr title=\"--certify finds it\">–</abbr>";
  const std::string gap = gap_html(solution.lmsd, *solution.lower_bound);
  return gap.back() == '%' ? "≤ " + gap : gap;
}

/// "7 voxels", or pixels of a 2-D image.
std::string voxels_html(const raters::Case& of, std::int64_t number) {
  return of.counts.grid().flat() ? counted(number, "pixel", "pixels") : counted(number, "voxel", "voxels");
}

}  // namespace

LabelOverview::LabelOverview(const raters::Case& counted, const raters::Outcome& main)
    : counted_(counted),
      main_(main),
      table_("labels", fmt::format("All labels, as {} fuses them", main.method().name),
             overview_columns(counted.counts.grid())) {}

std::string LabelOverview::name(std::size_t s) const {
  return fmt::format("<span class=\"rater\"><i style=\"background:{}\"></i>{}</span>",
                     figure::colour_of(counted_, s), name_html(bidi_safe(figure::title_of(counted_, s))));
}

std::string LabelOverview::name_of(Label value) const {
  for (std::size_t s = 0; s < counted_.structures(); ++s)
    if (counted_.counts.structures[s].structure.value == value) return name(s);
  return "nothing";
}

void LabelOverview::add(const Findings& findings) {
  const Solution& solution = findings.outcomes.front().structures.front();
  const ConsensusStudy& study = findings.study.consensuses.front();
  const std::int64_t kept = study.kept();
  const std::size_t s = findings.structure;
  std::vector<std::string> cells{
      name(s),       measure_html(findings.study.positive_agreement), mean_dice(study),
      grouped(kept), grouped(std::ssize(solution.components) - kept), grouped(solution.voxels)};
  if (const Grid& grid = counted_.counts.grid(); grid.measured)
    cells.push_back(size_html(grid, static_cast<double>(solution.voxels)));
  cells.push_back(fmt::format("{:.4f}", solution.lmsd));
  cells.push_back(gap_cell(solution));
  table_.add(cells);
  buttons_ += fmt::format("<button type=\"button\" data-structure=\"{}\" aria-pressed=\"{}\">{}</button>\n",
                          shown_.size(), shown_.empty(), name(s));
  shown_.push_back(s);
}

std::string LabelOverview::settled_words() const {
  const LabelConsensus& joint = *main_.joint;
  if (counted_.counts.overlapping())
    return fmt::format("The raters’ segments overlap, so each was fused separately; {} {} several labels.",
                       voxels_html(counted_, joint.shared), joint.shared == 1 ? "has" : "have");
  std::string text = counted_.counts.grid().flat() ? "No pixel was claimed by two labels."
                                                   : "No voxel was claimed by two labels.";
  if (joint.claimed_twice > 0)
    text = fmt::format("{} {} claimed by several labels; {}.", voxels_html(counted_, joint.claimed_twice),
                       joint.claimed_twice == 1 ? "was" : "were",
                       joint.disputes.empty() ? "their levels were divided by their sum"
                                              : "each went where the total criterion is least");
  if (counted_.counts.nested())
    text += fmt::format(" Every region lies inside the one that holds it; {} {} cut for that.",
                        voxels_html(counted_, joint.cut), joint.cut == 1 ? "was" : "were");
  if (joint.undecided > 0)
    text += fmt::format(" {} of the vote were tied.", voxels_html(counted_, joint.undecided));
  if (joint.filled > 0)
    text += fmt::format(" {} labelled by every rater got a label although no label alone took it.",
                        voxels_html(counted_, joint.filled));
  return text +
         fmt::format(" {} labelled by every rater got no label.", voxels_html(counted_, joint.unlabelled));
}

int LabelOverview::number_of(Label value) const {
  for (std::size_t n = 0; n < shown_.size(); ++n)
    if (counted_.counts.structures[shown_[n]].structure.value == value) return static_cast<int>(n);
  return -1;
}

/// To the first voxel, seen as the label has it that got it; where none did, the first that claimed it.
std::string LabelOverview::place_link(const Dispute& dispute) const {
  const Grid& grid = counted_.counts.grid();
  const std::int64_t x = grid.size[0], y = grid.size[1], at = dispute.first;
  const int given = number_of(dispute.given);
  return fmt::format("<a href=\"#look\" data-structure=\"{0}\" data-place=\"{1},{2},{3}\">{1}, {2}, {3}</a>",
                     given >= 0 ? given : number_of(dispute.claimants.front()), at % x, at / x % y,
                     at / x / y);
}

std::string LabelOverview::json() const {
  Json names = Json::array();
  for (const std::size_t s : shown_)
    names.push_back(
        {{"name", bidi_safe(figure::title_of(counted_, s))}, {"colour", figure::colour_of(counted_, s)}});
  return compact(Json{{"names", names}});
}

std::string LabelOverview::disputes() const {
  const std::vector<Dispute>& all = main_.joint->disputes;
  if (all.empty()) return "";
  TableHtml table(
      "disputes", "Voxels claimed by several labels, largest block first",
      {{"Voxels"}, {"The raters said", false}, {"Claimed by", false}, {"Given to", false}, {"First voxel"}});
  const auto names = [&](const std::vector<Label>& labels) {
    std::string text;
    for (const Label label : labels) text += (text.empty() ? "" : " ") + name_of(label);
    return text;
  };
  for (std::size_t i = 0; i < std::min(kMaxDisputes, all.size()); ++i)
    table.add({grouped(all[i].voxels), names(all[i].said), names(all[i].claimants), name_of(all[i].given),
               place_link(all[i])});
  const std::string more =
      all.size() <= kMaxDisputes
          ? ""
          : fmt::format(
                "<p class=\"note\">The {} largest of {} blocks are listed; <code>crema fuse --json</code> "
                "writes more of them.</p>\n",
                kMaxDisputes, all.size());
  return table.html() + more;
}

std::string LabelOverview::conflicts() const {
  if (!main_.joint) return "";
  return fmt::format("<h3>Where labels meet</h3>\n<p>{}</p>\n", settled_words()) + disputes();
}

std::string LabelOverview::html(const PageFacts& facts) const {
  return section("overview", "All labels",
                 "Each label is first fused as a mask; voxels claimed by several labels are then settled. "
                 "Agreement is between the raters: 1 is perfect. LMSD is the mean squared distance to the "
                 "raters, summed over components: lower is closer to the raters.",
                 table_.html() + conflicts() + warnings_html(facts.run.warnings));
}

std::string LabelOverview::chooser() const {
  return fmt::format(
      "<div id=\"chooser\" role=\"group\" aria-label=\"Label that is shown\" hidden>\n{}</div>\n", buttons_);
}

}  // namespace crema::report
