// SPDX-License-Identifier: Apache-2.0
#include "cli/fuse_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"

namespace crema::cli {
namespace {

std::string names_of(const std::vector<std::string_view>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? last : ", ", names[i]);
  return text;
}

std::vector<std::string_view> with_criterion() {
  std::vector<std::string_view> names;
  for (const Method& method : methods())
    if (method.aim == Aim::distance) names.push_back(method.name);
  return names;
}

std::vector<std::string_view> votes_among(const std::vector<const Method*>& chosen) {
  std::vector<std::string_view> names;
  for (const Method* method : chosen)
    if (method->aim != Aim::distance) names.push_back(method->name);
  return names;
}

void require_criterion(const FuseRequest& request, std::string_view option) {
  const auto votes = votes_among(request.methods);
  if (votes.size() < request.methods.size()) return;
  throw UsageError(fmt::format(
      "{}: {} minimise{} no distance to the raters; choose {}{}.", option, names_of(votes, " and "),
      votes.size() == 1 ? "s" : "", names_of(with_criterion(), " or "),
      option == "--certify" ? ", or judge the result with crema certify in a distance of your choice" : ""));
}

void require_proof(const FuseRequest& request, std::string_view option) {
  if (request.certify || request.blocks == Blocks::group) return;
  throw UsageError(fmt::format("{}: there is nothing to prove without --certify or --blocks group.", option));
}

/// Weights that no method heeds are refused, those that some do not heed are worth a warning.
Warnings check_who_weighs(const FuseRequest& request) {
  if (request.weights.empty() && request.weight_source == WeightSource::given) return {};
  std::vector<std::string_view> deaf;
  for (const Method* method : request.methods)
    if (method->heeds != Heeds::weights) deaf.push_back(method->name);
  if (deaf.empty()) return {};
  if (deaf.size() == request.methods.size())
    throw UsageError(
        fmt::format("--weights: {} find{} out by itself how much each rater counts; leave it out.",
                    names_of(deaf, " and "), deaf.size() == 1 ? "s" : ""));
  return {fmt::format("--weights: not heeded by {}.", names_of(deaf, " and "))};
}

}  // namespace

Warnings check_request(const FuseRequest& request) {
  if (request.certify) require_criterion(request, "--certify");
  if (request.blocks) require_criterion(request, "--blocks");
  if (request.no_empty_test) require_criterion(request, "--no-empty-test");
  if (request.budget.nodes) require_proof(request, "--budget");
  if (request.budget.seconds) require_proof(request, "--budget-seconds");
  check_estimate(request.estimate, request.methods);
  Warnings warnings = check_who_weighs(request);
  const auto votes = votes_among(request.methods);
  if (!request.certify || votes.empty()) return warnings;
  warnings.push_back(
      fmt::format("--certify: {} minimise{} no distance to the raters and {} not certified; crema "
                  "certify judges such results in a distance of your choice.",
                  names_of(votes, " and "), votes.size() == 1 ? "s" : "", votes.size() == 1 ? "is" : "are"));
  return warnings;
}

}  // namespace crema::cli
