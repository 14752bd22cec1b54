// SPDX-License-Identifier: Apache-2.0
// The bytes are what somebody gives to --labels or --regions.
#include <algorithm>

#include "crema/tables/label_choice.h"
#include "fuzz/fuzz.h"

namespace {

template <class Parse>
void parse_with(Parse&& parse, const std::string& text) {
  try {
    const crema::LabelChoice choice = parse(text);
    fuzz::promise(choice.all || !choice.chosen.empty(), "a choice of nothing");
    for (const crema::NamedLabels& one : choice.chosen) {
      fuzz::promise(std::is_sorted(one.labels.begin(), one.labels.end()), "labels out of order");
      fuzz::promise(std::adjacent_find(one.labels.begin(), one.labels.end()) == one.labels.end(),
                    "a label twice");
    }
  } catch (const crema::UsageError& e) {
    fuzz::promise(fuzz::fit_for_a_terminal(e.what()), "a sentence with control characters");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  parse_with(crema::parse_labels, text);
  parse_with(crema::parse_regions, text);
  return 0;
}
