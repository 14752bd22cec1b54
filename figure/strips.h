// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "figure/case_figure.h"
#include "figure/panel.h"
#include "figure/places.h"

/// Strips of panels that show how the method works on one component.
namespace crema::figure {

/// Steps of the neighbourhood from each cell of a view to the rater's nearest voxel in a component; −1
/// everywhere where there is none.
plot::Plane<std::int32_t> steps_to_rater(const Reduction& reduction, std::size_t component, int rater,
                                         const plot::View& view);

/// A panel of a view with the cells of one component, or of all.
plot::Panel bare_panel(const Subject& subject, const Place& place, plot::Show show);

/// The distance to each rater, a panel each.
std::vector<plot::Panel> distance_panels(const Subject& subject, const Place& place);

/// Masks, the distance to each rater, the total distance, and subcrowns in colours.
std::vector<plot::Panel> construction_panels(const Subject& subject, const Place& place);

/// Subcrowns that the shrinking pass of a method tried, in its order, with the criterion before and after:
/// those that the view shows, at most so many.
std::vector<plot::Panel> iteration_panels(const Subject& subject, const Place& place, const Method& method,
                                          std::size_t most, Warnings& warnings);

}  // namespace crema::figure
