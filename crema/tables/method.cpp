// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/method.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/counts/solvers.h"
#include "crema/counts/staple/variants.h"
#include "crema/levels/methods.h"
#include "crema/spatial/methods.h"

namespace crema {
namespace {

constexpr std::string_view kMacchiato = "Hamzaoui et al., MELBA 2023:013";
constexpr std::string_view kStaple = "Warfield, Zou and Wells, IEEE TMI 23(7), 2004";
constexpr std::string_view kShape = "Rohlfing and Maurer, IEEE TIP 16(1), 2007";
constexpr std::string_view kTverskyPaper = "Tversky, Psychological Review 84(4), 1977";

constexpr std::string_view kRobust = "Audelan et al., MICCAI 2020";

constexpr Accept kCriterion = Accept::criterion | Accept::weights | Accept::slices | Accept::tie;
constexpr Accept kPaper = kCriterion | Accept::empty_test | Accept::levels;
constexpr Accept kProven = kPaper | Accept::proof;
constexpr Accept kTversky = kCriterion | Accept::empty_test | Accept::tversky;
constexpr Accept kVote = Accept::weights | Accept::slices;
constexpr Accept kLevelVote = kVote | Accept::levels;
constexpr Accept kEstimate = Accept::region | Accept::prior | Accept::iterations;
constexpr Accept kLikeliest = Accept::region | Accept::tie;

constexpr std::array kMethods{
    Method{"jaccard", "MACCHIatO-J", Kind::hard, Aim::distance, Needs::distances, kProven, Several::settled,
           Origin::paper, Distance::jaccard, solve_for<Distance::jaccard>,
           "mask of least mean squared Jaccard distance to the raters, component by component", kMacchiato,
           PartSolver{solve_part}},
    Method{"dice", "MACCHIatO-D", Kind::hard, Aim::distance, Needs::distances, kProven, Several::settled,
           Origin::paper, Distance::dice, solve_for<Distance::dice>,
           "mask of least mean squared Dice distance to the raters, component by component", kMacchiato,
           PartSolver{solve_part}},
    Method{"majority", "Majority Voting", Kind::hard, Aim::vote, Needs::groups, kLevelVote | Accept::tie,
           Several::plurality, Origin::paper, Distance::jaccard, solve_majority,
           "voxels that more than half of the raters marked", "Rohlfing et al., NeuroImage 21(4), 2004",
           SupportSolver{majority_of_levels}},
    Method{"tanimoto", "MACCHIatO-TJ", Kind::soft, Aim::distance, Needs::distances, kPaper, Several::settled,
           Origin::paper, Distance::tanimoto, solve_for<Distance::tanimoto>,
           "levels of least mean squared Tanimoto distance: a soft Jaccard, as uncertain as the average",
           kMacchiato, PartSolver{solve_part}},
    Method{"soergel", "MACCHIatO-SJ", Kind::soft, Aim::distance, Needs::distances, kProven, Several::settled,
           Origin::paper, Distance::soergel, solve_for<Distance::soergel>,
           "levels of least mean squared Soergel distance: a soft Jaccard, nearly hard", kMacchiato,
           PartSolver{solve_part}},
    Method{"dice1", "MACCHIatO-1SD", Kind::soft, Aim::distance, Needs::distances, kProven, Several::settled,
           Origin::paper, Distance::dice1, solve_for<Distance::dice1>,
           "levels of least mean squared soft Dice distance, nearly hard", kMacchiato,
           PartSolver{solve_part}},
    Method{"dice2", "MACCHIatO-2SD", Kind::soft, Aim::distance, Needs::distances, kPaper, Several::settled,
           Origin::paper, Distance::dice2, solve_for<Distance::dice2>,
           "levels of least mean squared soft Dice distance with squares, as uncertain as the average",
           kMacchiato, PartSolver{solve_part}},
    Method{"average", "Mask Averaging", Kind::soft, Aim::vote, Needs::groups, kLevelVote, Several::settled,
           Origin::paper, Distance::soergel, solve_average, "share of raters who marked each voxel",
           "Aljabar et al., NeuroImage 46(3), 2009", SupportSolver{average_levels}},
    Method{"staple", "MML STAPLE", Kind::soft, Aim::performance, Needs::groups, kEstimate | Accept::preset,
           Several::staple, Origin::paper, Distance::soergel, solve_staple,
           "chance that a voxel is inside, estimated together with each rater's sensitivity and specificity",
           kStaple},
    Method{"ml-staple", "ML STAPLE", Kind::hard, Aim::performance, Needs::groups,
           kLikeliest | Accept::iterations, Several::refused, Origin::paper, Distance::jaccard,
           solve_ml_staple, "mask of greatest likelihood under each rater's sensitivity and specificity",
           kMacchiato},
    Method{
        "local-majority", "Majority of those present", Kind::hard, Aim::local_vote, Needs::groups,
        kVote | Accept::tie, Several::settled, Origin::elsewhere, Distance::jaccard, solve_local_majority,
        "voxels that more than half of the raters present in a component drew, if more than half are present",
        kMacchiato},
    Method{"hamming", "Fréchet mean, Hamming", Kind::hard, Aim::distance, Needs::distances, kCriterion,
           Several::settled, Origin::elsewhere, Distance::hamming, solve_for<Distance::hamming>,
           "mask that differs from the raters in the fewest voxels on average: the majority vote, as a mean",
           kMacchiato},
    Method{"hamming1", "Fréchet mean, soft Hamming", Kind::soft, Aim::distance, Needs::distances, kCriterion,
           Several::settled, Origin::elsewhere, Distance::hamming1, solve_for<Distance::hamming1>,
           "levels of least mean absolute difference to the raters; they are 0 and 1", kMacchiato},
    Method{
        "tversky", "MACCHIatO, Tversky", Kind::hard, Aim::distance, Needs::distances, kTversky,
        Several::settled, Origin::elsewhere, Distance::tversky, solve_for<Distance::tversky>,
        "mask of least mean squared Tversky distance, which weighs what is too much against what is missing",
        kTverskyPaper},
    Method{"tversky1", "MACCHIatO, soft Tversky", Kind::soft, Aim::distance, Needs::distances, kTversky,
           Several::settled, Origin::elsewhere, Distance::tversky1, solve_for<Distance::tversky1>,
           "levels of least mean squared Tversky distance, nearly hard", kTverskyPaper},
    Method{"accuracy", "STAPLE, p=q", Kind::soft, Aim::performance, Needs::groups, kEstimate,
           Several::refused, Origin::elsewhere, Distance::soergel, solve_accuracy,
           "STAPLE with one accuracy per rater, inside as outside", kMacchiato},
    Method{"shared", "STAPLE, shared p and q", Kind::soft, Aim::performance, Needs::groups, kEstimate,
           Several::refused, Origin::elsewhere, Distance::soergel, solve_shared,
           "STAPLE with one sensitivity and one specificity for all raters", kMacchiato},
    Method{"common", "STAPLE, one common accuracy", Kind::soft, Aim::performance, Needs::groups, kEstimate,
           Several::refused, Origin::elsewhere, Distance::soergel, solve_common,
           "STAPLE with one accuracy for all raters, inside as outside; with prior 0.5 the majority vote",
           kMacchiato},
    Method{"ml-accuracy", "ML STAPLE, p=q", Kind::hard, Aim::performance, Needs::groups,
           kLikeliest | Accept::iterations, Several::refused, Origin::elsewhere, Distance::jaccard,
           solve_ml_accuracy, "mask of greatest likelihood under one accuracy per rater: a weighted vote",
           kMacchiato},
    Method{"ml-shared", "ML STAPLE, shared p and q", Kind::hard, Aim::performance, Needs::groups,
           kLikeliest | Accept::iterations, Several::refused, Origin::elsewhere, Distance::jaccard,
           solve_ml_shared,
           "mask of greatest likelihood under one sensitivity and one specificity for all raters",
           kMacchiato},
    Method{"ml-common", "ML STAPLE, one common accuracy", Kind::hard, Aim::performance, Needs::groups,
           kLikeliest, Several::refused, Origin::elsewhere, Distance::jaccard, solve_ml_common,
           "mask of greatest likelihood under one accuracy for all raters: exactly the majority vote",
           kMacchiato},
    Method{"simple", "SIMPLE", Kind::hard, Aim::performance, Needs::groups,
           Accept::iterations | Accept::drop_below | Accept::tie, Several::simple, Origin::elsewhere,
           Distance::jaccard, solve_simple,
           "vote weighted by overlap with the estimate; raters far below the others are dropped",
           "Langerak et al., IEEE TMI 29(12), 2010"},
    Method{"staple-mrf", "STAPLE, Ising prior", Kind::hard, Aim::performance, Needs::neighbours,
           kEstimate | Accept::coupling, Several::refused, Origin::elsewhere, Distance::jaccard,
           solve_staple_mrf, "most likely mask when neighbouring voxels tend to agree", kStaple},
    Method{"local-staple", "Local MAP STAPLE", Kind::soft, Aim::performance, Needs::neighbours,
           Accept::iterations | Accept::window, Several::refused, Origin::elsewhere, Distance::soergel,
           solve_local_staple, "STAPLE in a sliding window, for raters whose quality varies in space",
           "Commowick et al., IEEE TMI 31(8), 2012"},
    Method{"shape", "Shape-based averaging", Kind::hard, Aim::shape, Needs::neighbours,
           Accept::weights | Accept::tie, Several::shape, Origin::elsewhere, Distance::jaccard, solve_shape,
           "where the mean signed distance to the raters' outlines, in mm, is "
           "negative",
           kShape},
    Method{"shape-soft", "Shape-based averaging, soft", Kind::soft, Aim::shape, Needs::neighbours,
           Accept::weights | Accept::softness, Several::refused, Origin::elsewhere, Distance::soergel,
           solve_shape_soft,
           "the mean signed distance to the raters' outlines, in mm, as a level from 0 to 1", kShape},
    Method{"median", "Median", Kind::soft, Aim::vote, Needs::groups, Accept::slices | Accept::levels,
           Several::refused, Origin::elsewhere, Distance::soergel, Solver{nullptr},
           "median of the raters' levels in each voxel; for probability maps", kMacchiato,
           SupportSolver{median_levels}},
    Method{"logit-average", "Mean logit", Kind::soft, Aim::vote, Needs::groups, kLevelVote, Several::settled,
           Origin::elsewhere, Distance::soergel, Solver{nullptr},
           "level of the mean logit of the raters' levels; for probability maps", kMacchiato,
           SupportSolver{average_logits}},
    Method{"robust", "Robust fusion", Kind::soft, Aim::performance, Needs::groups,
           Accept::slices | Accept::levels, Several::refused, Origin::elsewhere, Distance::soergel,
           Solver{nullptr},
           "mean logit that doubts raters where they are far off, after their bias; for probability maps",
           kRobust, SupportSolver{robust_levels}},
};

std::string folded(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::span<const Method> methods() { return kMethods; }

bool takes_masks(const Method& method) {
  return std::visit([](auto solver) { return solver != nullptr; }, method.solver);
}

const Method& find_method(std::string_view name) {
  const std::string wanted = folded(name);
  std::vector<std::string> names;
  for (const Method& method : kMethods)
    for (const std::string_view known : {method.name, method.paper_name}) {
      if (wanted == folded(known)) return method;
      names.push_back(folded(known));
    }
  const std::optional<std::size_t> near = nearest(wanted, names);
  throw UsageError(fmt::format("unknown method {}.{} {} lists all methods.", printable(name),
                               near ? fmt::format(" Did you mean {}?", kMethods[*near / 2].name) : "",
                               Sentence::command("methods")));
}

std::vector<const Method*> find_methods(std::span<const std::string> names) {
  std::vector<const Method*> chosen;
  const auto choose = [&](const Method& method) {
    if (std::find(chosen.begin(), chosen.end(), &method) == chosen.end()) chosen.push_back(&method);
  };
  for (const std::string& name : names) {
    if (name != "all" && name != "paper") {
      choose(find_method(name));
      continue;
    }
    for (const Method& method : kMethods)
      if (name == "all" || method.origin == Origin::paper) choose(method);
  }
  if (chosen.empty()) throw UsageError("no method given; name at least one.");
  return chosen;
}

std::string list_names(std::span<const Method* const> methods, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < methods.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == methods.size() ? last : ", ", methods[i]->name);
  return text;
}

std::vector<Distance> distances() {
  std::vector<Distance> all;
  for (const DistanceRow& row : kDistances) all.push_back(row.distance);
  return all;
}

Distance find_distance(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Distance distance : distances()) {
    names.push_back(to_string(distance));
    if (names.back() == name) return distance;
  }
  throw UsageError(
      fmt::format("\"{}\" is not a valid distance; choose one of {}.", name, fmt::join(names, ", ")));
}

}  // namespace crema
