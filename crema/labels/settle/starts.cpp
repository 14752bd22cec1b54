// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/starts.h"

#include <algorithm>

#include "crema/labels/settle/ballot.h"
#include "crema/labels/settle/stretches.h"
#include "crema/options.h"

namespace crema {
namespace {

constexpr Label kDisputed = 0xFFFF;

/// A label that takes a voxel alone; place 0: nobody takes it, but every rater labelled it.
struct VoxelClaim {
  std::int64_t voxel;
  Label place;
};

class Alone {
 public:
  Alone(Contest& contest, const std::vector<Taken>& taken)
      : contest_(contest), taken_(taken), involved_(taken.size() + 1, false), sketch_(contest.counts()) {}

  Sketch run(Holes holes) && {
    for (const std::size_t s : contest_.chosen()) claim(s);
    for (const std::size_t s : contest_.chosen())
      if (involved_[s + 1]) list_disputed(s);
    if (holes == Holes::fill) list_holes();
    std::stable_sort(claims_.begin(), claims_.end(),
                     [](const VoxelClaim& a, const VoxelClaim& b) { return a.voxel < b.voxel; });
    gather();
    return std::move(sketch_);
  }

 private:
  void claim(std::size_t s) {
    const auto own = static_cast<Label>(s + 1);
    for (const Run& run : taken_[s]) {
      Label* const first = sketch_.places.data() + run.first;
      for (Label* place = first; place < first + run.length; ++place) {
        if (*place == 0) {
          *place = own;
          continue;
        }
        involved_[own] = true;
        if (*place != kDisputed) involved_[*place] = true;
        *place = kDisputed;
      }
    }
  }

  void list_disputed(std::size_t s) {
    for (const Run& run : taken_[s])
      for (std::int64_t v = run.first; v < run.first + run.length; ++v)
        if (place_at(v) == kDisputed) claims_.push_back({v, static_cast<Label>(s + 1)});
  }

  void list_holes() {
    for_each_stretch(*contest_.counts().maps,
                     [&](std::int64_t first, std::int64_t length, std::span<const Label> labels) {
                       const std::span<const Label> said = contest_.places_of(labels);
                       if (!Contest::is_labelled(said, contest_.given(said))) return;
                       for (std::int64_t v = first; v < first + length; ++v) look_at(v);
                     });
  }

  /// A voxel that every rater labelled.
  void look_at(std::int64_t voxel) {
    const Label place = place_at(voxel);
    if (place == 0) claims_.push_back({voxel, 0});
    if (place == 0 || place == kDisputed || (place == kept_place_ && voxel < kept_end_)) return;
    const ComponentFinder::Found found = contest_.find(place, voxel);
    kept_place_ = place;
    kept_end_ = found.end;
    if (found.component != ComponentFinder::kNone) sketch_.keep({place - 1U, found.component});
  }

  void gather() {
    SideBySide walk(*contest_.counts().maps);
    std::vector<LabelCandidate> candidates;
    for (std::size_t i = 0; i < claims_.size();) {
      const std::int64_t voxel = claims_[i].voxel;
      std::size_t end = i + 1;
      while (end < claims_.size() && claims_[end].voxel == voxel) ++end;
      const auto own = std::span(claims_).subspan(i, end - i);
      const auto claims = [&](Label place) {
        return std::any_of(own.begin(), own.end(), [&](const VoxelClaim& c) { return c.place == place; });
      };
      walk.look_at(voxel);
      const std::span<const Label> said = contest_.places_of(walk.labels), given = contest_.given(said);
      const bool labelled = Contest::is_labelled(said, given);
      candidates.clear();
      if (labelled)
        for (const Label place : given)
          candidates.push_back({place, contest_.find(place, voxel).component, claims(place)});
      else
        for (const VoxelClaim& claim : own)
          candidates.push_back({claim.place, contest_.find(claim.place, voxel).component, true});
      sketch_.add(voxel, 1, {.said = said, .candidates = candidates, .labelled = labelled});
      i = end;
    }
  }

  [[nodiscard]] Label place_at(std::int64_t voxel) const {
    return sketch_.places[static_cast<std::size_t>(voxel)];
  }

  Contest& contest_;
  const std::vector<Taken>& taken_;
  std::vector<bool> involved_;
  Sketch sketch_;
  std::vector<VoxelClaim> claims_;
  Label kept_place_ = 0;
  std::int64_t kept_end_ = 0;
};

/// Voxels of which every rater says the same, and that lie in the same components of all that is said.
void add_contested(Contest& contest, std::int64_t first, std::int64_t length, Label winner, Stake stake,
                   std::span<const Label> given, Sketch& sketch) {
  std::vector<LabelCandidate> candidates;
  for (std::int64_t voxel = first; voxel < first + length;) {
    std::int64_t end = first + length;
    candidates.clear();
    stake.holder = stake.labelled ? DisputedBlock::kOpen : DisputedBlock::kNobody;
    for (const Label place : given) {
      const ComponentFinder::Found found = contest.find(place, voxel);
      end = std::min(end, found.end);
      if (place == winner) stake.holder = static_cast<int>(candidates.size());
      candidates.push_back({place, found.component});
    }
    stake.candidates = candidates;
    sketch.add(voxel, end - voxel, stake);
    voxel = end;
  }
}

}  // namespace

Contest::Contest(const LabelCounts& counts, std::vector<std::size_t> chosen)
    : counts_(counts),
      chosen_(std::move(chosen)),
      table_(places_of_labels(counts, chosen_)),
      finders_(counts.structures.size()),
      said_(counts.maps->raters.size()) {
  std::sort(chosen_.begin(), chosen_.end(), [&](std::size_t a, std::size_t b) {
    return counts.structures[a].structure.value < counts.structures[b].structure.value;
  });
}

std::span<const Label> Contest::places_of(std::span<const Label> labels) {
  std::transform(labels.begin(), labels.end(), said_.begin(), [&](Label label) { return table_[label]; });
  return said_;
}

std::span<const Label> Contest::given(std::span<const Label> said) {
  const auto value = [&](Label place) { return counts_.structures[place - 1U].structure.value; };
  given_.clear();
  for (const Label place : said)
    if (place != 0 && std::find(given_.begin(), given_.end(), place) == given_.end()) given_.push_back(place);
  std::sort(given_.begin(), given_.end(), [&](Label a, Label b) { return value(a) < value(b); });
  return given_;
}

bool Contest::is_labelled(std::span<const Label> said, std::span<const Label> given) {
  return given.size() > 1 && std::find(said.begin(), said.end(), Label{0}) == said.end();
}

ComponentFinder::Found Contest::find(Label place, std::int64_t voxel) {
  std::optional<ComponentFinder>& finder = finders_[place - 1U];
  if (!finder) finder.emplace(counts_.structures[place - 1U].reduction.components);
  return finder->find(voxel);
}

Sketch start_alone(Contest& contest, const std::vector<Taken>& taken, Holes holes) {
  return Alone(contest, taken).run(holes);
}

Sketch start_by_vote(Contest& contest, const Options& options) {
  const LabelCounts& counts = contest.counts();
  Sketch sketch(counts);
  Ballot ballot(counts, options);
  for_each_stretch(*counts.maps, [&](std::int64_t first, std::int64_t length, std::span<const Label> labels) {
    const std::span<const Label> said = contest.places_of(labels), given = contest.given(said);
    if (given.empty()) return;
    const Label winner =
        ballot.winner(said).value_or(options.tie == Tie::foreground ? ballot.lowest_tied() : 0);
    if (winner != 0) std::fill_n(sketch.places.begin() + first, length, winner);
    if (given.size() > 1)
      add_contested(contest, first, length, winner,
                    {.said = said, .candidates = {}, .labelled = Contest::is_labelled(said, given)}, given,
                    sketch);
  });
  return sketch;
}

}  // namespace crema
