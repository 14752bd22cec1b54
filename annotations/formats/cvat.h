// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "annotations/formats/tool.h"

/// CVAT's XML for images 1.1: one export for each annotator's job; polygons, and runs along rows in a box.
namespace crema::annotations {

bool is_cvat(const Document& document);
void read_cvat(const Document& document, Collector& all);
std::string write_cvat(const Consensus& consensus);

}  // namespace crema::annotations
