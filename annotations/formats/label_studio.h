// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "annotations/formats/tool.h"

/// Label Studio's JSON: tasks with several annotations, each by whoever completed it; brushes and polygons in
/// percent of the picture.
namespace crema::annotations {

bool is_label_studio(const Document& document);
void read_label_studio(const Document& document, Collector& all);
std::string write_label_studio(const Consensus& consensus);

}  // namespace crema::annotations
