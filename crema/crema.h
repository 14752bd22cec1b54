// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The public surface of crema. Start with fuse(); see methods() for what it can do.
///
///     crema::Grid grid{.size = {256, 256, 20}, .spacing = {1, 1, 3}};
///     std::vector<crema::Mask> raters = {first, second, third};   // borrowed bytes, non-zero is inside
///     crema::Consensus c = crema::fuse(grid, raters, {.method = "dice"});
///
/// Nothing here prints, exits or touches files. Bad arguments throw crema::InputError.

#include "crema/agreement/certify_map.h"  // IWYU pragma: export
#include "crema/agreement/overlap.h"      // IWYU pragma: export
#include "crema/agreement/record.h"       // IWYU pragma: export
#include "crema/agreement/warnings.h"     // IWYU pragma: export
#include "crema/error.h"                  // IWYU pragma: export
#include "crema/fuse.h"                   // IWYU pragma: export
#include "crema/image/grid.h"             // IWYU pragma: export
#include "crema/image/image.h"            // IWYU pragma: export
#include "crema/method.h"                 // IWYU pragma: export
#include "crema/phantom/phantom.h"        // IWYU pragma: export
#include "crema/preset.h"                 // IWYU pragma: export
#include "crema/settings.h"               // IWYU pragma: export
#include "crema/version.h"                // IWYU pragma: export
#include "crema/weights.h"                // IWYU pragma: export
