// SPDX-License-Identifier: Apache-2.0
#include "crema/method.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "crema/error.h"

namespace crema {
namespace {

constexpr std::string_view kMacchiato = "Hamzaoui et al., MELBA 2023:013";
constexpr std::string_view kStaple = "Warfield, Zou and Wells, IEEE TMI 23(7), 2004";
constexpr std::string_view kShape = "Rohlfing and Maurer, IEEE TIP 16(1), 2007";

constexpr std::array kMethods{
    Method{"jaccard", "MACCHIatO-J", Kind::hard, Aim::distance, Needs::distances, Heeds::weights,
           Distance::jaccard, solve_jaccard,
           "mask of least mean squared Jaccard distance to the raters, component by component", kMacchiato},
    Method{"dice", "MACCHIatO-D", Kind::hard, Aim::distance, Needs::distances, Heeds::weights, Distance::dice,
           solve_dice, "mask of least mean squared Dice distance to the raters, component by component",
           kMacchiato},
    Method{"majority", "Majority Voting", Kind::hard, Aim::vote, Needs::groups, Heeds::weights,
           Distance::jaccard, solve_majority, "voxels that more than half of the raters drew",
           "Rohlfing et al., NeuroImage 21(4), 2004"},
    Method{"tanimoto", "MACCHIatO-TJ", Kind::soft, Aim::distance, Needs::distances, Heeds::weights,
           Distance::tanimoto, solve_tanimoto,
           "levels of least mean squared Tanimoto distance: a soft Jaccard, as uncertain as the average",
           kMacchiato},
    Method{"soergel", "MACCHIatO-SJ", Kind::soft, Aim::distance, Needs::distances, Heeds::weights,
           Distance::soergel, solve_soergel,
           "levels of least mean squared Soergel distance: a soft Jaccard, nearly hard", kMacchiato},
    Method{"dice1", "MACCHIatO-1SD", Kind::soft, Aim::distance, Needs::distances, Heeds::weights,
           Distance::dice1, solve_dice1, "levels of least mean squared soft Dice distance, nearly hard",
           kMacchiato},
    Method{"dice2", "MACCHIatO-2SD", Kind::soft, Aim::distance, Needs::distances, Heeds::weights,
           Distance::dice2, solve_dice2,
           "levels of least mean squared soft Dice distance with squares, as uncertain as the average",
           kMacchiato},
    Method{"average", "Mask Averaging", Kind::soft, Aim::vote, Needs::groups, Heeds::weights,
           Distance::soergel, solve_average, "share of raters who drew each voxel",
           "Aljabar et al., NeuroImage 46(3), 2009"},
    Method{"staple", "MML STAPLE", Kind::soft, Aim::performance, Needs::groups, Heeds::prior_and_region,
           Distance::soergel, solve_staple,
           "chance that a voxel is inside, estimated together with each rater's sensitivity and specificity",
           kStaple},
    Method{"ml-staple", "ML STAPLE", Kind::hard, Aim::performance, Needs::groups, Heeds::region,
           Distance::jaccard, solve_ml_staple,
           "mask of greatest likelihood under each rater's sensitivity and specificity", kMacchiato},
    Method{"accuracy", "STAPLE, p=q", Kind::soft, Aim::performance, Needs::groups, Heeds::prior_and_region,
           Distance::soergel, solve_accuracy, "STAPLE with one accuracy per rater, inside as outside",
           kMacchiato},
    Method{"shared", "STAPLE, shared p and q", Kind::soft, Aim::performance, Needs::groups,
           Heeds::prior_and_region, Distance::soergel, solve_shared,
           "STAPLE with one sensitivity and one specificity for all raters", kMacchiato},
    Method{"simple", "SIMPLE", Kind::hard, Aim::performance, Needs::groups, Heeds::nothing, Distance::jaccard,
           solve_simple,
           "vote weighted by overlap with the estimate; raters far below the others are dropped",
           "Langerak et al., IEEE TMI 29(12), 2010"},
    Method{"staple-mrf", "STAPLE, Ising prior", Kind::hard, Aim::performance, Needs::neighbours,
           Heeds::prior_and_region, Distance::jaccard, solve_staple_mrf,
           "most likely mask when neighbouring voxels tend to agree", kStaple},
    Method{"local-staple", "Local MAP STAPLE", Kind::soft, Aim::performance, Needs::neighbours,
           Heeds::nothing, Distance::soergel, solve_local_staple,
           "STAPLE in a sliding window, for raters whose quality varies in space",
           "Commowick et al., IEEE TMI 31(8), 2012"},
    Method{"shape", "Shape-based averaging", Kind::hard, Aim::shape, Needs::neighbours, Heeds::weights,
           Distance::jaccard, solve_shape,
           "where the mean signed distance to the raters' outlines, in mm, is "
           "negative",
           kShape},
    Method{"shape-soft", "Shape-based averaging, soft", Kind::soft, Aim::shape, Needs::neighbours,
           Heeds::weights, Distance::soergel, solve_shape_soft,
           "the mean signed distance to the raters' outlines, in mm, as a level from 0 to 1", kShape},
};

std::string folded(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Number of letters to insert, delete or replace.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> line(b.size() + 1);
  std::iota(line.begin(), line.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = line[0];
    line[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = line[j];
      line[j] = std::min({replaced, line[j] + 1, line[j - 1] + 1});
    }
  }
  return line.back();
}

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method& find_method(std::string_view name) {
  const std::string wanted = folded(name);
  const Method* nearest = &kMethods[0];
  std::size_t least = std::string::npos;
  for (const Method& method : kMethods) {
    for (const std::string_view known : {method.name, method.paper_name}) {
      const std::size_t distance = edits(wanted, folded(known));
      if (distance == 0) return method;
      if (distance < least) {
        least = distance;
        nearest = &method;
      }
    }
  }
  throw UsageError(fmt::format("there is no method \"{}\"; did you mean {}? \"crema methods\" lists all",
                               name, nearest->name));
}

}  // namespace crema
