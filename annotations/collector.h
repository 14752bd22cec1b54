// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "annotations/dataset.h"
#include "annotations/examples.h"

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

  /// They drew something there that is no area, such as a point. Where they drew nothing else, it is not
  /// known what they saw.
  void without_area(std::size_t annotator, std::size_t picture);
  /// They gave up what they drew there.
  void cancelled(std::string_view annotator, std::string_view picture);

  /// All of it, with warnings about what was left out. Throws InputError where nothing was drawn.
  Dataset whole() &&;

 private:
  void forget_pointed_at();

  Dataset dataset_;
  std::unordered_map<std::string, std::size_t> pictures_, categories_, annotators_;
  std::unordered_set<std::uint64_t> seen_;
  std::set<std::pair<std::size_t, std::size_t>> pointed_at_;  ///< by annotator and picture
  Examples without_area_, cancelled_, cut_;
};

}  // namespace crema::annotations
