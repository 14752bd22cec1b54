// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>

#include "crema/labels/label_maps.h"
#include "test/slow.h"

/// A plain reading of the method for several labels, voxel by voxel: every total is summed up anew.
namespace slow {

using crema::Label;
using LabelMaps = std::vector<std::vector<Label>>;
/// The labels that each voxel has for now; one at most in the end.
using Holders = std::vector<std::set<Label>>;

struct LabelBlock {
  std::vector<std::size_t> voxels;
  std::vector<Label> choices;  ///< 0: nobody; on a tie the first
  bool open = true;            ///< not decided yet
};

class JointLabels {
 public:
  JointLabels(const Grid& grid, const LabelMaps& maps, const Setting& setting)
      : maps_(maps), setting_(setting), voxels_(maps[0].size()) {
    for (const auto& map : maps)
      for (const Label label : map)
        if (label != 0) labels_.insert(label);
    for (const Label label : labels_) {
      masks_[label] = mask_of(label);
      component_[label] = components(grid, masks_[label], setting);
      parts_[label] = parts(grid, masks_[label], setting);
      alone_[label] = fuse(grid, masks_[label], setting).mask;
    }
  }

  std::vector<Label> solve() {
    start_alone();
    settle();
    Holders best = holders_;
    const Precise least = total();
    if (labels_.size() > 1) {
      start_by_vote();
      settle();
      // The program compares these two totals in double precision.
      if (total() < least * (1 - static_cast<Precise>(1e-12))) best = holders_;
    }
    std::vector<Label> image(voxels_, 0);
    for (std::size_t v = 0; v < voxels_; ++v)
      if (!best[v].empty()) image[v] = *best[v].begin();
    return image;
  }

  /// The label most raters gave each voxel, or the tie policy's.
  [[nodiscard]] Label plurality(std::size_t v) const {
    std::map<Label, int> votes;
    for (const auto& map : maps_) ++votes[map[v]];
    int most = 0;
    for (const auto& [label, count] : votes) most = std::max(most, count);
    std::vector<Label> winners;
    for (const auto& [label, count] : votes)
      if (count == most) winners.push_back(label);
    if (winners.size() == 1) return winners.front();
    if (setting_.tie == crema::Tie::background) return 0;
    return winners.front() != 0 ? winners.front() : winners[1];
  }

  [[nodiscard]] bool labelled(std::size_t v) const {
    std::set<Label> said;
    for (const auto& map : maps_) said.insert(map[v]);
    return !said.contains(0) && said.size() > 1;
  }

  /// Σ over the labels and their components; K times the criterion.
  [[nodiscard]] Precise total_of(const Holders& holders) const {
    Precise sum = 0;
    for (const Label label : labels_)
      for (const Part& part : parts_.at(label)) {
        std::vector<char> in;
        for (const std::size_t v : part.voxels) in.push_back(holders[v].contains(label) ? 1 : 0);
        sum += value(part, in, setting_.distance);
      }
    return sum;
  }

 private:
  [[nodiscard]] Masks mask_of(Label label) const {
    Masks masks;
    for (const auto& map : maps_) {
      masks.emplace_back();
      for (const Label own : map) masks.back().push_back(own == label ? 1 : 0);
    }
    return masks;
  }

  [[nodiscard]] int raters(std::size_t v, Label label) const {
    int count = 0;
    for (const auto& map : maps_) count += map[v] == label ? 1 : 0;
    return count;
  }

  [[nodiscard]] std::set<Label> given(std::size_t v) const {
    std::set<Label> given;
    for (const auto& map : maps_)
      if (map[v] != 0) given.insert(map[v]);
    return given;
  }

  /// Gathers a voxel into its block.
  void gather(std::size_t v, const std::set<Label>& candidates, bool open) {
    std::vector<int> key;
    for (const auto& map : maps_) key.push_back(map[v]);
    for (const Label label : holders_[v]) key.push_back(-label);
    key.push_back(open ? -100000 : -100001);
    for (const Label label : candidates) {
      key.push_back(label);
      key.push_back(component_[label][v]);
    }
    LabelBlock& block = blocks_[key];
    block.voxels.push_back(v);
    block.open = open;
    block.choices.assign(candidates.begin(), candidates.end());
    std::stable_sort(block.choices.begin(), block.choices.end(),
                     [&](Label a, Label b) { return raters(v, a) > raters(v, b); });
    if (!labelled(v)) block.choices.push_back(0);
  }

  void start_alone() {
    holders_.assign(voxels_, {});
    blocks_.clear();
    for (std::size_t v = 0; v < voxels_; ++v) {
      for (const Label label : labels_)
        if (alone_[label][v] != 0) holders_[v].insert(label);
      if (holders_[v].size() > 1 || (holders_[v].empty() && labelled(v)))
        gather(v, labelled(v) ? given(v) : holders_[v], true);
    }
  }

  void start_by_vote() {
    holders_.assign(voxels_, {});
    blocks_.clear();
    for (std::size_t v = 0; v < voxels_; ++v) {
      if (const Label winner = plurality(v); winner != 0) holders_[v] = {winner};
      if (given(v).size() > 1) gather(v, given(v), labelled(v) && holders_[v].empty());
    }
  }

  [[nodiscard]] Precise total() const { return total_of(holders_); }

  [[nodiscard]] Holders with(const LabelBlock& block, Label choice) const {
    Holders changed = holders_;
    for (const std::size_t v : block.voxels) {
      changed[v].clear();
      if (choice != 0) changed[v] = {choice};
    }
    return changed;
  }

  [[nodiscard]] bool may_have(const LabelBlock& block, Label choice) const {
    return choice == 0 || !emptied_.contains({choice, component_.at(choice)[block.voxels.front()]});
  }

  /// The best choice and the total it reaches; what it has wins a tie.
  [[nodiscard]] std::pair<Label, Precise> best(const LabelBlock& block) const {
    std::vector<Label> order = block.choices;
    if (!block.open) {
      const auto& held = holders_[block.voxels.front()];
      order.insert(order.begin(), held.empty() ? Label{0} : *held.begin());
    }
    Label choice = 0;
    Precise least = 1e9;
    for (const Label own : order) {
      if (!may_have(block, own)) continue;
      const Precise reached = total_of(with(block, own));
      if (reached < least - static_cast<Precise>(kSame)) {
        least = reached;
        choice = own;
      }
    }
    return {choice, least};
  }

  bool decide(const std::vector<LabelBlock*>& tied) {
    Holders next = holders_;
    bool open = false;
    for (LabelBlock* block : tied) {
      open = open || block->open;
      const Holders own = with(*block, best(*block).first);
      for (const std::size_t v : block->voxels) next[v] = own[v];
    }
    if (next == holders_ && !open) return false;
    if (!open && tied.size() > 1 && !(total_of(next) < total() - static_cast<Precise>(kSame))) return false;
    for (LabelBlock* block : tied) block->open = false;
    holders_ = next;
    return true;
  }

  bool sweep() {
    std::map<std::size_t, std::vector<LabelBlock*>, std::greater<>> by_size;
    for (auto& [key, block] : blocks_) by_size[block.voxels.size()].push_back(&block);
    bool moved = false;
    for (auto& [size, equals] : by_size) {
      std::vector<std::pair<Precise, LabelBlock*>> order;
      for (LabelBlock* block : equals) order.emplace_back(best(*block).second, block);
      std::stable_sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.first < b.first; });
      for (std::size_t first = 0; first < order.size();) {
        std::vector<LabelBlock*> tied{order[first].second};
        std::size_t last = first + 1;
        for (; last < order.size() && order[last].first - order[last - 1].first < static_cast<Precise>(kSame);
             ++last)
          tied.push_back(order[last].second);
        moved = decide(tied) || moved;
        first = last;
      }
    }
    return moved;
  }

  /// Tests the empty set in the components that blocks touch and that need not keep anything.
  bool empty_some() {
    std::set<std::pair<Label, int>> touched;
    for (const auto& [key, block] : blocks_)
      for (const Label label : block.choices)
        if (label != 0) touched.insert({label, component_[label][block.voxels.front()]});
    bool any = false;
    for (const auto& own : touched) {
      const Part& part = parts_[own.first][static_cast<std::size_t>(own.second) - 1];
      std::vector<char> in;
      bool needed = false;
      for (const std::size_t v : part.voxels) {
        in.push_back(holders_[v].contains(own.first) ? 1 : 0);
        needed = needed || (in.back() != 0 && labelled(v));
      }
      const std::vector<char> nothing(in.size(), 0);
      if (needed || in == nothing) continue;
      const Precise loss = value(part, nothing, setting_.distance) - value(part, in, setting_.distance);
      const auto same = static_cast<Precise>(kSame);
      if (!(loss < -same || (loss < same && setting_.tie == crema::Tie::background))) continue;
      for (const std::size_t v : part.voxels) holders_[v].erase(own.first);
      emptied_.insert(own);
      any = true;
    }
    return any;
  }

  void settle() {
    emptied_.clear();
    do {
      while (sweep()) {
      }
    } while (empty_some());
  }

  const LabelMaps& maps_;
  Setting setting_;
  std::size_t voxels_;
  std::set<Label> labels_;
  std::map<Label, Masks> masks_;
  std::map<Label, std::vector<int>> component_;
  std::map<Label, std::vector<Part>> parts_;
  std::map<Label, std::vector<std::uint8_t>> alone_;
  Holders holders_;
  std::map<std::vector<int>, LabelBlock> blocks_;
  std::set<std::pair<Label, int>> emptied_;
};

}  // namespace slow
