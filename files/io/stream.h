// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "crema/base/warning.h"
#include "files/io/gzip/gzip.h"
#include "files/io/source.h"

namespace crema::files {

/// The content of a file in order, inflated where it is packed: readers need not know which.
class Stream {
 public:
  /// The whole file, which is gzip when it looks so.
  explicit Stream(const Source& source);
  /// A part of a file whose packing is known.
  Stream(const Source& source, const Section& section);

  [[nodiscard]] bool compressed() const { return gunzip_.has_value(); }

  /// Fills `out`; returns fewer bytes only at the end of the content.
  std::size_t read(std::span<std::uint8_t> out);

  /// Passes over `count` bytes; false when the content ends before.
  bool skip(std::int64_t count);

  /// Checks that the content ends here and is sound. Padding of zeros gives a warning, anything else is
  /// refused.
  Warnings finish();

  /// Most bytes the content can have, known without reading it.
  [[nodiscard]] double max_bytes() const;

 private:
  const Source* source_;
  std::optional<Gunzip> gunzip_;
  std::int64_t start_ = 0;
  std::int64_t position_ = 0;  ///< in the file; counts inflated bytes where it is packed
  std::int64_t end_ = 0;       ///< of the packed bytes in the file
};

}  // namespace crema::files
