// SPDX-License-Identifier: Apache-2.0
// What each rater adds: effects, variance components and limits of agreement.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "raters/open/order.h"
#include "study/chapters/section_parts.h"
#include "study/rater_study.h"

namespace crema::study {
namespace {

constexpr double kNormal = 1.96;

/// One quantity of raters over cases.
struct Outcome {
  const char* name;
  std::vector<Observation> observations;
  const std::vector<std::string>& raters;
};

Cell percent(const Outcome& outcome, double log_ratio) {
  if (outcome.name != std::string_view("log volume")) return cell({});
  return 100 * std::expm1(log_ratio);
}

/// Places of raters in the order of their names.
std::vector<std::size_t> by_name(const std::vector<std::string>& raters) {
  std::vector<std::size_t> order(raters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return raters::naturally_before(raters[a], raters[b]);
  });
  return order;
}

void add_effects(const Outcome& outcome, const RaterEffects& found, Table& table) {
  for (const std::size_t r : by_name(outcome.raters)) {
    const RaterEffect& one = found.raters[r];
    table.rows.push_back({outcome.name, outcome.raters[r], one.cases, one.mean, one.effect,
                          one.interval ? Cell(one.interval->low) : cell({}),
                          one.interval ? Cell(one.interval->high) : cell({}), percent(outcome, one.effect)});
  }
}

void add_variance(const Outcome& outcome, const RaterEffects& found, Table& table) {
  const auto parts = variance_components(outcome.observations, outcome.raters.size());
  const auto part = [&](double VarianceComponents::*which) {
    return parts ? Cell((*parts).*which) : cell({});
  };
  table.rows.push_back({outcome.name, found.cases, std::ssize(outcome.raters), found.observations,
                        cell(found.f), found.freedom, found.rest_freedom, cell(found.p),
                        part(&VarianceComponents::cases), part(&VarianceComponents::raters),
                        part(&VarianceComponents::error)});
}

std::string not_persisting() {
  return "Compares raters over cases, which means something only for raters who are the same persons in all "
         "of "
         "them; `crema study RUN -o TABLES --raters --raters-persist` declares it.";
}

std::string not_linked() {
  return "Fewer than two raters or cases, or raters who have no case in common; `crema cohort list DATA` "
         "shows who has which case.";
}

}  // namespace

std::optional<double> limit_of_agreement(const std::vector<Observation>& observations, std::size_t raters) {
  const auto parts = variance_components(observations, raters);
  if (!parts) return std::nullopt;
  const auto k = static_cast<double>(raters);
  return kNormal * std::sqrt((k - 1) / k * (parts->raters + parts->error));
}

std::vector<Section> RaterStudy::sections() const {
  Section effects{
      "effects",
      "Raters",
      "Each rater against the mean of all raters on the same cases, by least squares on y = mean + case "
      "+ rater + error, with 95 % intervals: F1 against the consensus of the others (the first method "
      "of the run, formed without the rater), and the logarithm of the volume; percent is by how much "
      "a rater draws larger.",
      {{"outcome", "rater", "cases", "mean", "effect", "low", "high", "percent"}, {}},
      {}};
  Section variance{
      "variance",
      "Variance components",
      "The test that all raters are alike (F, adjusted for cases), and the variances of cases, raters "
      "and error by restricted maximum likelihood; raters may be missing.",
      {{"outcome", "cases", "raters", "observations", "f", "df_raters", "df_error", "p", "var_case",
        "var_rater", "var_error"},
       {}},
      {}};
  Section loam{
      "loam",
      "Limits of agreement with the mean",
      "95 % of the raters' volumes lie within this distance of the mean of all raters on the same case: "
      "1.96 √((K−1)/K · (var_rater + var_error)); percent is that of the logarithm as a ratio.",
      {{"scale", "cases", "raters", "limit", "percent"}, {}},
      {}};
  std::vector<Outcome> outcomes;
  if (volumes_.identity() == Identity::persists) {
    outcomes.push_back({"F1 against the others", f1_, names_.list()});
    for (const VolumeScale scale : {VolumeScale::volume, VolumeScale::log_volume})
      outcomes.push_back({to_string(scale), volumes_.observations(scale), volumes_.raters()});
  }
  for (const Outcome& outcome : outcomes) {
    const auto found = rater_effects(outcome.observations, outcome.raters.size());
    if (!found) continue;
    add_effects(outcome, *found, effects.table);
    add_variance(outcome, *found, variance.table);
    if (outcome.name == outcomes.front().name) continue;
    if (const auto limit = limit_of_agreement(outcome.observations, outcome.raters.size()))
      loam.table.rows.push_back(
          {outcome.name, found->cases, std::ssize(outcome.raters), *limit, percent(outcome, *limit)});
  }
  for (Section* section : {&effects, &variance, &loam})
    if (section->table.rows.empty())
      section->missing = {volumes_.identity() == Identity::unknown ? not_persisting() : not_linked()};
  return {effects, variance, loam};
}

std::optional<BlandAltman> RaterStudy::bland_altman() const {
  if (volumes_.identity() == Identity::unknown) return std::nullopt;
  const std::vector<Observation> all = volumes_.observations(VolumeScale::volume);
  const auto limit = limit_of_agreement(all, volumes_.raters().size());
  if (!limit) return std::nullopt;
  BlandAltman found{.points = {}, .limit = *limit, .raters = {}, .unit = volumes_.unit()};
  std::vector<std::size_t> place(volumes_.raters().size());
  for (const std::size_t r : by_name(volumes_.raters())) {
    place[r] = found.raters.size();
    found.raters.push_back(volumes_.raters()[r]);
  }
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    Mean mean;
    for (end = first; end < all.size() && all[end].item == all[first].item; ++end) mean.add(all[end].value);
    for (std::size_t i = first; i < end && mean.count() > 1; ++i)
      found.points.push_back({*mean.value(), all[i].value - *mean.value(), place[all[i].rater]});
  }
  return found;
}

}  // namespace crema::study
