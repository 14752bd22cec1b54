// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "annotations/formats/tool.h"

/// COCO's instances: one JSON file for each annotator; polygons, plain or compressed runs.
namespace crema::annotations {

bool is_coco(const Document& document);
void read_coco(const Document& document, Collector& all);
std::string write_coco(const Consensus& consensus);

}  // namespace crema::annotations
