// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "figure/case_figure.h"

/// Where the panels of a figure look.
namespace crema::figure {

/// Panels that a figure has at most, where it chooses them itself.
inline constexpr std::size_t kMaxPanels = 24;

/// What one panel is to show.
struct Place {
  plot::View view;
  std::optional<std::size_t> component;  ///< that it is about; nothing: all on the slice
};

/// The structures that are drawn: those that anybody drew, and with most disagreement where there are many.
std::vector<std::size_t> chosen_structures(const raters::Case& counted, std::size_t panels_each,
                                           Warnings& warnings);

/// The components that are drawn each by itself, in their order: at most so many.
std::vector<std::size_t> chosen_components(const Reduction& reduction, std::size_t most, Warnings& warnings);

/// The slice with most disagreement among those that the answers meet: all of them where there is such a
/// slice, else any of them; without such answers among all.
plot::Slice auto_slice(const Reduction& reduction, std::span<const Answered> answers,
                       std::optional<std::size_t> component = {});

/// The places of one structure on these slices, or of each of its components; at most so many of them.
std::vector<Place> places_of(const Request& request, std::span<const plot::Slice> slices,
                             const Subject& subject, Warnings& warnings);
std::vector<Place> component_places(const Request& request, const Subject& subject,
                                    std::span<const Answered> answers, std::size_t most, Warnings& warnings);

/// The component of which the slice shows most.
std::size_t main_component(const Reduction& reduction, const plot::Slice& slice);

}  // namespace crema::figure
