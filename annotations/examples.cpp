// SPDX-License-Identifier: Apache-2.0
#include "annotations/examples.h"

#include <fmt/format.h>

#include "crema/base/text.h"

namespace crema::annotations {

void Examples::add(std::int64_t number, std::string_view annotator, std::string_view picture) {
  if (count_ == 0 && number > 0) first_ = fmt::format("{} on {}", printable(annotator), printable(picture));
  count_ += number;
}

void Examples::report(std::string_view one, std::string_view several, WarningKind kind,
                      Warnings& warnings) const {
  if (count_ > 0)
    warnings.push_back(
        {fmt::format("{} ({}{}).", counted(count_, one, several), count_ > 1 ? "such as " : "", first_),
         kind});
}

}  // namespace crema::annotations
