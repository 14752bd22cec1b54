// SPDX-License-Identifier: Apache-2.0
// Disjoint masks: paints every label alone, finds what is claimed twice and has it settled.
#include "crema/labels/hard.h"

#include <algorithm>
#include <map>
#include <span>

#include "crema/labels/settle.h"
#include "crema/labels/stretches.h"

namespace crema {
namespace {

constexpr Label kDisputed = 0xFFFF;

struct VoxelClaim {
  std::int64_t voxel;
  std::uint32_t structure, component;
};

/// Places of structures, from 1, while it is not yet known who gets what.
class Desk {
 public:
  Desk(const LabelCounts& counts, const std::vector<std::size_t>& chosen, LabelConsensus& consensus)
      : counts_(counts), chosen_(chosen), consensus_(consensus), involved_(counts.structures.size(), false) {
    places_ = LabelImage(static_cast<std::size_t>(counts.grid().voxels()));
  }

  void paint_all() {
    for (const std::size_t s : chosen_)
      for_each_claim(s, [&](std::size_t voxel, std::size_t) {
        Label& place = places_[voxel];
        if (place == 0) {
          place = static_cast<Label>(s + 1);
          return;
        }
        involved_[s] = true;
        if (place != kDisputed) involved_[place - 1U] = true;
        place = kDisputed;
      });
  }

  /// By voxel, then by structure.
  [[nodiscard]] std::vector<VoxelClaim> claims() {
    std::vector<VoxelClaim> claims;
    for (const std::size_t s : chosen_) {
      if (!involved_[s]) continue;
      for_each_claim(s, [&](std::size_t voxel, std::size_t component) {
        if (places_[voxel] == kDisputed)
          claims.push_back({static_cast<std::int64_t>(voxel), static_cast<std::uint32_t>(s),
                            static_cast<std::uint32_t>(component)});
      });
    }
    std::stable_sort(claims.begin(), claims.end(),
                     [](const VoxelClaim& a, const VoxelClaim& b) { return a.voxel < b.voxel; });
    return claims;
  }

  Label& operator[](std::int64_t voxel) { return places_[static_cast<std::size_t>(voxel)]; }

  void give_up(std::size_t structure, std::size_t component) {
    for_each_inside(counts_.grid(), counts_.structures[structure], component,
                    consensus_.labels[structure].alone.components[component], [&](std::size_t voxel) {
                      if (places_[voxel] == structure + 1) places_[voxel] = 0;
                    });
  }

  /// Places become the values of their structures.
  LabelImage take() && {
    for (const std::size_t s : chosen_) {
      const Label value = counts_.structures[s].structure.value;
      if (value == s + 1) continue;
      return renumbered();
    }
    return std::move(places_);
  }

 private:
  template <class F>
  void for_each_claim(std::size_t s, F f) {
    const auto& components = consensus_.labels[s].alone.components;
    for (std::size_t c = 0; c < components.size(); ++c)
      for_each_inside(counts_.grid(), counts_.structures[s], c, components[c],
                      [&](std::size_t voxel) { f(voxel, c); });
  }

  /// Reads only where a label was painted: the rest stays empty pages.
  LabelImage renumbered() {
    LabelImage image(places_.size());
    for (const std::size_t s : chosen_) {
      const Label value = counts_.structures[s].structure.value;
      for_each_claim(s, [&](std::size_t voxel, std::size_t) {
        if (places_[voxel] == s + 1) image[voxel] = value;
      });
    }
    return image;
  }

  const LabelCounts& counts_;
  const std::vector<std::size_t>& chosen_;
  LabelConsensus& consensus_;
  std::vector<bool> involved_;
  LabelImage places_;
};

/// Voxels with several claims, gathered into blocks.
class Disputes {
 public:
  Disputes(const LabelCounts& counts, const LabelConsensus& consensus)
      : counts_(counts), consensus_(consensus) {}

  void gather(const std::vector<VoxelClaim>& claims) {
    SideBySide walk(*counts_.maps);
    std::vector<std::uint32_t> key, last;
    for (std::size_t i = 0; i < claims.size();) {
      std::size_t end = i + 1;
      while (end < claims.size() && claims[end].voxel == claims[i].voxel) ++end;
      walk.look_at(claims[i].voxel);
      const auto own = std::span(claims).subspan(i, end - i);
      key.assign(walk.labels.begin(), walk.labels.end());
      for (const VoxelClaim& claim : own) key.insert(key.end(), {claim.structure, claim.component});
      if (key != last || voxels_.empty()) {
        const auto [found, fresh] = numbers_.try_emplace(key, blocks.size());
        if (fresh) open(own, walk.labels);
        current_ = found->second;
        last = key;
      }
      ++blocks[current_].voxels;
      voxels_.emplace_back(claims[i].voxel, current_);
      i = end;
    }
  }

  /// Tells the desk who got what.
  void answer(Desk& desk, LabelConsensus& consensus) {
    for (const auto& [voxel, block] : voxels_) desk[voxel] = place_of(blocks[block]);
    for (std::size_t c = 0; c < claimants.size(); ++c)
      if (claimants[c].emptied) {
        desk.give_up(parts_[c].structure, parts_[c].component);
        ++consensus.emptied;
      }
    consensus.claimed_twice += static_cast<std::int64_t>(voxels_.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) consensus.disputes.push_back(told(b));
    std::sort(consensus.disputes.begin(), consensus.disputes.end(), [](const Dispute& a, const Dispute& b) {
      return a.voxels != b.voxels ? a.voxels > b.voxels : a.first < b.first;
    });
  }

  std::vector<Claimant> claimants;
  std::vector<DisputedBlock> blocks;

 private:
  struct Part {
    std::uint32_t structure, component;
    friend auto operator<=>(const Part&, const Part&) = default;
  };

  void open(std::span<const VoxelClaim> own, const std::vector<Label>& said) {
    DisputedBlock block{.first = own.front().voxel, .claims = {}};
    for (const VoxelClaim& claim : own) {
      const auto& labels = counts_.structures[claim.structure].structure.labels;
      Raters raters = 0;
      for (std::size_t k = 0; k < said.size(); ++k)
        if (std::find(labels.begin(), labels.end(), said[k]) != labels.end()) raters |= Raters{1} << k;
      block.claims.push_back({claimant_of({claim.structure, claim.component}), raters});
    }
    blocks.push_back(std::move(block));
    said_.push_back(said);
  }

  std::size_t claimant_of(Part part) {
    const auto [found, fresh] = places_.try_emplace(part, claimants.size());
    if (fresh) {
      parts_.push_back(part);
      claimants.push_back({sums_of(part)});
    }
    return found->second;
  }

  [[nodiscard]] Sums sums_of(Part part) const {
    const Tally& tally = counts_.structures[part.structure].reduction.crowns[part.component].tally;
    return sum_inside(tally, consensus_.labels[part.structure].alone.components[part.component].inside);
  }

  [[nodiscard]] Label place_of(const DisputedBlock& block) const {
    if (block.holder < 0) return 0;
    const Claim& claim = block.claims[static_cast<std::size_t>(block.holder)];
    return static_cast<Label>(parts_[claim.claimant].structure + 1);
  }

  [[nodiscard]] Dispute told(std::size_t b) const {
    const DisputedBlock& block = blocks[b];
    Dispute dispute{.voxels = block.voxels, .first = block.first, .said = said_[b], .claimants = {}};
    for (const Claim& claim : block.claims)
      dispute.claimants.push_back(counts_.structures[parts_[claim.claimant].structure].structure.value);
    if (const Label place = place_of(block); place != 0)
      dispute.given = counts_.structures[place - 1U].structure.value;
    return dispute;
  }

  const LabelCounts& counts_;
  const LabelConsensus& consensus_;
  std::map<std::vector<std::uint32_t>, std::size_t> numbers_;
  std::map<Part, std::size_t> places_;
  std::vector<Part> parts_;               ///< as claimants
  std::vector<std::vector<Label>> said_;  ///< as blocks
  std::vector<std::pair<std::int64_t, std::size_t>> voxels_;
  std::size_t current_ = 0;
};

}  // namespace

Sums sum_inside(const Tally& tally, const std::vector<std::int64_t>& inside) {
  Sums sums{.overlap = std::vector<double>(static_cast<std::size_t>(tally.raters), 0),
            .size = std::vector<double>(static_cast<std::size_t>(tally.raters), 0)};
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const auto taken = static_cast<double>(inside[r]);
    sums.total += taken;
    for (std::size_t k = 0; k < sums.size.size(); ++k)
      if ((tally.rows[r].raters >> k & 1) != 0) {
        sums.overlap[k] += taken;
        sums.size[k] += static_cast<double>(tally.rows[r].voxels);
      }
  }
  sums.squares = sums.total;
  return sums;
}

LabelImage paint_disjoint(const LabelCounts& counts, const std::vector<std::size_t>& chosen,
                          const Options& options, LabelConsensus& consensus) {
  Desk desk(counts, chosen, consensus);
  desk.paint_all();
  Disputes disputes(counts, consensus);
  disputes.gather(desk.claims());
  consensus.sweeps += settle(disputes.claimants, disputes.blocks,
                             {.distance = consensus.method->distance,
                              .weights = options.weights,
                              .tie = options.tie,
                              .empty_test = options.empty_test});
  disputes.answer(desk, consensus);
  return std::move(desk).take();
}

}  // namespace crema
