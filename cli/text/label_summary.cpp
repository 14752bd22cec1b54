// SPDX-License-Identifier: Apache-2.0
#include "cli/text/label_summary.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/text/certificate.h"
#include "cli/text/summary.h"
#include "crema/base/text.h"
#include "crema/records/units.h"

namespace crema::cli {
namespace {

constexpr std::size_t kMaxLabelsShown = 24;

std::string name_of(const Structure& structure) {
  return structure.name.empty() ? fmt::format("{}", structure.value)
                                : fmt::format("{} ({})", printable(structure.name), structure.value);
}

std::string name_of(const LabelCounts& counts, Label value) {
  for (const StructureCounts& own : counts.structures)
    if (own.structure.value == value) return name_of(own.structure);
  return "nobody";
}

std::size_t shown(const LabelCounts& counts) { return std::min(kMaxLabelsShown, counts.structures.size()); }

std::string label_line(const raters::Case& counted, const Solution& result, std::size_t s) {
  const StructureCounts& own = counted.counts.structures[s];
  const auto kept = std::count_if(result.components.begin(), result.components.end(),
                                  [](const Decision& decision) { return decision.soft_voxels > 0; });
  std::string text = fmt::format("{}: {}", name_of(own.structure), crema::counted(result.voxels, "voxel"));
  if (counted.reference.grid.measured)
    text += fmt::format(" ({})", size_text(counted.reference.grid, static_cast<double>(result.voxels)));
  return line("", text + fmt::format(", LMSD {:.6f}, {} of {} kept", result.lmsd, kept,
                                     crema::counted(std::ssize(result.components), "component")));
}

/// "4 voxels claimed by several labels, in 2 blocks: 3 given to liver (1), 1 given to nobody".
std::string dispute_text(const LabelCounts& counts, const LabelConsensus& consensus) {
  if (consensus.claimed_twice == 0) return "no voxel was claimed by two labels";
  std::string text =
      fmt::format("{} claimed by several labels", crema::counted(consensus.claimed_twice, "voxel"));
  if (!consensus.levels.empty()) return text + ": their levels were divided by their sum";
  if (counts.of_levels()) return text + ": each went to the class with the highest mean level";
  std::map<Label, std::int64_t> given;
  for (const Dispute& dispute : consensus.disputes) given[dispute.given] += dispute.voxels;
  std::vector<std::pair<Label, std::int64_t>> by_size(given.begin(), given.end());
  std::stable_sort(by_size.begin(), by_size.end(), [](auto a, auto b) { return a.second > b.second; });
  std::string parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(6, by_size.size()); ++i)
    parts += fmt::format("{}{} given to {}", i == 0 ? "" : ", ", by_size[i].second,
                         name_of(counts, by_size[i].first));
  return fmt::format("{}, in {}: {}{}", text, crema::counted(consensus.disputes.size(), "block"), parts,
                     by_size.size() > 6 ? " …" : "");
}

std::string largest_text(const LabelCounts& counts, const Dispute& dispute) {
  std::string said;
  for (const Label label : dispute.said)
    said += (said.empty() ? "" : ", ") + (label == 0 ? std::string("background") : name_of(counts, label));
  const std::int64_t nx = counts.grid().size[0], ny = counts.grid().size[1], v = dispute.first;
  return fmt::format("largest block: {} from ({}, {}, {}); raters: {}; given to {}",
                     crema::counted(dispute.voxels, "voxel"), v % nx, v / nx % ny, v / nx / ny, said,
                     name_of(counts, dispute.given));
}

std::string joint_lines(const raters::Case& counted, const LabelConsensus& consensus) {
  const LabelCounts& counts = counted.counts;
  if (counts.overlapping())
    return line(
        "overlaps",
        fmt::format("each segment was fused separately, as the raters' segments overlap; {} several labels",
                    crema::counted(consensus.shared, "voxel has", "voxels have")));
  std::string text =
      line("disputed", counts.structures.size() > 1 ? dispute_text(counts, consensus) : "one label alone");
  if (!consensus.disputes.empty()) text += line("", largest_text(counts, consensus.disputes.front()));
  if (counts.nested())
    text += line("nested", fmt::format("every region lies inside the one that holds it; {} cut for that",
                                       crema::counted(consensus.cut, "voxel was", "voxels were")));
  if (consensus.undecided > 0) text += line("tied", crema::counted(consensus.undecided, "voxel"));
  if (consensus.filled > 0)
    text += line("holes", fmt::format("{} labelled by every rater got a label, though no label alone took {}",
                                      crema::counted(consensus.filled, "voxel"),
                                      consensus.filled == 1 ? "it" : "them"));
  text += line("unlabelled", fmt::format("{} labelled by every rater got no label",
                                         crema::counted(consensus.unlabelled, "voxel")));
  return text;
}

}  // namespace

std::string label_lines(const raters::Case& counted, const raters::Outcome& outcome) {
  const LabelConsensus& consensus = *outcome.joint;
  const LabelCounts& counts = counted.counts;
  std::string text =
      line(consensus.method->name,
           fmt::format("LMSD {:.6f} over {} ({:.6f} if labels could overlap)", consensus.lmsd,
                       crema::counted(counts.structures.size(), "label"), consensus.lmsd_alone));
  for (std::size_t s = 0; s < shown(counts); ++s) text += label_line(counted, outcome.structures[s], s);
  if (shown(counts) < counts.structures.size())
    text += line("", fmt::format("… and {} more, in the record", counts.structures.size() - shown(counts)));
  text += joint_lines(counted, consensus);
  if (consensus.lower_bound) {
    std::size_t components = 0;
    for (const StructureCounts& own : counts.structures) components += own.reduction.crowns.size();
    text += line(consensus.method->name,
                 certificate_text({consensus.lmsd, *consensus.lower_bound, components, consensus.unproven}));
  }
  return text;
}

std::string labels_text(const raters::Case& counted) {
  std::string labels;
  for (std::size_t s = 0; s < shown(counted.counts); ++s)
    labels += (s == 0 ? "" : ", ") + name_of(counted.counts.structures[s].structure);
  if (shown(counted.counts) < counted.structures()) labels += " …";
  return labels;
}

std::string structure_heading(const raters::Case& counted, std::size_t s) {
  if (!counted.labelled()) return "";
  return fmt::format("\n{}: {}\n", counted.counts.nested() ? "region" : "label",
                     name_of(counted.counts.structures[s].structure));
}

}  // namespace crema::cli
