// SPDX-License-Identifier: Apache-2.0
#include "study/volumes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace crema::study {

const char* to_string(VolumeScale scale) { return scale == VolumeScale::volume ? "volume" : "log volume"; }

std::size_t RaterNames::operator()(const std::string& name) {
  const auto [place, fresh] = places_.try_emplace(name, list_.size());
  if (fresh) list_.push_back(name);
  return place->second;
}

void Volumes::take(const CaseFacts& facts) {
  std::vector<std::size_t> seen;
  for (const RaterResult& one : facts.raters) {
    const std::size_t rater = names_(one.rater);
    if (std::find(seen.begin(), seen.end(), rater) != seen.end()) continue;  // beside another consensus
    seen.push_back(rater);
    drawn_.push_back({cases_, rater, one.volume});
    if (unit_.find(one.unit) == std::string::npos)
      unit_ += fmt::format("{}{}", unit_.empty() ? "" : " or ", one.unit);
  }
  ++cases_;
}

std::vector<Observation> Volumes::observations(VolumeScale scale) const {
  if (scale == VolumeScale::volume) return drawn_;
  std::vector<Observation> found;
  for (const Observation& one : drawn_)
    if (one.value > 0) found.push_back({one.item, one.rater, std::log(one.value)});
  return found;
}

std::vector<CaseValues> Volumes::cases(VolumeScale scale, IccForm form) const {
  std::vector<CaseValues> found;
  const std::vector<Observation> all = observations(scale);
  const std::size_t raters = names_.list().size();
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    end = first;
    while (end < all.size() && all[end].item == all[first].item) ++end;
    if (form != IccForm::one_way && end - first < raters) continue;
    CaseValues values(end - first);
    for (std::size_t i = first; i < end; ++i)
      values[form == IccForm::one_way ? i - first : all[i].rater] = all[i].value;
    found.push_back(std::move(values));
  }
  return found;
}

std::vector<NamedIcc> Volumes::iccs() const {
  std::vector<NamedIcc> found;
  for (const VolumeScale scale : {VolumeScale::volume, VolumeScale::log_volume})
    for (const IccForm form : {IccForm::one_way, IccForm::agreement, IccForm::consistency}) {
      if (form != IccForm::one_way && identity_ == Identity::unknown) continue;
      const std::vector<CaseValues> values = cases(scale, form);
      for (const IccUnit unit : {IccUnit::single, IccUnit::mean})
        if (const std::optional<Icc> one = icc(values, form, unit))
          found.push_back({form, unit, scale, *one});
    }
  return found;
}

}  // namespace crema::study
