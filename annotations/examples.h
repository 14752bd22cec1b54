// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crema/base/warning.h"

namespace crema::annotations {

/// How often something occurs, and where first.
class Examples {
 public:
  void add(std::int64_t number, std::string_view annotator, std::string_view picture);
  /// "3 polygons are cut off (one by anna on a.jpg)."; nothing where it does not occur.
  void report(std::string_view one, std::string_view several, WarningKind kind, Warnings& warnings) const;

 private:
  std::int64_t count_ = 0;
  std::string first_;
};

}  // namespace crema::annotations
