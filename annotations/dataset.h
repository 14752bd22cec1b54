// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "annotations/shapes/shape.h"
#include "crema/base/warning.h"

namespace crema::annotations {

/// A picture that was annotated, as the tool knows it.
struct Picture {
  std::string file;                     ///< its name or address in the tool
  Extent size;                          ///< 0 × 0: nobody says
  std::optional<std::int64_t> id = {};  ///< in the first file that has it; none: the tool gives none
  std::string field = {};               ///< Label Studio: what the task calls it
  std::string from = {}, to = {};       ///< Label Studio: the controls that drew on it
  bool polygons = false;                ///< Label Studio: that control draws polygons, not brushes
};

inline bool known(Extent size) { return size.width > 0; }

struct Category {
  std::string name;
  std::optional<std::int64_t> id = {};  ///< in the first file that has it; none: the tool gives none
  std::string colour = {};              ///< "#e66a2d"; empty: none
  std::string group = {};               ///< COCO: the supercategory
};

/// One object that one annotator drew.
struct Object {
  std::size_t picture = 0, category = 0;
  Shape shape;
  bool crowd = false;  ///< COCO: several objects in one outline
};

/// Somebody who annotated pictures; where nothing was drawn on one of them, that is an answer, too.
struct Annotator {
  std::string name;
  std::vector<std::size_t> pictures;  ///< those that were looked at
  std::vector<Object> objects;
};

/// What several annotators drew on a set of pictures.
struct Dataset {
  std::vector<Picture> pictures;
  std::vector<Category> categories;
  std::vector<Annotator> annotators;
  Warnings warnings;
};

}  // namespace crema::annotations
