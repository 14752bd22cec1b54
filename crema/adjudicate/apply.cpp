// SPDX-License-Identifier: Apache-2.0
#include "crema/adjudicate/apply.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/review/zones.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema {
namespace {

/// Voxels of components that all decisions of a file may be about together: some ten seconds.
constexpr std::int64_t kMaxWalked = 5'000'000'000;

/// Whether a voxel of a row is in; none: as the consensus has it.
using Rule = std::function<std::optional<bool>(const Subcrown& row)>;

Rule same(std::optional<bool> inside) {
  return [inside](const Subcrown&) { return inside; };
}

/// What at least half of those who drew anything in a component drew; all of it where there is no such voxel.
Rule half_of_those_present(const Tally& tally) {
  const int present = std::popcount(raters_present(tally));
  const auto half = [present](const Subcrown& row) { return 2 * std::popcount(row.raters) >= present; };
  if (std::none_of(tally.rows.begin(), tally.rows.end(), half)) return same(true);
  return [half](const Subcrown& row) -> std::optional<bool> { return half(row); };
}

Rule rule_of(const Verdict& verdict, const Tally& tally, const Decision& decision) {
  switch (verdict.action) {
    case Action::accept:
      if (verdict.zone) return same(true);
      return decision.soft_voxels > 0 ? same(std::nullopt) : half_of_those_present(tally);
    case Action::reject:
      return same(false);
    case Action::rater:
      return [k = verdict.rater](const Subcrown& row) -> std::optional<bool> {
        return (row.raters >> k & 1) != 0;
      };
    case Action::majority:
      return [all = tally.raters](const Subcrown& row) -> std::optional<bool> {
        return 2 * std::popcount(row.raters) > all;
      };
    default:
      return same(std::nullopt);
  }
}

void check(const Verdict& verdict, const Reduction& reduction) {
  if (verdict.component >= reduction.crowns.size())
    throw InputError(
        fmt::format("component {} is decided, but the case has {}; the decisions are of another "
                    "case",
                    verdict.component + 1, reduction.crowns.size()));
  if (verdict.action == Action::rater && verdict.rater >= reduction.raters)
    throw InputError(fmt::format("rater {} is taken, but the case has {}; the decisions are of another case",
                                 verdict.rater + 1, reduction.raters));
}

/// The voxels a verdict is about; zones are found once for each component.
class Places {
 public:
  explicit Places(const Reduction& reduction) : reduction_(reduction) {}

  VoxelSet of(const Verdict& verdict) {
    if (!verdict.zone) return voxels_where(reduction_, verdict.component, [](Raters) { return true; });
    auto [found, fresh] = zones_.try_emplace(verdict.component);
    if (fresh) found->second = find_zones(reduction_, verdict.component);
    const Zones& zones = found->second;
    for (std::size_t z = 0; z < zones.list.size(); ++z)
      if (zones.list[z].first == *verdict.zone) return zones.voxels_of(reduction_.grid, z);
    throw InputError(
        fmt::format("no zone of component {} starts at voxel {}; the decisions are of another case",
                    verdict.component + 1, *verdict.zone));
  }

 private:
  const Reduction& reduction_;
  std::map<std::size_t, Zones> zones_;
};

/// Calls f(voxel, row) for those voxels of a component that are in a set.
template <class F>
void for_each_of(const Reduction& reduction, std::size_t component, const VoxelSet& set, F f) {
  const Crowns& crowns = reduction.crowns[component];
  const std::uint32_t* row = crowns.row_of_voxel.data();
  auto next = set.runs.begin();
  for (const Run& run : reduction.components.runs_of(reduction.components.list[component])) {
    for (std::int32_t i = 0; i < run.length; ++i, ++row) {
      const std::int64_t voxel = run.first + i;
      while (next != set.runs.end() && next->first + next->length <= voxel) ++next;
      if (next == set.runs.end()) return;
      if (voxel >= next->first) f(static_cast<std::size_t>(voxel), crowns.tally.rows[*row]);
    }
  }
}

/// Writes one structure into an image: what leaves it becomes background, what it never had stays.
template <class Voxels>
class Writer {
 public:
  using Value = typename Voxels::value_type;
  Writer(const Voxels& consensus, Voxels& image, double value)
      : consensus_(consensus), image_(image), value_(static_cast<Value>(value)) {}

  void put(std::size_t v, std::optional<bool> inside) {
    if (!inside) {
      restore(v);
    } else if (*inside) {
      image_[v] = value_;
    } else if (is_own(image_[v])) {
      image_[v] = 0;
    }
  }

 private:
  /// Levels are all of one structure.
  [[nodiscard]] bool is_own(Value value) const {
    if constexpr (std::is_same_v<Voxels, SoftImage>)
      return value != 0;
    else
      return value == value_;
  }

  void restore(std::size_t v) {
    if (is_own(consensus_[v]) || is_own(image_[v])) image_[v] = consensus_[v];
  }

  const Voxels& consensus_;
  Voxels& image_;
  Value value_;
};

/// One structure, and what is found of it while decisions are applied.
template <class Voxels>
struct Target {
  Target(const DecidedStructure& one, const Voxels& consensus, Voxels& image)
      : structure(&one), places(*one.reduction), writer(consensus, image, one.value) {}

  void apply(const Verdict& verdict) {
    if (verdict.action == Action::draw || verdict.action == Action::erase) {
      for (const Run& run : verdict.runs)
        for (std::int64_t v = run.first; v < run.first + run.length; ++v)
          writer.put(static_cast<std::size_t>(v), verdict.action == Action::draw);
      return;
    }
    const Reduction& reduction = *structure->reduction;
    check(verdict, reduction);
    const std::size_t c = verdict.component;
    const Rule rule = rule_of(verdict, reduction.crowns[c].tally, structure->solution->components[c]);
    for_each_of(reduction, c, places.of(verdict),
                [&](std::size_t v, const Subcrown& row) { writer.put(v, rule(row)); });
  }

  const DecidedStructure* structure;
  Places places;
  Writer<Voxels> writer;
};

const DecidedStructure& find_structure(std::span<const DecidedStructure> structures,
                                       const std::string& label) {
  const auto found = std::find_if(structures.begin(), structures.end(),
                                  [&](const DecidedStructure& one) { return one.label == label; });
  if (found != structures.end()) return *found;
  throw InputError(
      fmt::format("label \"{}\" is decided, but the case does not have it; the decisions are "
                  "of another case",
                  printable(label)));
}

/// Decided places are walked over one by one: a small file must not do so without end.
void require_bounded(std::span<const DecidedStructure> structures, std::span<const Verdict> verdicts) {
  std::int64_t walked = 0;
  for (const Verdict& verdict : verdicts) {
    if (verdict.action == Action::draw || verdict.action == Action::erase) continue;
    const auto& components = find_structure(structures, verdict.label).reduction->components.list;
    if (verdict.component < components.size()) walked += components[verdict.component].voxels;
    if (walked > kMaxWalked)
      throw InputError(fmt::format(
          "components of more than {} voxels in all are decided; one is decided too often", kMaxWalked));
  }
}

template <class Voxels>
void apply_all(std::span<const DecidedStructure> structures, std::span<const Verdict> verdicts,
               const Voxels& consensus, Voxels& image) {
  std::vector<Target<Voxels>> targets;
  for (const DecidedStructure& one : structures) targets.emplace_back(one, consensus, image);
  for (const Verdict& verdict : verdicts) {
    const auto number = &find_structure(structures, verdict.label) - structures.data();
    targets[static_cast<std::size_t>(number)].apply(verdict);
  }
}

}  // namespace

void apply_verdicts(std::span<const DecidedStructure> structures, std::span<const Verdict> verdicts,
                    const Image& consensus, Image& image) {
  require_bounded(structures, verdicts);
  std::visit(
      [&](auto& voxels) {
        using Voxels = std::remove_reference_t<decltype(voxels)>;
        apply_all(structures, verdicts, std::get<Voxels>(consensus), voxels);
      },
      image);
}

Applied compare_images(const Image& consensus, const Image& image) {
  Applied applied;
  std::visit(
      [&](const auto& voxels) {
        const auto& before = std::get<std::remove_cvref_t<decltype(voxels)>>(consensus);
        for (std::size_t v = 0; v < voxels.size(); ++v) {
          if (voxels[v] == before[v]) continue;
          applied.added += voxels[v] != 0 ? 1 : 0;
          applied.removed += before[v] != 0 ? 1 : 0;
        }
      },
      image);
  return applied;
}

}  // namespace crema
