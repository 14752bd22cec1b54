// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crema::cli {

/// The exit code of a cohort of which some cases have failed, or are still to be done.
inline constexpr int kPartly = 5;

}  // namespace crema::cli
