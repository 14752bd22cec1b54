// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/vectors.h"

#include <algorithm>
#include <map>
#include <utility>

#include "crema/labels/settle/places.h"
#include "crema/labels/settle/stretches.h"

namespace crema {
namespace {

/// Calls f(first, length, places) as for_each_stretch does.
template <class F>
void for_each_places(const LabelCounts& counts, F f) {
  const std::vector<Label> table = places_of_labels(counts);
  std::vector<Label> places(counts.maps->raters.size());
  for_each_stretch(*counts.maps, [&](std::int64_t first, std::int64_t length, std::span<const Label> said) {
    std::transform(said.begin(), said.end(), places.begin(), [&](Label label) { return table[label]; });
    f(first, length, places);
  });
}

}  // namespace

LabelVectors count_vectors(const LabelCounts& counts) {
  std::map<std::vector<Label>, std::int64_t> rows;
  std::int64_t drawn = 0;
  for_each_places(counts, [&](std::int64_t, std::int64_t length, const std::vector<Label>& places) {
    rows[places] += length;
    drawn += length;
  });
  const std::size_t raters = counts.maps->raters.size();
  if (drawn < counts.grid().voxels()) rows[std::vector<Label>(raters, 0)] += counts.grid().voxels() - drawn;
  LabelVectors vectors{
      .raters = raters, .places = counts.structures.size() + 1, .values = {0}, .said = {}, .voxels = {}};
  for (const StructureCounts& own : counts.structures) vectors.values.push_back(own.structure.value);
  for (const auto& [said, voxels] : rows) {
    vectors.said.insert(vectors.said.end(), said.begin(), said.end());
    vectors.voxels.push_back(voxels);
  }
  return vectors;
}

LabelImage paint_vectors(const LabelCounts& counts, const LabelVectors& vectors,
                         const std::vector<std::size_t>& place_of_row, Label undecided) {
  std::vector<Label> values(vectors.places + 1, 0);
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    values[s + 1] = counts.structures[s].structure.value;
  values.back() = undecided;
  std::map<std::vector<Label>, Label> answers;
  for (std::size_t r = 0; r < vectors.rows(); ++r)
    answers[{vectors.row(r), vectors.row(r) + vectors.raters}] = values[place_of_row[r]];
  LabelImage image(static_cast<std::size_t>(counts.grid().voxels()));
  const auto nobody = answers.find(std::vector<Label>(vectors.raters, 0));
  if (nobody != answers.end() && nobody->second != 0) std::fill(image.begin(), image.end(), nobody->second);
  for_each_places(counts, [&](std::int64_t first, std::int64_t length, const std::vector<Label>& places) {
    const Label value = answers.at(places);
    if (value == 0 && std::as_const(image)[static_cast<std::size_t>(first)] == 0) return;
    const auto part = image.paint(static_cast<std::size_t>(first), static_cast<std::size_t>(length));
    std::fill(part.begin(), part.end(), value);
  });
  return image;
}

std::vector<std::size_t> vote(const LabelVectors& vectors, const std::vector<double>& weights) {
  constexpr double kEqual = 1e-12;
  std::vector<std::size_t> places;
  std::vector<double> behind(vectors.places, 0);
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    // Only places that somebody named are looked at: there may be thousands.
    const std::span<const Label> said(vectors.row(r), vectors.raters);
    for (std::size_t k = 0; k < said.size(); ++k) behind[said[k]] += weights[k];
    double most = 0;
    for (const Label place : said) most = std::max(most, behind[place]);
    std::size_t winner = vectors.places;
    bool tied = most <= 0;
    for (const Label place : said) {
      if (behind[place] < most * (1 - kEqual)) continue;
      tied = tied || (winner != vectors.places && winner != place);
      winner = place;
    }
    places.push_back(tied ? vectors.places : winner);
    for (const Label place : said) behind[place] = 0;
  }
  return places;
}

}  // namespace crema
