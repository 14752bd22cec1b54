// SPDX-License-Identifier: Apache-2.0
#include "cli/estimate.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/preset.h"

namespace crema::cli {
namespace {

constexpr std::string_view kGroup = "Estimate";

Region::Kind parse_region(const std::string& text) {
  if (text == "full") return Region::Kind::full;
  if (text == "box") return Region::Kind::box;
  return text == "union" ? Region::Kind::near_union : Region::Kind::mask;
}

double parse_positive(const std::string& text) {
  const double number = parse_number(text);
  if (!(number > 0)) throw UsageError(fmt::format("{} is not above 0.", text));
  return number;
}

double parse_not_negative(const std::string& text) {
  const double number = parse_number(text);
  if (number < 0) throw UsageError(fmt::format("{} is below 0.", text));
  return number;
}

void declare_image(CLI::App& app, EstimateWish& wish, const std::string& group) {
  take(app,
       {"--prior", "mean|P|A/N^ALPHA",
        "STAPLE: how likely a voxel is inside before anybody is asked: the mean of the masks (default), a "
        "number, or a number over a power of the size of the region, such as 500/N^1.",
        group},
       [&wish](const std::string& text) { wish.prior = parse_prior(text); });
  take(app,
       {"--region", "full|box|union|FILE",
        "STAPLE: which voxels take part, since the background counts: the full image (default), the bounding "
        "box of the raters, their union, or a mask file on the raters' grid.",
        group},
       [&wish](const std::string& text) {
         wish.region = parse_region(text);
         if (wish.region == Region::Kind::mask) wish.region_file = text;
       });
  take(app, {"--margin", "N", "Voxels added around --region box or union (default: 0).", group},
       [&wish](const std::string& text) {
         wish.margin = static_cast<std::int32_t>(parse_whole(text, {0, 1 << 30}));
       });
}

void declare_steps(CLI::App& app, EstimateWish& wish, const std::string& group) {
  take(app,
       {"--tolerance", "T", "STAPLE: stop when no sensitivity or specificity moves by more (default: 1e-7).",
        group},
       [&wish](const std::string& text) { wish.tolerance = parse_positive(text); });
  take(app, {"--max-iterations", "N", "Stop after so many steps, converged or not (default: 10000).", group},
       [&wish](const std::string& text) {
         wish.max_iterations = static_cast<int>(parse_whole(text, {1, 1000000000}));
       });
  take(app,
       {"--drop-below", "A",
        "simple: drop raters whose overlap is A standard deviations below the mean (default: 1).", group},
       [&wish](const std::string& text) { wish.drop_below = parse_positive(text); });
}

void declare_spatial(CLI::App& app, EstimateWish& wish, const std::string& group) {
  take(app,
       {"--coupling", "B",
        "staple-mrf: what two neighbours gain by agreeing, in nats (default: 0.5); 0 leaves them alone.",
        group},
       [&wish](const std::string& text) { wish.coupling = parse_not_negative(text); });
  take(app,
       {"--window", "N", "local-staple: the window reaches N voxels to each side (default: 5, in 2-D 15).",
        group},
       [&wish](const std::string& text) {
         wish.half_window = static_cast<int>(parse_whole(text, {1, 1000}));
       });
  take(app,
       {"--softness", "MM",
        "shape-soft: distance over which the level falls from one half to 0.27 (default: the size of a "
        "voxel).",
        group},
       [&wish](const std::string& text) { wish.softness = parse_positive(text); });
}

bool heeds_prior(const Method& method) { return method.heeds == Heeds::prior_and_region; }
bool heeds_region(const Method& method) { return heeds_prior(method) || method.heeds == Heeds::region; }
bool iterates(const Method& method) { return method.aim == Aim::performance; }

template <class F>
std::string names_of(F heeds) {
  std::string names;
  for (const Method& method : methods())
    if (heeds(method)) names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  return names;
}

/// At least one of the chosen methods must heed an option.
struct Demand {
  const std::vector<const Method*>& chosen;

  template <class F>
  void of(bool typed, std::string_view option, F heeds) const {
    if (!typed || std::any_of(chosen.begin(), chosen.end(), [&](const Method* m) { return heeds(*m); }))
      return;
    throw UsageError(fmt::format("{}: nothing of that kind is known to {}; it goes with {}.", option,
                                 chosen.size() == 1 ? chosen.front()->name : "these methods",
                                 names_of(heeds)));
  }
};

void check_preset(const EstimateWish& wish, const std::vector<const Method*>& chosen) {
  if (!wish.preset) return;
  for (const Method* method : chosen)
    if (method->name != "staple")
      throw UsageError(fmt::format("--preset: {} is no method of other packages; a preset goes with staple.",
                                   method->name));
  const std::pair<bool, std::string_view> settled[] = {{wish.prior.has_value(), "--prior"},
                                                       {wish.region.has_value(), "--region"},
                                                       {wish.margin.has_value(), "--margin"},
                                                       {wish.tolerance.has_value(), "--tolerance"},
                                                       {wish.max_iterations.has_value(), "--max-iterations"}};
  for (const auto& [typed, option] : settled)
    if (typed)
      throw UsageError(
          fmt::format("{}: the preset {} settles that; leave one of them out.", option, *wish.preset));
}

}  // namespace

void declare_estimate(CLI::App& app, EstimateWish& wish) {
  const std::string group(kGroup);
  std::string names;
  for (const Preset& preset : presets()) names += fmt::format("{}{}", names.empty() ? "" : "|", preset.name);
  take_choice(app,
              {"--preset", names,
               "STAPLE as another package computes it: its prior, region, start and stopping rule; "
               "docs/method.md has the table.",
               group},
              [&wish](const std::string& text) { wish.preset = text; });
  declare_image(app, wish, group);
  declare_steps(app, wish, group);
  declare_spatial(app, wish, group);
}

Prior parse_prior(const std::string& text) {
  if (text == "mean") return {};
  const std::size_t slash = text.find("/N");
  if (slash == std::string::npos) {
    const double value = parse_number(text);
    if (!(value > 0 && value < 1))
      throw UsageError(fmt::format("the prior {} does not lie between 0 and 1, both excluded.", text));
    return {Prior::Kind::number, value};
  }
  const std::string power = text.substr(slash + 2);
  if (!power.empty() && power.front() != '^')
    throw UsageError(
        fmt::format("{} is no prior; write mean, a number, or one like 500/N^1.", files::printable(text)));
  return {Prior::Kind::power, parse_positive(text.substr(0, slash)),
          power.empty() ? 1 : parse_not_negative(power.substr(1))};
}

void check_estimate(const EstimateWish& wish, const std::vector<const Method*>& chosen) {
  check_preset(wish, chosen);
  const Demand demand{chosen};
  demand.of(wish.prior.has_value(), "--prior", heeds_prior);
  demand.of(wish.tolerance.has_value(), "--tolerance", heeds_prior);
  demand.of(wish.region.has_value(), "--region", heeds_region);
  demand.of(wish.margin.has_value(), "--margin", heeds_region);
  demand.of(wish.max_iterations.has_value(), "--max-iterations", iterates);
  demand.of(wish.drop_below.has_value(), "--drop-below", [](const Method& m) { return m.name == "simple"; });
  demand.of(wish.coupling.has_value(), "--coupling", [](const Method& m) { return m.name == "staple-mrf"; });
  demand.of(wish.half_window.has_value(), "--window",
            [](const Method& m) { return m.name == "local-staple"; });
  demand.of(wish.softness.has_value(), "--softness", [](const Method& m) { return m.name == "shape-soft"; });
  if (wish.margin && wish.region != Region::Kind::box && wish.region != Region::Kind::near_union)
    throw UsageError("--margin: goes with --region box or --region union.");
  if (wish.region != Region::Kind::mask) return;
  for (const Method* method : chosen)
    if (!heeds_region(*method))
      throw UsageError(fmt::format(
          "--region: {} knows no region, but a mask takes part of the raters' masks away; run it by itself.",
          method->name));
}

void apply(const EstimateWish& wish, Options& options) {
  if (wish.preset) apply_preset(*wish.preset, options);
  if (wish.prior) options.estimate.prior = *wish.prior;
  options.region.kind = wish.region.value_or(options.region.kind);
  options.region.margin = wish.margin.value_or(options.region.margin);
  options.estimate.tolerance = wish.tolerance.value_or(options.estimate.tolerance);
  options.estimate.max_iterations = wish.max_iterations.value_or(options.estimate.max_iterations);
  options.estimate.drop_below = wish.drop_below.value_or(options.estimate.drop_below);
  options.spatial.coupling = wish.coupling.value_or(options.spatial.coupling);
  options.spatial.half_window = wish.half_window.value_or(options.spatial.half_window);
  options.spatial.softness = wish.softness.value_or(options.spatial.softness);
}

RegionFile read_region(const std::string& path, const files::Header& reference,
                       const files::ReadOptions& options) {
  files::ReadOptions plain;
  plain.max_memory = options.max_memory;
  const files::Header header = files::read_header(path, plain);
  const files::Placement placement = files::place(reference, header);
  files::MaskFile file = files::read_mask(header, plain);
  RegionFile region;
  for (const Warnings* warnings : {&header.warnings, &placement.warnings, &std::as_const(file.warnings)})
    region.warnings.insert(region.warnings.end(), warnings->begin(), warnings->end());
  region.mask = placement.identity
                    ? std::move(file.voxels)
                    : files::apply(placement, reference.grid, header.grid, std::move(file.voxels));
  if (std::find(region.mask.begin(), region.mask.end(), 1) == region.mask.end())
    throw InputError(
        fmt::format("{}: the region is empty; it must hold at least one voxel.", files::printable(path)));
  return region;
}

}  // namespace crema::cli
