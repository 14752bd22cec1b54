// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/missing_slices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/warnings/who.h"

namespace crema {
namespace {

/// Who drew anything in the slices across each axis, from the box of the component on.
using Presence = std::array<std::vector<Raters>, 3>;

/// A voxel of a slice, known by its place in it.
struct Drawn {
  std::int64_t place = 0;
  Raters raters = 0;
};

/// The drawn slices on both sides of a gap, from the box on.
struct Hole {
  int rater = 0;
  std::size_t before = 0, after = 0;
};

/// Calls f(run, raters of its voxels) for the runs of a component.
template <class F>
void for_runs(const Reduction& reduction, std::size_t c, F f) {
  const Crowns& crowns = reduction.crowns[c];
  const std::uint32_t* row = crowns.row_of_voxel.data();
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c])) {
    f(run, [&, row](std::int32_t i) { return crowns.tally.rows[row[i]].raters; });
    row += run.length;
  }
}

Presence presence_of(const Reduction& reduction, std::size_t c) {
  const Box& box = reduction.components.list[c].box;
  Presence present;
  for (std::size_t a = 0; a < 3; ++a) present[a].resize(static_cast<std::size_t>(box.size()[a]), 0);
  for_runs(reduction, c, [&](const Run& run, const auto& raters) {
    const auto at = reduction.grid.point(run.first);
    Raters* across = &present[0][static_cast<std::size_t>(at[0] - box.low[0])];
    Raters any = 0;
    for (std::int32_t i = 0; i < run.length; ++i) {
      const Raters own = raters(i);
      across[i] |= own;
      any |= own;
    }
    for (std::size_t a = 1; a < 3; ++a) present[a][static_cast<std::size_t>(at[a] - box.low[a])] |= any;
  });
  return present;
}

/// Whether more than half of the others who drew the component are among these.
bool are_most(Raters drew, Raters all, int rater) {
  const Raters others = ~(Raters{1} << rater);
  return 2 * std::popcount(drew & others) > std::popcount(all & others);
}

/// Gaps of one rater that most others did not leave.
void find_gaps(const std::vector<Raters>& present, Raters all, int rater, std::vector<Hole>& gaps) {
  std::size_t before = present.size();
  bool most = true;
  for (std::size_t s = 0; s < present.size(); ++s) {
    if ((present[s] >> rater & 1) == 0) {
      most = most && are_most(present[s], all, rater);
      continue;
    }
    if (before != present.size() && s > before + 1 && most) gaps.push_back({rater, before, s});
    before = s;
    most = true;
  }
}

std::vector<Hole> gaps_across(const std::vector<Raters>& present, Raters all) {
  std::vector<Hole> gaps;
  if (present.size() < 3) return gaps;
  std::vector<Raters> behind(present.size() + 1, 0);
  for (std::size_t s = present.size(); s-- > 0;) behind[s] = behind[s + 1] | present[s];
  Raters before = 0, with_gap = 0;
  for (std::size_t s = 0; s < present.size(); ++s) {
    with_gap |= before & behind[s] & ~present[s];
    before |= present[s];
  }
  for (; with_gap != 0; with_gap &= with_gap - 1) find_gaps(present, all, std::countr_zero(with_gap), gaps);
  return gaps;
}

using Slices = std::map<std::size_t, std::vector<Drawn>>;

/// The voxels of the slices at and between these gaps, each slice in raster order.
Slices slices_of(const Reduction& reduction, std::size_t c, std::size_t axis, const std::vector<Hole>& gaps) {
  const Box& box = reduction.components.list[c].box;
  const auto size = box.size();
  const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  Slices slices;
  for (const Hole& gap : gaps)
    for (std::size_t s = gap.before; s <= gap.after; ++s) slices[s];
  for_runs(reduction, c, [&](const Run& run, const auto& raters) {
    const auto first = reduction.grid.point(run.first);
    for (std::int32_t i = 0; i < run.length; ++i) {
      const std::array<std::int32_t, 3> at{first[0] + i - box.low[0], first[1] - box.low[1],
                                           first[2] - box.low[2]};
      const auto slice = slices.find(static_cast<std::size_t>(at[axis]));
      if (slice != slices.end()) slice->second.push_back({std::int64_t{at[v]} * size[u] + at[u], raters(i)});
    }
  });
  return slices;
}

std::vector<std::int64_t> places_where(const std::vector<Drawn>& slice, const auto& test) {
  std::vector<std::int64_t> places;
  for (const Drawn& one : slice)
    if (test(one.raters)) places.push_back(one.place);
  return places;
}

std::vector<std::int64_t> shared(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

bool is_slip(const Hole& gap, const Slices& slices, Raters all) {
  const auto own = [&](Raters raters) { return (raters >> gap.rater & 1) != 0; };
  const auto before = places_where(slices.at(gap.before), own),
             after = places_where(slices.at(gap.after), own);
  const auto both = shared(before, after);
  if (2 * both.size() < std::min(before.size(), after.size())) return false;
  for (std::size_t s = gap.before + 1; s < gap.after; ++s) {
    const auto others =
        places_where(slices.at(s), [&](Raters raters) { return are_most(raters, all, gap.rater); });
    const std::size_t met = shared(both, others).size();
    if (2 * met < both.size() || 4 * met < others.size()) return false;
  }
  return !both.empty();
}

}  // namespace

std::vector<MissingSlices> find_missing_slices(const Reduction& reduction) {
  std::map<std::pair<int, std::size_t>, std::set<std::int32_t>> found;
  if (reduction.grid.flat() || reduction.raters < 2) return {};
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Component& component = reduction.components.list[c];
    const auto size = component.box.size();
    const Raters all = raters_present(reduction.crowns[c].tally);
    if (*std::max_element(size.begin(), size.end()) < 3 || std::popcount(all) < 2) continue;
    const Presence present = presence_of(reduction, c);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::vector<Hole> gaps = gaps_across(present[a], all);
      if (gaps.empty()) continue;
      const Slices slices = slices_of(reduction, c, a, gaps);
      for (const Hole& gap : gaps)
        if (is_slip(gap, slices, all))
          for (std::size_t s = gap.before + 1; s < gap.after; ++s)
            found[{gap.rater, a}].insert(component.box.low[a] + static_cast<std::int32_t>(s));
    }
  }
  std::vector<MissingSlices> list;
  for (auto& [key, slices] : found)
    list.push_back({key.first, static_cast<Axis>(key.second), std::move(slices)});
  return list;
}

Warnings warnings_about_slices(const Reduction& reduction, std::span<const std::string> names) {
  constexpr std::size_t kMaxListed = 10;
  Warnings warnings;
  for (const MissingSlices& one : find_missing_slices(reduction)) {
    std::vector<std::string> numbers;
    for (const std::int32_t slice : one.slices) numbers.push_back(fmt::format("{}", slice));
    const std::size_t count = numbers.size();
    if (count > kMaxListed) {
      numbers.resize(kMaxListed);
      numbers.push_back(fmt::format("{} more", count - kMaxListed));
    }
    warnings.push_back(
        {fmt::format("rater {} left {} {} = {} empty between drawn ones, where most others drew; if {} "
                     "forgotten, fill {} in.",
                     who(static_cast<std::size_t>(one.rater), names), count == 1 ? "slice" : "slices",
                     "xyz"[static_cast<std::size_t>(one.axis)], listed(numbers),
                     count == 1 ? "it was" : "they were", count == 1 ? "it" : "them"),
         WarningKind::missing_slice});
  }
  return warnings;
}

}  // namespace crema
