// SPDX-License-Identifier: Apache-2.0
#include "cli/fuse_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/weights.h"
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

}  // namespace

std::vector<std::string> check_request(const FuseRequest& request) {
  check_weights(request.weights, request.counting.raters.size());
  if (request.certify) require_criterion(request, "--certify");
  if (request.blocks) require_criterion(request, "--blocks");
  if (request.no_empty_test) require_criterion(request, "--no-empty-test");
  if (request.budget.nodes) require_proof(request, "--budget");
  if (request.budget.seconds) require_proof(request, "--budget-seconds");
  const auto votes = votes_among(request.methods);
  if (!request.certify || votes.empty()) return {};
  return {
      fmt::format("--certify: {} minimise{} no distance to the raters and {} not certified; crema "
                  "certify judges such results in a distance of your choice.",
                  names_of(votes, " and "), votes.size() == 1 ? "s" : "", votes.size() == 1 ? "is" : "are")};
}

}  // namespace crema::cli
