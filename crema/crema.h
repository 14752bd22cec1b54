// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The public surface of crema. Start with fuse(), fuse_labels() for label maps, or fuse_levels() and
/// fuse_classes() for probability maps; see methods() for what they can do. docs/cpp.md has examples.
///
///     crema::Grid grid{.size = {256, 256, 20}, .spacing = {1, 1, 3}};
///     std::vector<crema::Mask> raters = {first, second, third};   // borrowed bytes, non-zero is inside
///     crema::Consensus c = crema::fuse(grid, raters, {.method = "dice"});
///
/// Nothing here prints, exits or touches files. Bad arguments throw crema::InputError.

#include "crema/agreement/confidence/certify_map.h"  // IWYU pragma: export
#include "crema/agreement/overlap.h"                 // IWYU pragma: export
#include "crema/agreement/warnings/warnings.h"       // IWYU pragma: export
#include "crema/base/error.h"                        // IWYU pragma: export
#include "crema/base/version.h"                      // IWYU pragma: export
#include "crema/fuse.h"                              // IWYU pragma: export
#include "crema/image/grid.h"                        // IWYU pragma: export
#include "crema/image/image.h"                       // IWYU pragma: export
#include "crema/labels/fuse_labels.h"                // IWYU pragma: export
#include "crema/records/record.h"                    // IWYU pragma: export
#include "crema/tables/method.h"                     // IWYU pragma: export
#include "crema/tables/preset.h"                     // IWYU pragma: export
