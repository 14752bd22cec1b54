// SPDX-License-Identifier: Apache-2.0
// Several labels that share an image, with other raters: all of them are solved and settled together each
// time, as a label alone may take what another one has in the joint consensus.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "crema/agreement/confidence/bootstrap.h"
#include "crema/agreement/confidence/leave_one_out.h"
#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/labels/structures.h"

namespace crema {

/// What the labels of one consensus would be with other raters. All of them are computed when one is
/// requested, and kept for the others. Several threads may ask.
class JointReplicas {
 public:
  /// As leave_one_out() of the label's reduction, on the same components or new ones. `solution` is what the
  /// label has in the joint consensus with these options, with its image.
  std::vector<LeftOut> leave_one_out(const LabelCounts& counts, std::size_t s, const Solution& solution,
                                     const Options& options, LeaveOut mode);

  /// As bootstrap() of the label's reduction.
  Bootstrap bootstrap(const LabelCounts& counts, std::size_t s, const Method& method, const Options& options,
                      int replicates, std::uint64_t seed);

 private:
  struct Replica {
    Solution solution;  ///< without its image
    VoxelSet set;
  };

  std::mutex mutex_;
  std::optional<LeaveOut> mode_;               ///< of `without_`
  std::vector<std::vector<Replica>> without_;  ///< per rater, per label
  std::pair<int, std::uint64_t> drawn_ = {};   ///< replicates and seed of `bootstraps_`
  std::vector<Bootstrap> bootstraps_;          ///< per label
};

/// A label's place in a joint consensus.
struct JointPart {
  const LabelCounts* counts = nullptr;
  std::size_t structure = 0;
  std::shared_ptr<JointReplicas> replicas = {};  ///< none: a mask
};

}  // namespace crema
