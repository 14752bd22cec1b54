// SPDX-License-Identifier: Apache-2.0
#include "figure/slice.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "crema/voxels/votes/votes.h"
#include "figure/slices_met.h"

namespace crema::plot {
namespace {

/// Raters' masks on a grid, filled box by box.
struct Scene {
  Grid grid;
  std::vector<std::vector<std::uint8_t>> masks;

  Scene(std::array<std::int32_t, 3> size, std::size_t raters) {
    grid.size = size;
    masks.assign(raters, std::vector<std::uint8_t>(static_cast<std::size_t>(grid.voxels())));
  }
  void fill(std::size_t rater, std::array<int, 3> low, std::array<int, 3> high) {
    for (int z = low[2]; z < high[2]; ++z)
      for (int y = low[1]; y < high[1]; ++y)
        for (int x = low[0]; x < high[0]; ++x)
          masks[rater][static_cast<std::size_t>((z * grid.size[1] + y) * grid.size[0] + x)] = 1;
  }
  [[nodiscard]] Reduction reduce() const {
    const std::vector<Mask> views(masks.begin(), masks.end());
    return crema::reduce(grid, take_votes(grid.voxels(), views), Needs::distances, {});
  }
};

/// Both agree on z = 1; on z = 2 and 3 the second draws less.
Scene two_raters() {
  Scene scene({8, 6, 5}, 2);
  scene.fill(0, {1, 1, 1}, {5, 5, 4});
  scene.fill(1, {1, 1, 1}, {5, 5, 2});
  scene.fill(1, {1, 1, 2}, {5, 3, 3});
  scene.fill(1, {1, 1, 3}, {2, 2, 4});
  return scene;
}

TEST(Slice, IsTheOneOnWhichMostPairsDisagree) {
  EXPECT_EQ(choose_slice(two_raters().reduce()), (Slice{Axis::z, 3}));
}

TEST(Slice, CountsPairsAndNotVoxels) {
  Scene scene({9, 4, 2}, 4);
  scene.fill(0, {0, 0, 0}, {5, 1, 1});                                       // five voxels, three pairs each
  for (const std::size_t k : {0U, 1U}) scene.fill(k, {0, 0, 1}, {4, 1, 2});  // four voxels, four pairs each
  EXPECT_EQ(choose_slice(scene.reduce()), (Slice{Axis::z, 1}));
}

TEST(Slice, LiesAcrossTheLargestSpacing) {
  Scene scene = two_raters();
  scene.grid.spacing = {1, 4, 2};
  EXPECT_EQ(choose_slice(scene.reduce())->axis, Axis::y);
  scene.grid.spacing = {1, 1, 1};
  EXPECT_EQ(choose_slice(scene.reduce())->axis, Axis::z);
}

TEST(Slice, OfAnImageWithTwoAxesIsTheImage) {
  Scene scene({8, 6, 1}, 2);
  scene.fill(0, {1, 1, 0}, {2, 2, 1});
  scene.grid.spacing = {3, 1, 1};
  EXPECT_EQ(choose_slice(scene.reduce()), (Slice{Axis::z, 0}));
}

TEST(Slice, OfAgreementIsTheLargestAndThenTheFirst) {
  Scene scene({8, 6, 5}, 1);
  scene.fill(0, {1, 1, 1}, {3, 3, 2});
  scene.fill(0, {1, 1, 2}, {5, 3, 4});
  EXPECT_EQ(choose_slice(scene.reduce()), (Slice{Axis::z, 2}));
}

TEST(Slice, OfAComponentIsItsOwn) {
  Scene scene = two_raters();
  scene.fill(1, {7, 5, 0}, {8, 6, 1});
  const Reduction reduction = scene.reduce();
  ASSERT_EQ(reduction.components.list.size(), 2U);
  EXPECT_EQ(choose_slice(reduction, 0), (Slice{Axis::z, 0}));
  EXPECT_EQ(choose_slice(reduction, 1), (Slice{Axis::z, 3}));
  EXPECT_EQ(disagreement(reduction.crowns[0].tally), 1);
  EXPECT_FALSE(choose_slice(Scene({3, 3, 3}, 2).reduce()));
}

TEST(Slice, IsChosenAmongThoseThatAConsensusMeets) {
  const Scene scene = two_raters();
  const Reduction reduction = scene.reduce();
  HardImage image(static_cast<std::size_t>(scene.grid.voxels()));
  image[static_cast<std::size_t>((1 * 6 + 2) * 8 + 2)] = 1;  // on z = 1, where all agree
  const std::vector<std::uint8_t> met = slices_met(reduction, Image(image));
  EXPECT_EQ(met, (std::vector<std::uint8_t>{0, 1, 0, 0, 0}));
  EXPECT_EQ(choose_slice(reduction, {}, met), (Slice{Axis::z, 1}));
}

TEST(Slice, IsMetByASolutionThatIsNotPainted) {
  const Reduction reduction = two_raters().reduce();
  Solution solution;
  solution.components = {{.levels = std::vector<double>(reduction.crowns[0].tally.rows.size())}};
  EXPECT_EQ(slices_met(reduction, solution), std::vector<std::uint8_t>(5));
  const auto& rows = reduction.crowns[0].tally.rows;
  for (std::size_t row = 0; row < rows.size(); ++row)
    solution.components[0].levels[row] = rows[row].raters == 1 ? 0.75 : 0.5;
  // What the first rater drew alone lies on z = 2 and 3.
  EXPECT_EQ(slices_met(reduction, solution), (std::vector<std::uint8_t>{0, 0, 1, 1, 0}));
}

TEST(Slice, IsReadFromText) {
  const Grid grid{.size = {8, 6, 5}};
  EXPECT_EQ(parse_slices("x=7", grid), (std::vector{Slice{Axis::x, 7}}));
  EXPECT_EQ(parse_slices("z=0,3", grid), (std::vector{Slice{Axis::z, 0}, Slice{Axis::z, 3}}));
  for (const char* wrong : {"z=5", "z=1,", "z=,1", "z=1,5", "y=6", "z=-1", "x=1.5", "x=99999999999999", "y="})
    EXPECT_THROW(parse_slices(wrong, grid), UsageError) << wrong;
  try {
    parse_slices("y=6", grid);
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("0 to 5"), std::string::npos) << error.what();
  }
}

TEST(View, ShowsVoxelsWhereTheyAreStored) {
  const Grid grid{.size = {8, 6, 5}};
  const View across_y = whole(grid, {Axis::y, 2}, Posture::stored);
  EXPECT_EQ(across_y.columns(), 8);
  EXPECT_EQ(across_y.rows(), 5);
  EXPECT_EQ(across_y.voxel(grid, 3, 4), (4 * 6 + 2) * 8 + 3);
  EXPECT_TRUE(across_y.letters.empty());
}

TEST(View, HasAnteriorAboveAndThePatientsRightOnTheLeft) {
  const Grid grid{.size = {8, 6, 5}};  // right, anterior, superior
  const View axial = whole(grid, {Axis::z, 1}, Posture::anatomical);
  EXPECT_EQ(axial.letters, "RLAP");
  EXPECT_EQ(axial.voxel(grid, 0, 0), (1 * 6 + 5) * 8 + 7) << "the rightmost, most anterior voxel";
  EXPECT_EQ(whole(grid, {Axis::x, 1}, Posture::anatomical).letters, "APSI");
  EXPECT_EQ(whole(grid, {Axis::y, 1}, Posture::anatomical).letters, "RLSI");
  Grid turned = grid;  // x runs to the left, y downwards, z to the front
  turned.direction = {-1, 0, 0, 0, 0, 1, 0, -1, 0};
  const View coronal = whole(turned, {Axis::z, 0}, Posture::anatomical);
  EXPECT_EQ(coronal.letters, "RLSI");
  EXPECT_EQ(coronal.voxel(turned, 0, 0), 0);
}

TEST(View, IsCutToWhatWasDrawn) {
  Scene scene({40, 40, 3}, 1);
  scene.fill(0, {10, 20, 1}, {14, 30, 2});
  const Reduction reduction = scene.reduce();
  const View view = around(reduction, whole(scene.grid, {Axis::z, 1}, Posture::stored));
  EXPECT_EQ(view.low, (std::array<std::int32_t, 2>{9, 19}));
  EXPECT_EQ(view.high, (std::array<std::int32_t, 2>{15, 31}));
  EXPECT_EQ(around(reduction, whole(scene.grid, {Axis::z, 0}, Posture::stored)).columns(), 40)
      << "nothing there";
}

TEST(View, HasACellForEachVoxelWhicheverWayItLies) {
  const Scene scene = two_raters();
  const Reduction reduction = scene.reduce();
  for (const Axis axis : {Axis::x, Axis::y, Axis::z})
    for (const Posture posture : {Posture::stored, Posture::anatomical}) {
      const View view = around(reduction, whole(scene.grid, {axis, 2}, posture));
      const Plane<Cell> cells = cells_of(reduction, view);
      HardImage first(scene.masks[0]), second(scene.masks[1]);
      const Plane<float> drawn = levels_of(Image(first), scene.grid, view);
      const Plane<float> less = levels_of(Image(second), scene.grid, view);
      for (std::size_t i = 0; i < cells.values.size(); ++i) {
        const Cell& cell = cells.values[i];
        ASSERT_EQ(cell.component >= 0, drawn.values[i] > 0);
        if (cell.component < 0) continue;
        EXPECT_EQ(reduction.crowns[0].tally.rows[cell.row].raters, less.values[i] > 0 ? 3U : 1U);
      }
    }
}

TEST(View, SaysWhereItLies) {
  Grid grid{.size = {8, 6, 5}, .spacing = {1, 1, 2.5}, .origin = {0, 0, -4}};
  EXPECT_EQ(place_text(grid, whole(grid, {Axis::z, 3}, Posture::stored)), "slice z = 3 (0–4)");
  EXPECT_EQ(place_text(grid, whole(grid, {Axis::z, 3}, Posture::anatomical)),
            "slice z = 3 (0–4), 3.5 mm superior");
  EXPECT_EQ(place_text(grid, whole(grid, {Axis::z, 0}, Posture::anatomical)),
            "slice z = 0 (0–4), 4 mm inferior");
  grid.size[2] = 1;
  EXPECT_EQ(place_text(grid, whole(grid, {Axis::z, 0}, Posture::stored)), "");
}

}  // namespace
}  // namespace crema::plot
