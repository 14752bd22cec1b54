// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "study/chapters/facts.h"
#include "study/statistics/effects.h"
#include "study/statistics/icc.h"

namespace crema::study {

/// Whether a rater's name means the same person in every case. It is declared, never assumed: numbered
/// readings of a data set are often whoever came first.
enum class Identity : std::uint8_t { unknown, persists };

/// On which scale volumes are compared.
enum class VolumeScale : std::uint8_t { volume, log_volume };

const char* to_string(VolumeScale scale);

/// Numbers for names, in the order in which they come.
class RaterNames {
 public:
  std::size_t operator()(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

struct NamedIcc {
  IccForm form{};
  IccUnit unit{};
  VolumeScale scale{};
  Icc icc;
};

/// The sizes that raters gave each case.
class Volumes {
 public:
  explicit Volumes(Identity identity) : identity_(identity) {}

  void take(const CaseFacts& facts);

  /// Those that the declared identity allows, in a fixed order.
  [[nodiscard]] std::vector<NamedIcc> iccs() const;

  /// One observation per case and rater; a rater who drew nothing has no log volume.
  [[nodiscard]] std::vector<Observation> observations(VolumeScale scale) const;
  [[nodiscard]] const std::vector<std::string>& raters() const { return names_.list(); }
  [[nodiscard]] const std::string& unit() const { return unit_; }  ///< several where cases differ
  [[nodiscard]] Identity identity() const { return identity_; }

 private:
  [[nodiscard]] std::vector<CaseValues> cases(VolumeScale scale, IccForm form) const;

  Identity identity_;
  RaterNames names_;
  std::vector<Observation> drawn_;
  std::string unit_;
  std::size_t cases_ = 0;
};

}  // namespace crema::study
