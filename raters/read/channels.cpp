// SPDX-License-Identifier: Apache-2.0
#include "raters/read/channels.h"

#include <algorithm>
#include <cmath>

namespace crema::raters {
namespace {

float sigmoid(float logit) {
  // The same on both sides of 0, without overflow.
  const float share = 1 / (1 + std::exp(-std::abs(logit)));
  return logit >= 0 ? share : 1 - share;
}

}  // namespace

Channels::Channels(const ClassPlan& plan, std::int64_t voxels, Logits logits, Take take)
    : plan_(plan), voxels_(voxels), logits_(logits), take_(std::move(take)) {
  const auto count = static_cast<std::size_t>(voxels);
  if (plan.background && logits == Logits::none) sums_.assign(count, 0);
  if (logits == Logits::softmax) values_.resize(count * static_cast<std::size_t>(plan.channels));
}

void Channels::add(std::int64_t first, std::span<const float> part) {
  while (!part.empty()) {
    const std::int64_t channel = first / voxels_, at = first % voxels_;
    const auto own =
        part.first(static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(part), voxels_ - at)));
    if (logits_ == Logits::softmax)
      std::copy(own.begin(), own.end(), values_.begin() + first);
    else
      pass(static_cast<std::int32_t>(channel), at, own);
    part = part.subspan(own.size());
    first += std::ssize(own);
  }
}

void Channels::finish() {
  if (logits_ != Logits::softmax) return;
  normalise();
  const auto count = static_cast<std::size_t>(voxels_);
  for (std::int32_t c = 0; c < plan_.channels; ++c)
    pass(c, 0, std::span<const float>(values_).subspan(static_cast<std::size_t>(c) * count, count));
}

float Channels::worst_sum() const {
  float worst = 1;
  for (const float sum : sums_)
    if (std::abs(sum - 1) > std::abs(worst - 1)) worst = sum;
  return worst;
}

std::int64_t Channels::held_bytes(std::int32_t channels, Logits logits) {
  if (channels == 1) return 0;
  return std::int64_t{sizeof(float)} * (logits == Logits::softmax ? channels : 1);
}

void Channels::pass(std::int32_t channel, std::int64_t first, std::span<const float> part) {
  if (!sums_.empty()) add_up(first, part);
  for (std::size_t s = 0; s < plan_.structures.size(); ++s) {
    if (plan_.structures[s].channel != channel) continue;
    if (logits_ != Logits::sigmoid) return take_(s, first, part);
    piece_.resize(part.size());
    std::transform(part.begin(), part.end(), piece_.begin(), sigmoid);
    return take_(s, first, piece_);
  }
}

void Channels::add_up(std::int64_t first, std::span<const float> part) {
  float* const sum = sums_.data() + first;
  for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
}

void Channels::normalise() {
  const auto count = static_cast<std::size_t>(voxels_), channels = static_cast<std::size_t>(plan_.channels);
  for (std::size_t v = 0; v < count; ++v) {
    float most = values_[v], sum = 0;
    for (std::size_t c = 1; c < channels; ++c) most = std::max(most, values_[c * count + v]);
    for (std::size_t c = 0; c < channels; ++c)
      sum += values_[c * count + v] = std::exp(values_[c * count + v] - most);
    for (std::size_t c = 0; c < channels; ++c) values_[c * count + v] /= sum;
  }
}

}  // namespace crema::raters
