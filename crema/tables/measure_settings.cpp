// SPDX-License-Identifier: Apache-2.0
// The rows that measures of agreement read.
#include <array>

#include "crema/tables/setting_rows.h"

namespace crema::setting_rows {
namespace {

using Text = std::string_view;

constexpr Text kMeasures = "Measures", kConfidence = "Confidence";
constexpr Text kLeaveOutWords = "fixed|exact";

constexpr std::array kMeasureRows{
    Setting{"surface_tolerance", "MM", "float | None",
            "Tolerance of the surface Dice, in millimetres (default: 1).", kMeasures, Accept::nothing,
            [](Settings& s, Text t) { s.measures.surface_tolerance = parse_not_negative(t); },
            [](const Settings& s) -> SettingValue { return s.measures.surface_tolerance; },
            Reported::elsewhere},
    Setting{"hd95", kHd95Words, "str | None",
            "Which 95th percentile: max, the larger of the two directed ones (default); pooled, of both "
            "together, as in MedPy; or area, weighted by area, as in surface-distance.",
            kMeasures, Accept::nothing,
            [](Settings& s, Text t) { s.measures.hd95 = choose<Hd95>(t, kHd95Words); },
            [](const Settings& s) { return word(s.measures.hd95, kHd95Words); }, Reported::elsewhere},
    Setting{"surfaces", "", "bool | None", "Leave surface distances out.", kMeasures, Accept::nothing,
            [](Settings& s, Text t) { s.measures.surfaces = parse_switch(t); },
            [](const Settings& s) -> SettingValue { return s.measures.surfaces; }, Reported::elsewhere},
    Setting{"leave_one_out", kLeaveOutWords, "str | None",
            "Leave out each rater once: with the components of all raters (fixed), or with new components "
            "(exact).",
            kConfidence, Accept::nothing,
            [](Settings& s, Text t) { s.measures.leave_out = choose<LeaveOut>(t, kLeaveOutWords); },
            [](const Settings& s) {
              return s.measures.leave_out ? word(*s.measures.leave_out, kLeaveOutWords) : SettingValue();
            },
            Reported::elsewhere},
    Setting{"bootstrap", "B", "int | None", "Resample the raters B times, with replacement.", kConfidence,
            Accept::nothing,
            [](Settings& s, Text t) {
              s.measures.replicates = whole_int(t, {1, 1'000'000});
            },
            [](const Settings& s) { return whole(s.measures.replicates); }, Reported::elsewhere},
    Setting{"seed", "S", "int | None", "Seed of the resampling (default: 1).", kConfidence, Accept::nothing,
            [](Settings& s, Text t) {
              s.measures.seed = static_cast<std::uint64_t>(parse_whole(t, {0, std::int64_t{1} << 62}));
            },
            [](const Settings& s) -> SettingValue { return static_cast<std::int64_t>(s.measures.seed); },
            Reported::elsewhere},
    Setting{"flip_weights", "", "bool | None",
            "Find the weight of each rater at which the decision about a component changes.", kConfidence,
            Accept::nothing, [](Settings& s, Text t) { s.measures.flips = parse_switch(t); },
            [](const Settings& s) -> SettingValue { return s.measures.flips; }, Reported::elsewhere},
    Setting{"uniqueness", "", "bool | None",
            "Report how unique the minimiser is: sizes within 1 % of the least criterion, undecided groups, "
            "and the range of entropies.",
            kConfidence, Accept::nothing,
            [](Settings& s, Text t) { s.measures.uniqueness = parse_switch(t); },
            [](const Settings& s) -> SettingValue { return s.measures.uniqueness; }, Reported::elsewhere},
};

}  // namespace

std::span<const Setting> of_measures() { return kMeasureRows; }

}  // namespace crema::setting_rows
