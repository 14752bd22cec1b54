// SPDX-License-Identifier: Apache-2.0
// The bytes are a record, or a file of decisions: what was read is written and read again as the same.
#include <string_view>

#include "crema/adjudicate/decisions.h"
#include "crema/base/json_parse.h"
#include "fuzz/fuzz.h"

namespace {

void decisions_again(std::string_view text) {
  const crema::Decisions read = crema::parse_decisions(text);
  const std::string once = crema::line_of(crema::to_json(read));
  const std::string twice = crema::line_of(crema::to_json(crema::parse_decisions(once)));
  fuzz::promise(once == twice, "decisions that are read back as others");
}

template <class F>
void sentence_or_nothing(F&& f) {
  try {
    f();
  } catch (const crema::InputError& e) {
    fuzz::promise(fuzz::fit_for_a_terminal(e.what()), "a sentence with control characters");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sentence_or_nothing([&] {
    const std::string once = crema::line_of(crema::parse_json(text));
    fuzz::promise(once == crema::line_of(crema::parse_json(once)), "a value that is read back as another");
  });
  sentence_or_nothing([&] { decisions_again(text); });
  return 0;
}
