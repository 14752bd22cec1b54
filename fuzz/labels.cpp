// SPDX-License-Identifier: Apache-2.0
// The bytes are label maps of at most 40 voxels and a setting; the joint consensus is compared with a plain
// reading of the method, voxel by voxel.
#include <cmath>
#include <memory>
#include <vector>

#include "crema/labels/settle/joint.h"
#include "fuzz/fuzz.h"
#include "test/slow_labels.h"

namespace {

struct Case {
  crema::Grid grid;
  slow::LabelMaps maps;
  slow::Setting setting;
};

Case make_case(fuzz::Purse& purse) {
  Case c;
  const bool flat = purse.flip();
  c.grid.size = {purse.roll(1, flat ? 7 : 4), purse.roll(1, flat ? 5 : 3), flat ? 1 : purse.roll(2, 3)};
  c.setting.connectivity = flat ? 8 : 26;
  c.setting.distance = purse.flip() ? crema::Distance::jaccard : crema::Distance::dice;
  c.setting.tie = purse.flip() ? crema::Tie::background : crema::Tie::foreground;
  const int labels = purse.roll(1, 4);
  c.maps.assign(static_cast<std::size_t>(purse.roll(1, 5)),
                std::vector<crema::Label>(static_cast<std::size_t>(c.grid.voxels()), 0));
  for (auto& map : c.maps)
    for (crema::Label& label : map) label = static_cast<crema::Label>(purse.roll(0, labels));
  return c;
}

crema::LabelCounts counted(const Case& c, const crema::Options& options) {
  const std::vector<std::span<const crema::Label>> spans(c.maps.begin(), c.maps.end());
  const auto maps = std::make_shared<const crema::LabelMaps>(crema::take_labels(c.grid, spans));
  std::vector<crema::Structure> structures;
  for (const crema::LabelExtent& extent : crema::labels_in(*maps))
    structures.push_back({extent.label, "", {extent.label}});
  return crema::count_labels(maps, std::move(structures), crema::Needs::distances, options);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Purse purse({data, size});
  const Case c = make_case(purse);
  crema::Options options;
  options.connectivity = c.setting.connectivity;
  options.tie = c.setting.tie;
  options.threads = 1;
  const crema::LabelCounts counts = counted(c, options);
  if (counts.structures.empty()) return 0;
  const crema::Method& method =
      crema::find_method(c.setting.distance == crema::Distance::dice ? "dice" : "jaccard");
  const crema::LabelConsensus ours = crema::solve_labels(counts, method, options);
  slow::JointLabels plain(c.grid, c.maps, c.setting);
  const std::vector<crema::Label> image = plain.solve();
  fuzz::promise(std::equal(ours.image.begin(), ours.image.end(), image.begin(), image.end()),
                "another label map than by the plain method");
  fuzz::promise(ours.unlabelled == 0, "a voxel that every rater labelled has no label");
  fuzz::promise(ours.lmsd_alone <= ours.lmsd, "freedom to overlap costs something");
  slow::Holders holders(image.size());
  for (std::size_t v = 0; v < image.size(); ++v)
    if (image[v] != 0) holders[v] = {image[v]};
  const double lmsd =
      static_cast<double>(plain.total_of(holders) / static_cast<slow::Precise>(c.maps.size()));
  fuzz::promise(std::abs(ours.lmsd - lmsd) <= 1e-12 * (1 + lmsd), "another LMSD");
  return 0;
}
