// SPDX-License-Identifier: Apache-2.0
// One row per setting that a method reads, or that says how files become masks.
#include <algorithm>
#include <array>

#include "crema/tables/preset.h"
#include "crema/tables/setting_rows.h"

namespace crema::setting_rows {
namespace {

using S = Settings;
using Text = std::string_view;

constexpr Text kAxes = "x|y|z|auto";
constexpr Text kSegments = "labels|raters";
constexpr Text kLogits = "softmax|sigmoid";

void set_slices(S& s, Text text) {
  const std::size_t axis = parse_choice(text, kAxes);
  s.widest_axis = axis == 3;
  if (!s.widest_axis) s.options.slice_wise = static_cast<Axis>(axis);
}

SettingValue get_slices(const S& s) {
  if (s.options.slice_wise) return word(*s.options.slice_wise, kAxes);
  return s.widest_axis ? SettingValue(std::string("auto")) : SettingValue();
}

void set_weights(S& s, Text text) {
  s.search_weights = text == "auto";
  if (!s.search_weights) s.options.weights = parse_weights(text);
}

SettingValue get_weights(const S& s) {
  return s.options.weights.empty() ? SettingValue() : SettingValue(s.options.weights);
}

void set_connectivity(S& s, Text text) {
  parse_choice(text, "4|8|6|18|26");
  s.options.connectivity = whole_int(text, {4, 26});
}

/// A region is one of the words but the last, which is that of a file; else it is the name of one.
void set_region(S& s, Text text) {
  const std::vector<std::string> words = split(Region::kWords, '|');
  const auto found = std::find(words.begin(), words.end() - 1, text);
  s.options.region.kind = static_cast<Region::Kind>(found - words.begin());
  if (found == words.end() - 1) s.region_file = text;
}

SettingValue get_region(const S& s) {
  return s.region_file.empty() ? std::string(to_string(s.options.region.kind)) : s.region_file;
}

void set_preset(S& s, Text text) {
  Options scratch;
  apply_preset(text, scratch);  // for its refusal; it is applied when all settings are known
  s.preset = text;
}

constexpr Text kMethod = "Method", kCriterionGroup = "Criterion", kProof = "Proof",
               kEstimateGroup = "Estimate", kInput = "Input", kLevels = "Levels", kLabels = "Labels",
               kCandidate = "Consensus", kOutput = "Output", kLimits = "Limits";

// A row that is not about the result of a method needs no entry in Accept.
constexpr std::array kSettings{
    Setting{"threshold", "T", "float | None", "Voxels above T are inside; for probability maps.", kInput,
            Accept::nothing, [](S& s, Text t) { s.threshold = parse_number(t); },
            [](const S& s) { return maybe(s.threshold); }, Reported::always},
    Setting{"label", "L", "float | None",
            "Voxels equal to L are inside; for files with several labels. With a threshold or with "
            "probabilities: class L, counted from 0, of an .npz with several classes.",
            kInput, Accept::nothing, [](S& s, Text t) { s.label = parse_number(t); },
            [](const S& s) { return maybe(s.label); }, Reported::always},
    Setting{"labels", "all|L1,L2|NAME=L1,...|NAME1,NAME2",
            "str | Sequence[int] | Sequence[str] | Mapping[str, int] | None",
            "Fuse several labels into one label map without overlaps: all, those listed, or those listed by "
            "name.",
            kInput, Accept::labels, [](S& s, Text t) { s.labels = parse_labels(t); },
            [](const S& s) { return s.labels ? SettingValue(s.labels->text) : SettingValue(); }},
    Setting{"regions", "NAME=L1+L2,...|brats", "str | Mapping[str, Sequence[int]] | None",
            "Fuse nested unions of labels, such as whole=1+2+4,core=1+4,enhancing=4 (brats for short); the "
            "result is a label map.",
            kInput, Accept::nothing, [](S& s, Text t) { s.regions = parse_regions(t); },
            [](const S& s) { return s.regions ? SettingValue(s.regions->text) : SettingValue(); }},
    Setting{"undecided", "L", "int | None",
            "Label for voxels with a tied vote (default: background, or see tie); for majority, staple and "
            "simple with several labels.",
            kLabels, Accept::undecided,
            [](S& s, Text t) {
              s.options.undecided = static_cast<std::uint16_t>(parse_whole(t, {1, 65535}));
            },
            [](const S& s) { return whole(s.options.undecided.value_or(0)); }},
    Setting{
        "segment", "NAME", "str | None",
        "Take the segment of this name from each .seg.nrrd or DICOM SEG; FILE#NAME takes one from one file.",
        kInput, Accept::nothing, [](S& s, Text t) { s.segment = t; },
        [](const S& s) { return s.segment.empty() ? SettingValue() : SettingValue(s.segment); }},
    Setting{"segments_are", kSegments, "str | None",
            "Treat the segments of one .seg.nrrd or DICOM SEG as labels or as raters (default: labels).",
            kInput, Accept::nothing,
            [](S& s, Text t) { s.segments_are_raters = parse_choice(t, kSegments) == 1; },
            [](const S& s) { return word(s.segments_are_raters, kSegments); }},
    Setting{"palette", "FILE", "str | None",
            "Read the colours of PNG and TIFF files as labels: a CSV table with the columns name and colour "
            "(#rrggbb), or red, green and blue, and, where labels are not numbered by row, label.",
            kInput, Accept::nothing, [](S& s, Text t) { s.palette = t; },
            [](const S& s) { return s.palette.empty() ? SettingValue() : SettingValue(s.palette); }},
    Setting{"like", "FILE", "str | None",
            "Put all raters on the grid of this file, or of the DICOM series in this folder; they must lie "
            "inside it. Also for files without a position, and for outlines.",
            kInput, Accept::nothing, [](S& s, Text t) { s.like = t; },
            [](const S& s) { return s.like.empty() ? SettingValue() : SettingValue(s.like); }},
    Setting{"probabilities", "", "bool | None",
            "The inputs are probability maps: fuse their levels from 0 to 1 instead of masks.", kLevels,
            Accept::levels, [](S& s, Text t) { s.probabilities = parse_switch(t); },
            [](const S& s) -> SettingValue { return s.probabilities; }},
    Setting{"logits", kLogits, "str | None",
            "The inputs are logits: convert them to levels with a softmax over the channels or a sigmoid of "
            "each.",
            kLevels, Accept::levels,
            [](S& s, Text t) { s.logits = static_cast<Logits>(parse_choice(t, kLogits) + 1); },
            [](const S& s) {
              return s.logits == Logits::none ? SettingValue()
                                              : word(s.logits == Logits::softmax ? 0 : 1, kLogits);
            }},
    Setting{"floor", "F", "float | None", "Levels below F count as 0; for probability maps (default: 0.05).",
            kLevels, Accept::levels, [](S& s, Text t) { s.options.floor = parse_level(t); },
            [](const S& s) -> SettingValue { return s.options.floor; }},
    Setting{"connectivity", "4|8|6|18|26", "int | None",
            "Neighbours of a voxel: 4 or 8 in 2-D and slice-wise, 6, 18 or 26 in 3-D (default: 8 or 26).",
            kMethod, Accept::nothing, set_connectivity,
            [](const S& s) { return whole(s.options.connectivity); }, Reported::elsewhere},
    Setting{"slice_wise", "[x|y|z]", "int | str | bool | None",
            "Treat each slice across this axis as a separate image (without a value: the axis with the "
            "largest spacing).",
            kMethod, Accept::slices, set_slices, get_slices, Reported::elsewhere},
    Setting{"tie", kTieWords, "str | None", "How to resolve an exact tie (default: background).", kMethod,
            Accept::tie, [](S& s, Text t) { s.options.tie = choose<Tie>(t, kTieWords); },
            [](const S& s) { return word(s.options.tie, kTieWords); }, Reported::always},
    Setting{"blocks", kBlocksWords, "str | None",
            "Voxels that are decided together (default: subcrown). The first three are the paper's "
            "heuristics; group gives the true minimiser, with its proof.",
            kCriterionGroup, Accept::criterion,
            [](S& s, Text t) { s.options.blocks = choose<Blocks>(t, kBlocksWords); },
            [](const S& s) { return word(s.options.blocks, kBlocksWords); }, Reported::always},
    Setting{"weights", "W1,...,WK|auto", "str | Sequence[float] | None",
            "Weight of each rater, in order; 0 leaves a rater out of the criterion. auto derives the weights "
            "from each rater's agreement with the resulting consensus.",
            kCriterionGroup, Accept::weights, set_weights, get_weights, Reported::elsewhere},
    Setting{"empty_test", "", "bool | None",
            "Skip the final comparison of each component with the empty consensus, as in the paper's printed "
            "Alg. 2.",
            kCriterionGroup, Accept::empty_test,
            [](S& s, Text t) { s.options.empty_test = parse_switch(t) ? EmptyTest::apply : EmptyTest::skip; },
            [](const S& s) -> SettingValue { return s.options.empty_test == EmptyTest::apply; },
            Reported::always},
    Setting{"alpha", "A", "float | None",
            "tversky: weight of voxels that only the consensus has (default: 0.5).", kCriterionGroup,
            Accept::tversky, [](S& s, Text t) { s.options.tversky.alpha = parse_share(t); },
            [](const S& s) -> SettingValue { return s.options.tversky.alpha; }},
    Setting{"beta", "B", "float | None",
            "tversky: weight of voxels that only the rater has (default: 0.5). With alpha and beta 0.5 it is "
            "dice, with 1 jaccard.",
            kCriterionGroup, Accept::tversky, [](S& s, Text t) { s.options.tversky.beta = parse_share(t); },
            [](const S& s) -> SettingValue { return s.options.tversky.beta; }},
    Setting{"gap", "", "bool | None", "Skip the comparison with the best known results, and its warnings.",
            kCriterionGroup, Accept::criterion, [](S& s, Text t) { s.gap = parse_switch(t); },
            [](const S& s) -> SettingValue { return s.gap; }, Reported::elsewhere},
    Setting{"certify", "", "bool | None",
            "Prove how far the consensus is from the best possible one: a lower bound of the LMSD, and the "
            "gap. Blocks of groups always come with this proof.",
            kProof, Accept::criterion,
            [](S& s, Text t) { s.options.certify = parse_switch(t) ? Certify::yes : Certify::no; },
            [](const S& s) -> SettingValue { return s.options.certify == Certify::yes; },
            Reported::elsewhere},
    Setting{"budget", "N", "int | None",
            "Search nodes per component (default: 20000, fewer where many raters make them costly).", kProof,
            Accept::criterion,
            [](S& s, Text t) {
              s.options.budget.nodes = whole_int(t, {1, 1'000'000'000});
            },
            [](const S& s) { return whole(s.options.budget.nodes); }},
    Setting{"budget_seconds", "S", "float | None",
            "Seconds per component (default: no limit). The proof then depends on the machine.", kProof,
            Accept::criterion, [](S& s, Text t) { s.options.budget.seconds = parse_positive(t); },
            [](const S& s) -> SettingValue { return s.options.budget.seconds; }},
    Setting{"preset", "itk|niftyseg|crkit|stapler|stapler-bin|nnunet", "str | None",
            "STAPLE as in another package: its prior, region, start and stopping rule; docs/method.md has "
            "the table. nnunet: write regions of probability maps as nnU-Net does, each over those of the "
            "channels before it.",
            kEstimateGroup, Accept::preset, set_preset,
            [](const S& s) { return s.preset.empty() ? SettingValue() : SettingValue(s.preset); }},
    Setting{"prior", "mean|P|A/N^ALPHA", "float | str | None",
            "STAPLE: prior probability that a voxel is inside: the mean of the masks (default), a number, or "
            "a number over a power of the size of the region, such as 500/N^1.",
            kEstimateGroup, Accept::prior, [](S& s, Text t) { s.options.estimate.prior = parse_prior(t); },
            [](const S& s) -> SettingValue { return to_string(s.options.estimate.prior); },
            Reported::elsewhere},
    Setting{"roi", "full|box|union|FILE", "Any",
            "Region for STAPLE, kappa and alpha, which depend on the background: the full image (default), "
            "the bounding box of the raters, their union, or a mask file on the raters' grid.",
            kEstimateGroup, Accept::region, set_region, get_region, Reported::elsewhere, "region",
            ReadBy::measures},
    Setting{"margin", "N", "int | None", "Voxels added around the box or the union (default: 0).",
            kEstimateGroup, Accept::region,
            [](S& s, Text t) {
              s.options.region.margin = whole_int(t, {0, 1 << 30});
            },
            [](const S& s) -> SettingValue { return std::int64_t{s.options.region.margin}; },
            Reported::elsewhere, "", ReadBy::measures},
    Setting{"tolerance", "T", "float | None",
            "STAPLE: stop when no sensitivity, specificity or level moves by more (default: 1e-7).",
            kEstimateGroup, Accept::prior,
            [](S& s, Text t) { s.options.estimate.tolerance = parse_positive(t); },
            [](const S& s) -> SettingValue { return s.options.estimate.tolerance; }},
    Setting{"max_iterations", "N", "int | None", "Stop after N steps, converged or not (default: 10000).",
            kEstimateGroup, Accept::iterations,
            [](S& s, Text t) {
              s.options.estimate.max_iterations = whole_int(t, {1, 1'000'000'000});
            },
            [](const S& s) { return whole(s.options.estimate.max_iterations); }},
    Setting{"drop_below", "A", "float | None",
            "simple: drop raters whose overlap is A standard deviations below the mean (default: 1).",
            kEstimateGroup, Accept::drop_below,
            [](S& s, Text t) { s.options.estimate.drop_below = parse_positive(t); },
            [](const S& s) -> SettingValue { return s.options.estimate.drop_below; }},
    Setting{"coupling", "B", "float | None",
            "staple-mrf: gain when two neighbours agree, in nats (default: 0.5); 0 switches it off.",
            kEstimateGroup, Accept::coupling,
            [](S& s, Text t) { s.options.spatial.coupling = parse_not_negative(t); },
            [](const S& s) -> SettingValue { return s.options.spatial.coupling; }},
    Setting{"window", "N", "int | None",
            "local-staple: half-width of the window in voxels (default: 5, in 2-D 15).", kEstimateGroup,
            Accept::window,
            [](S& s, Text t) {
              s.options.spatial.half_window = whole_int(t, {1, 1000});
            },
            [](const S& s) { return whole(s.options.spatial.half_window); }},
    Setting{"softness", "MM", "float | None",
            "shape-soft: distance over which the level falls from one half to 0.27 (default: the size of a "
            "voxel).",
            kEstimateGroup, Accept::softness,
            [](S& s, Text t) { s.options.spatial.softness = parse_positive(t); },
            [](const S& s) -> SettingValue { return s.options.spatial.softness; }},
    Setting{"consensus_threshold", "T", "float | None",
            "Cut a consensus of levels: voxels above T, such as 0.5, are inside.", kCandidate,
            Accept::nothing, [](S& s, Text t) { s.consensus_threshold = parse_level(t); },
            [](const S& s) { return maybe(s.consensus_threshold); }, Reported::given},
    Setting{"threshold_output", "T", "float | None",
            "Write soft results as masks of the voxels above T, such as 0.5. Hard results are unchanged.",
            kOutput, Accept::nothing, [](S& s, Text t) { s.threshold_output = parse_level(t); },
            [](const S& s) { return maybe(s.threshold_output); }, Reported::elsewhere},
    Setting{"provenance", "", "bool | None", "Omit date, times and checksums of the inputs from the record.",
            kOutput, Accept::nothing, [](S& s, Text t) { s.provenance = parse_switch(t); },
            [](const S& s) -> SettingValue { return s.provenance; }, Reported::elsewhere},
    Setting{"threads", "N", "int | None",
            "Use at most N threads (default: one per core). The result is the same.", kLimits,
            Accept::nothing,
            [](S& s, Text t) {
              s.options.threads = whole_int(t, {1, 4096});
            },
            [](const S& s) { return whole(s.options.threads); }, Reported::elsewhere},
    Setting{"low_memory", "", "bool | None",
            "Read raters and measure components one at a time: slower, but with the least memory. The result "
            "is the same.",
            kLimits, Accept::nothing, [](S& s, Text t) { s.low_memory = parse_switch(t); },
            [](const S& s) -> SettingValue { return s.low_memory; }, Reported::elsewhere},
    Setting{"max_memory", "SIZE", "int | str | None",
            "Refuse to use more memory than this, such as 512M or 4G (default: three quarters of what the "
            "machine, the control group or Slurm's job allows).",
            kLimits, Accept::nothing, [](S& s, Text t) { s.max_memory = parse_memory(t); },
            [](const S& s) { return whole(s.max_memory); }, Reported::elsewhere},
};

}  // namespace

std::span<const Setting> of_methods() { return kSettings; }

}  // namespace crema::setting_rows
