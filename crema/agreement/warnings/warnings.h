// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "crema/base/warning.h"
#include "crema/counts/tally.h"

namespace crema {

struct Method;
struct Performance;
struct Reduction;
struct Solution;

/// What a careful reader of the counts would ask about the raters, whatever the method: masks that are full,
/// look inverted or lack a slice. Raters go by their number, from 1, and their name where names are given.
Warnings warnings_about_raters(const Reduction& reduction, std::span<const std::string> names = {});

/// Raters who say the same of every structure. That those in `reported` are copies of others is known
/// already.
Warnings warnings_about_copies(std::span<const Reduction* const> structures,
                               std::span<const std::string> names = {}, Raters reported = 0);

/// What a careful reader would ask about an estimate of performance: no convergence, a rater who dictates it,
/// a rater taken to be worse than chance, voxels decided against a strict majority; and of any
/// method, components that half of the raters drew and that came out empty.
Warnings warnings_about_estimate(const Reduction& reduction, const Solution& solution,
                                 std::span<const std::string> names = {});

/// The same where the performance was found on the way to a result, as for a region that is then cut.
Warnings warnings_about_estimate(const Reduction& reduction, const Solution& solution,
                                 std::span<const std::string> names, const std::optional<Performance>& found);

/// What raters' sensitivities and specificities are where the result is taken for the truth: for an estimate
/// of several labels at once, which has none for each label.
Performance performance_against(const Reduction& reduction, const Solution& solution);

/// Whom a method left out of all labels at once.
Warnings warnings_about_dropped(const Method& method, Raters dropped, std::span<const std::string> names);

}  // namespace crema
