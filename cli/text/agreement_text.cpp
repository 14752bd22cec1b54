// SPDX-License-Identifier: Apache-2.0
#include "cli/text/agreement_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "cli/help/help.h"
#include "cli/shell/terminal.h"
#include "cli/text/cells.h"
#include "cli/text/columns.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/base/text.h"
#include "crema/records/units.h"

namespace crema::cli {
namespace {

constexpr std::size_t kName = 13, kPairName = 11, kLongName = 32;

std::string why(const Measured& measure) {
  return measure.defined() ? fmt::format("{:.4f}", *measure)
                           : fmt::format("undefined: {}", to_string(*measure.reason()));
}

std::string region_text(const ChanceCorrected& chance) {
  using Kind = Region::Kind;
  const auto margin = chance.region.margin;
  const std::string around =
      margin == 0 ? "" : fmt::format(" and {} around it", crema::counted(margin, "voxel"));
  if (chance.region.kind == Kind::full)
    return fmt::format("the full image, {}", crema::counted(chance.voxels, "voxel"));
  if (chance.region.kind == Kind::box)
    return fmt::format("the raters' box{}, {}", around, crema::counted(chance.voxels, "voxel"));
  if (chance.region.kind == Kind::near_union)
    return fmt::format("the raters' union{}, {}", around, crema::counted(chance.voxels, "voxel"));
  return fmt::format("the region, {}", crema::counted(chance.voxels, "voxel"));
}

/// "The same masks give a kappa of 0.13 (box), 0.79 (image), 0.80 (10 × background): …"
std::string moves_text(const AgreementStudy& study) {
  std::string text;
  for (const ChanceCorrectedAt& at : study.moves)
    if (at.kappa.defined())
      text += fmt::format("{}{:.4f} ({})", text.empty() ? "" : ", ", *at.kappa, to_string(at.size));
  if (text.empty()) return "";
  return wrap(fmt::format("The same masks give a kappa of {}: kappa and alpha depend on the background, "
                          "positive agreement does not.",
                          text),
              0, text_width(Stream::output));
}

std::string headline(const AgreementStudy& study) {
  const ChanceCorrected& chance = study.chance;
  std::string text = line("agreement", fmt::format("positive agreement {}", why(study.positive_agreement)));
  const std::string where = region_text(chance);
  if (chance.kappa.defined())
    text += line("", fmt::format("Fleiss' kappa {:.4f} in {}", *chance.kappa, where));
  else
    text += line("", "Fleiss' kappa " + why(chance.kappa));
  if (chance.alpha.defined()) text += line("", fmt::format("Krippendorff's alpha {:.4f}", *chance.alpha));
  return text + moves_text(study);
}

std::string outlier_text(const CaseNames& names, const AgreementStudy& study) {
  if (!study.outlier.outlier)
    return line("outlier", fmt::format("none: {}", to_string(*study.outlier_rater.reason())));
  const RaterDistance& out = study.outlier.raters[static_cast<std::size_t>(*study.outlier.outlier)];
  const auto name = [&](int k) {
    return shortened(files::printable(names.raters[static_cast<std::size_t>(k)]), kLongName);
  };
  std::string text =
      line("outlier", fmt::format("{}: mean Dice {:.4f} with the others", name(out.rater), 1 - *out.dice));
  for (const RaterPair& pair : study.pairs) {
    const bool meant = out.farthest_from && ((pair.a == out.rater && pair.b == *out.farthest_from) ||
                                             (pair.b == out.rater && pair.a == *out.farthest_from));
    if (meant)
      text += line("", fmt::format("farthest from {} (Dice {:.4f})", name(*out.farthest_from), *pair.dice));
  }
  return text;
}

/// All pairs, or where they are too many those that agree least.
std::vector<std::size_t> shown_pairs(const AgreementStudy& study) {
  std::vector<std::size_t> shown(study.pairs.size());
  std::iota(shown.begin(), shown.end(), 0);
  if (shown.size() <= kMaxShownPairs) return shown;
  std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
    return study.pairs[a].dice.value_or(2) < study.pairs[b].dice.value_or(2);
  });
  shown.resize(kMaxShownPairs);
  return shown;
}

std::string pairs_text(const CaseNames& names, const AgreementStudy& study) {
  if (study.pairs.empty()) return "";
  const auto short_names = narrow_names(names.raters, kPairName);
  const auto shown = shown_pairs(study);
  std::vector<Cells> cells{{"rater", "and rater"}};
  std::vector<PairRow> rows;
  for (const std::size_t p : shown) {
    const RaterPair& pair = study.pairs[p];
    rows.push_back({names, study, p});
    cells.push_back(
        {short_names[static_cast<std::size_t>(pair.a)], short_names[static_cast<std::size_t>(pair.b)]});
  }
  add_columns(cells, rater_pair_columns(names), rows,
              {"dice", "jaccard", "volume_difference_mm3|area_difference_mm2|voxel_difference",
               "hausdorff_mm|hausdorff_voxels", "hd95_mm|hd95_voxels", "assd_mm|assd_voxels", "nsd"});
  std::string text = table(cells, {.width = text_width(Stream::output), .names = 2});
  if (shown.size() < study.pairs.size())
    text += fmt::format("  … the {} of {} pairs that agree least\n", shown.size(), study.pairs.size());
  return text;
}

/// The same pairs by their levels, where raters gave them.
std::string level_pairs_text(const CaseNames& names, const AgreementStudy& study) {
  if (study.level_pairs.empty()) return "";
  const auto short_names = narrow_names(names.raters, kPairName);
  std::vector<Cells> cells{{"levels", "and rater"}};
  std::vector<PairRow> rows;
  for (const std::size_t p : shown_pairs(study)) {
    rows.push_back({names, study, p});
    cells.push_back({short_names[static_cast<std::size_t>(study.pairs[p].a)],
                     short_names[static_cast<std::size_t>(study.pairs[p].b)]});
  }
  add_columns(cells, rater_pair_columns(names), rows, {"soft_dice", "tanimoto"});
  return "\n" + table(cells, {.width = text_width(Stream::output), .names = 2});
}

/// Raters' levels beside a consensus.
std::string calibration_text(const CaseNames& names, const AgreementStudy& study, const ConsensusStudy& one) {
  if (one.level_scores.empty()) return "";
  std::vector<Cells> cells{{"levels"}};
  for (const std::string& name : narrow_names(names.raters, kName)) cells.push_back({name});
  add_columns(cells, rater_columns(names), rater_rows(names, study, one),
              {"soft_dice", "tanimoto", "brier", "calibration_error"});
  const std::size_t width = text_width(Stream::output);
  return "\n" + table(cells, {.width = width}) +
         wrap(
             "on the support; Brier score and expected calibration error (ECE) against the consensus above "
             "0.5",
             2, width);
}

std::string beside_text(const CaseNames& names, const AgreementStudy& study, const ConsensusStudy& one) {
  std::vector<Cells> cells{{"rater"}};
  for (const std::string& name : narrow_names(names.raters, kName)) cells.push_back({name});
  add_columns(cells, rater_columns(names), rater_rows(names, study, one),
              {"voxels", "precision", "recall", "f1", "jaccard", "hd95_mm|hd95_voxels", "assd_mm|assd_voxels",
               "nsd"});
  return table(cells, {.width = text_width(Stream::output)});
}

void add_means(Cells& cells, const MeanAgreement& means) {
  for (const BothMeans& mean : {means.precision, means.recall, means.f1})
    cells.push_back(fmt::format("{:.3f}", mean.counted) + " " + decimals(mean.left_out, 3));
}

/// Every lesion counts alike; 0/0 as 1, and behind it with 0/0 left out.
std::string lesions_text(const CaseNames& names, const ConsensusStudy& one) {
  const auto short_names = narrow_names(names.raters, kName);
  std::vector<Cells> rows{{"by lesion", "precision", "recall", "F1", "found", "own parts", "F1"},
                          {"", "", "", "", "of parts", "confirmed", "det."}};
  for (std::size_t k = 0; k < one.overlaps.size(); ++k) {
    const Detection& found = one.detection.raters[k];
    Cells cells{short_names[k]};
    add_means(cells, one.lesions[k]);
    cells.push_back(fmt::format("{}/{}", found.consensus_found, found.consensus_parts));
    cells.push_back(fmt::format("{}/{}", found.own_found, found.own_parts));
    cells.push_back(decimals(found.f1, 3));
    rows.push_back(std::move(cells));
  }
  const MeanAgreement means = mean_detection(one.detection);
  const std::size_t width = text_width(Stream::output);
  std::string text = table(rows, {.width = width}) +
                     wrap("each number twice: 0/0 counted as 1, and without such lesions", 2, width);
  text +=
      wrap(fmt::format("detection, mean over raters: precision {:.3f} ({}), recall {:.3f} ({}), F1 {:.3f} "
                       "({}); 0/0 counted as 1, in brackets left out",
                       means.precision.counted, decimals(means.precision.left_out, 3), means.recall.counted,
                       decimals(means.recall.left_out, 3), means.f1.counted, decimals(means.f1.left_out, 3)),
           2, width);
  for (std::size_t k = 0; k < one.overlaps.size(); ++k) {
    const auto splits = one.detection.raters[k].splits.size(), merges = one.detection.raters[k].merges.size();
    if (splits + merges > 0)
      text += wrap(fmt::format("{} splits {} of the consensus and merges parts {}", short_names[k],
                               crema::counted(splits, "part"), crema::counted(merges, "time")),
                   2, width);
  }
  return text;
}

std::string consensus_head(const Reduction& reduction, const ConsensusStudy& one) {
  const Solution& solution = one.evaluated.solution;
  return line("consensus", fmt::format("{}: {}", shortened(files::printable(one.evaluated.name), kLongName),
                                       crema::counted(solution.voxels, "voxel"))) +
         line("", fmt::format("{} of {} kept, {}, {}", one.kept(),
                              crema::counted(std::ssize(reduction.crowns), "component"),
                              crema::counted(one.detection.parts, "part"),
                              crema::counted(one.detection.isolated, "isolated voxel")));
}

}  // namespace

std::string agreement_text(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study) {
  std::string text = headline(study) + outlier_text(names, study);
  const std::string pairs = pairs_text(names, study);
  if (!pairs.empty()) text += "\n" + pairs;
  if (study.requested.surfaces)
    text +=
        fmt::format("  surface distances in {0}; HD95 {1}; tolerance of NSD {2}\n", length_unit(study.grid),
                    word_of(study.requested.hd95, kHd95Words), study.requested.surface_tolerance);
  text += level_pairs_text(names, study);
  if (reduction.levels) text += "  the first table and surfaces use levels from 0.5 up\n";
  for (const ConsensusStudy& one : study.consensuses) {
    text += "\n" + consensus_head(reduction, one) + beside_text(names, study, one) +
            calibration_text(names, study, one) + "\n" + lesions_text(names, one);
    text += confidence_text(names, reduction, study, one);
  }
  return text;
}

}  // namespace crema::cli
