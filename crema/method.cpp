// SPDX-License-Identifier: Apache-2.0
#include "crema/method.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "crema/counts/staple/variants.h"
#include "crema/error.h"
#include "crema/text.h"

namespace crema {
namespace {

constexpr std::string_view kMacchiato = "Hamzaoui et al., MELBA 2023:013";
constexpr std::string_view kStaple = "Warfield, Zou and Wells, IEEE TMI 23(7), 2004";
constexpr std::string_view kShape = "Rohlfing and Maurer, IEEE TIP 16(1), 2007";

constexpr Accept kCriterion = Accept::criterion | Accept::weights | Accept::slices | Accept::labels;
constexpr Accept kVote = Accept::weights | Accept::slices | Accept::labels;
constexpr Accept kEstimate = Accept::region | Accept::prior | Accept::iterations;

constexpr std::array kMethods{
    Method{"jaccard", "MACCHIatO-J", Kind::hard, Aim::distance, Needs::distances, kCriterion, Origin::paper,
           Distance::jaccard, solve_for<Distance::jaccard>,
           "mask of least mean squared Jaccard distance to the raters, component by component", kMacchiato},
    Method{"dice", "MACCHIatO-D", Kind::hard, Aim::distance, Needs::distances, kCriterion, Origin::paper,
           Distance::dice, solve_for<Distance::dice>,
           "mask of least mean squared Dice distance to the raters, component by component", kMacchiato},
    Method{"majority", "Majority Voting", Kind::hard, Aim::vote, Needs::groups, kVote, Origin::paper,
           Distance::jaccard, solve_majority, "voxels that more than half of the raters drew",
           "Rohlfing et al., NeuroImage 21(4), 2004"},
    Method{"tanimoto", "MACCHIatO-TJ", Kind::soft, Aim::distance, Needs::distances, kCriterion, Origin::paper,
           Distance::tanimoto, solve_for<Distance::tanimoto>,
           "levels of least mean squared Tanimoto distance: a soft Jaccard, as uncertain as the average",
           kMacchiato},
    Method{"soergel", "MACCHIatO-SJ", Kind::soft, Aim::distance, Needs::distances, kCriterion, Origin::paper,
           Distance::soergel, solve_for<Distance::soergel>,
           "levels of least mean squared Soergel distance: a soft Jaccard, nearly hard", kMacchiato},
    Method{"dice1", "MACCHIatO-1SD", Kind::soft, Aim::distance, Needs::distances, kCriterion, Origin::paper,
           Distance::dice1, solve_for<Distance::dice1>,
           "levels of least mean squared soft Dice distance, nearly hard", kMacchiato},
    Method{"dice2", "MACCHIatO-2SD", Kind::soft, Aim::distance, Needs::distances, kCriterion, Origin::paper,
           Distance::dice2, solve_for<Distance::dice2>,
           "levels of least mean squared soft Dice distance with squares, as uncertain as the average",
           kMacchiato},
    Method{"average", "Mask Averaging", Kind::soft, Aim::vote, Needs::groups, kVote, Origin::paper,
           Distance::soergel, solve_average, "share of raters who drew each voxel",
           "Aljabar et al., NeuroImage 46(3), 2009"},
    Method{"staple", "MML STAPLE", Kind::soft, Aim::performance, Needs::groups,
           kEstimate | Accept::preset | Accept::labels, Origin::paper, Distance::soergel, solve_staple,
           "chance that a voxel is inside, estimated together with each rater's sensitivity and specificity",
           kStaple},
    Method{"ml-staple", "ML STAPLE", Kind::hard, Aim::performance, Needs::groups,
           Accept::region | Accept::iterations, Origin::paper, Distance::jaccard, solve_ml_staple,
           "mask of greatest likelihood under each rater's sensitivity and specificity", kMacchiato},
    Method{"accuracy", "STAPLE, p=q", Kind::soft, Aim::performance, Needs::groups, kEstimate,
           Origin::elsewhere, Distance::soergel, solve_accuracy,
           "STAPLE with one accuracy per rater, inside as outside", kMacchiato},
    Method{"shared", "STAPLE, shared p and q", Kind::soft, Aim::performance, Needs::groups, kEstimate,
           Origin::elsewhere, Distance::soergel, solve_shared,
           "STAPLE with one sensitivity and one specificity for all raters", kMacchiato},
    Method{"common", "STAPLE, one common accuracy", Kind::soft, Aim::performance, Needs::groups, kEstimate,
           Origin::elsewhere, Distance::soergel, solve_common,
           "STAPLE with one accuracy for all raters, inside as outside; with prior 0.5 the majority vote",
           kMacchiato},
    Method{"ml-accuracy", "ML STAPLE, p=q", Kind::hard, Aim::performance, Needs::groups,
           Accept::region | Accept::iterations, Origin::elsewhere, Distance::jaccard, solve_ml_accuracy,
           "mask of greatest likelihood under one accuracy per rater: a weighted vote", kMacchiato},
    Method{"ml-shared", "ML STAPLE, shared p and q", Kind::hard, Aim::performance, Needs::groups,
           Accept::region | Accept::iterations, Origin::elsewhere, Distance::jaccard, solve_ml_shared,
           "mask of greatest likelihood under one sensitivity and one specificity for all raters",
           kMacchiato},
    Method{"ml-common", "ML STAPLE, one common accuracy", Kind::hard, Aim::performance, Needs::groups,
           Accept::region | Accept::iterations, Origin::elsewhere, Distance::jaccard, solve_ml_common,
           "mask of greatest likelihood under one accuracy for all raters: exactly the majority vote",
           kMacchiato},
    Method{"simple", "SIMPLE", Kind::hard, Aim::performance, Needs::groups,
           Accept::iterations | Accept::drop_below | Accept::labels, Origin::elsewhere, Distance::jaccard,
           solve_simple,
           "vote weighted by overlap with the estimate; raters far below the others are dropped",
           "Langerak et al., IEEE TMI 29(12), 2010"},
    Method{"staple-mrf", "STAPLE, Ising prior", Kind::hard, Aim::performance, Needs::neighbours,
           kEstimate | Accept::coupling, Origin::elsewhere, Distance::jaccard, solve_staple_mrf,
           "most likely mask when neighbouring voxels tend to agree", kStaple},
    Method{"local-staple", "Local MAP STAPLE", Kind::soft, Aim::performance, Needs::neighbours,
           Accept::iterations | Accept::window, Origin::elsewhere, Distance::soergel, solve_local_staple,
           "STAPLE in a sliding window, for raters whose quality varies in space",
           "Commowick et al., IEEE TMI 31(8), 2012"},
    Method{"shape", "Shape-based averaging", Kind::hard, Aim::shape, Needs::neighbours,
           Accept::weights | Accept::labels, Origin::elsewhere, Distance::jaccard, solve_shape,
           "where the mean signed distance to the raters' outlines, in mm, is "
           "negative",
           kShape},
    Method{"shape-soft", "Shape-based averaging, soft", Kind::soft, Aim::shape, Needs::neighbours,
           Accept::weights | Accept::softness, Origin::elsewhere, Distance::soergel, solve_shape_soft,
           "the mean signed distance to the raters' outlines, in mm, as a level from 0 to 1", kShape},
};

std::string folded(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method& find_method(std::string_view name) {
  const std::string wanted = folded(name);
  const Method* nearest = &kMethods[0];
  int least = std::numeric_limits<int>::max();
  for (const Method& method : kMethods) {
    for (const std::string_view known : {method.name, method.paper_name}) {
      const int distance = edits_between(wanted, folded(known));
      if (distance == 0) return method;
      if (distance < least) {
        least = distance;
        nearest = &method;
      }
    }
  }
  throw UsageError(fmt::format("there is no method \"{}\"; did you mean {}? {} lists all.", name,
                               nearest->name, Sentence::command("methods")));
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
  if (chosen.empty()) throw UsageError("no method was named; name at least one.");
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
  throw UsageError(fmt::format("\"{}\" is no distance; there are {}.", name, fmt::join(names, ", ")));
}

}  // namespace crema
