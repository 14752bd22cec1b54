// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "annotations/dataset.h"

namespace crema::annotations {

/// Puts what several files say together: pictures of one name are one, and so are categories.
class Collector {
 public:
  /// Throws InputError where the picture is known with another size.
  std::size_t picture(const Picture& one);
  std::size_t category(const Category& one);
  /// Somebody of that name, who may be known already.
  std::size_t annotator(const std::string& name);

  /// This annotator looked at that picture. Throws InputError where that was said before.
  void looked_at(std::size_t annotator, std::size_t picture);
  /// Refuses with InputError what lies outside its picture.
  void object(std::size_t annotator, Object object);

  LeftOut left_out;

  /// All of it, with warnings about what was left out. Throws InputError where nothing was drawn.
  Dataset whole() &&;

 private:
  Dataset dataset_;
  std::unordered_map<std::string, std::size_t> pictures_, categories_, annotators_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace crema::annotations
