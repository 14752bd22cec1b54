// SPDX-License-Identifier: Apache-2.0
// Which settings each kind of run takes.
#include <algorithm>

#include "crema/tables/settings.h"

namespace crema {
namespace {

bool is_measure(const Setting& setting) {
  return setting.group == "Measures" || setting.group == "Confidence";
}

/// How files become masks, what a run may take, and these.
std::vector<const Setting*> intake_settings(std::initializer_list<std::string_view> own) {
  std::vector<const Setting*> taken;
  for (const Setting& setting : settings())
    if (setting.group == "Input" || setting.group == "Limits" ||
        std::find(own.begin(), own.end(), setting.name) != own.end())
      taken.push_back(&setting);
  return taken;
}

}  // namespace

std::vector<const Setting*> fuse_settings() {
  std::vector<const Setting*> taken;
  for (const Setting& setting : settings())
    if (setting.group != "Consensus" && !is_measure(setting)) taken.push_back(&setting);
  return taken;
}

std::vector<const Setting*> certify_settings() {
  return intake_settings({"consensus_threshold", "connectivity", "slice_wise", "weights", "alpha", "beta",
                          "budget", "budget_seconds", "provenance", "probabilities", "logits", "floor"});
}

std::vector<const Setting*> measure_settings() {
  std::vector<const Setting*> taken;
  for (const Setting& setting : settings())
    if (is_measure(setting) || setting.read_by == ReadBy::measures) taken.push_back(&setting);
  return taken;
}

std::vector<const Setting*> check_settings() {
  return intake_settings({"provenance", "probabilities", "logits", "floor"});
}

std::vector<const Setting*> background_settings() {
  return intake_settings({"connectivity", "slice_wise", "provenance"});
}

}  // namespace crema
