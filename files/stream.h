// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "files/gzip.h"
#include "files/source.h"

namespace crema::files {

/// The content of a file in order, inflated where it is gzip: readers need not know which.
class Stream {
 public:
  explicit Stream(const Source& source);

  [[nodiscard]] bool compressed() const { return gunzip_.has_value(); }

  /// Fills `out`; returns fewer bytes only at the end of the content.
  std::size_t read(std::span<std::uint8_t> out);

  /// Passes over `count` bytes; false when the content ends before.
  bool skip(std::int64_t count);

  /// Checks that the content ends here and is sound. Padding of zeros gives a note, anything else is refused.
  std::vector<std::string> finish();

  /// Most bytes the content can have, known without reading it.
  [[nodiscard]] double most_bytes() const;

 private:
  const Source* source_;
  std::optional<Gunzip> gunzip_;
  std::int64_t position_ = 0;
};

}  // namespace crema::files
