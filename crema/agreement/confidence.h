// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How sure a consensus is: other raters, other weights, and where a second look pays.

#include "crema/agreement/bootstrap.h"      // IWYU pragma: export
#include "crema/agreement/leave_one_out.h"  // IWYU pragma: export
#include "crema/agreement/review.h"         // IWYU pragma: export
#include "crema/agreement/stability.h"      // IWYU pragma: export
