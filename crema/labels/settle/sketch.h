// SPDX-License-Identifier: Apache-2.0
// One label per voxel under construction: who has what for now, and the blocks that are to be settled.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "crema/labels/settle/joint.h"
#include "crema/labels/settle/places.h"
#include "crema/labels/settle/settle.h"

namespace crema {

/// A component of a structure.
struct ClaimedPart {
  std::uint32_t structure, component;
  friend auto operator<=>(const ClaimedPart&, const ClaimedPart&) = default;
};

/// A label that voxels may go to.
struct LabelCandidate {
  Label place = 0;
  std::uint32_t component = 0;  ///< or ComponentFinder::kNone
  bool holds = false;           ///< it has them while they are open
};

/// Consecutive voxels of one block.
struct Piece {
  std::int64_t first, length;
  std::size_t block;
};

/// Voxels that are to be settled alike.
struct Stake {
  std::span<const Label> said;                 ///< by each rater, as places
  std::span<const LabelCandidate> candidates;  ///< by increasing label
  bool labelled = false;                       ///< every rater gave them a label
  int holder = DisputedBlock::kOpen;           ///< the place of a candidate
};

class Sketch {
 public:
  explicit Sketch(const LabelCounts& counts)
      : counts_(counts), places(static_cast<std::size_t>(counts.grid().voxels())) {}

  /// Adds voxels to the block they belong to; they come in raster order.
  void add(std::int64_t first, std::int64_t length, const Stake& stake);

  /// The component holds voxels outside all blocks that must not be left to nobody.
  void keep(ClaimedPart part) { kept_[part] = true; }

  /// The voxels of each row that a component has, for all components of the chosen structures.
  using InsideOf = std::function<std::vector<std::int64_t>(std::size_t structure, std::size_t component)>;

  /// Settles all blocks and paints who got what. `inside` says what components have before.
  void settle(const std::vector<std::size_t>& chosen, const InsideOf& inside, const SettleOptions& options);

  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<Label>& said(std::size_t block) const { return said_[block]; }
  [[nodiscard]] const std::vector<LabelCandidate>& candidates(std::size_t block) const {
    return candidates_[block];
  }
  [[nodiscard]] double total() const { return total_; }  ///< criterion, once settled
  [[nodiscard]] int sweeps() const { return sweeps_; }
  [[nodiscard]] std::size_t emptied() const { return emptied_; }

 private:
  const LabelCounts& counts_;

 public:
  LabelImage places;  ///< of structures, from 1

 private:
  [[nodiscard]] std::size_t open(const Stake& stake);
  std::size_t claimant_of(const LabelCandidate& candidate);
  void paint();

  std::vector<Claimant> claimants_;
  std::vector<ClaimedPart> parts_;  ///< as claimants
  std::map<ClaimedPart, std::size_t> place_of_part_;
  std::map<ClaimedPart, bool> kept_;
  std::vector<DisputedBlock> blocks_;
  std::vector<std::vector<Label>> said_;                 ///< as blocks
  std::vector<std::vector<LabelCandidate>> candidates_;  ///< as blocks
  std::map<std::vector<std::uint32_t>, std::size_t> block_of_key_;
  std::vector<std::uint32_t> last_key_;
  std::vector<Piece> pieces_;
  double total_ = 0;
  int sweeps_ = 0;
  std::size_t emptied_ = 0;
};

}  // namespace crema
