// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/study_settings.h"

#include <array>
#include <stdexcept>
#include <string>

#include "crema/error.h"
#include "crema/setting_values.h"

namespace crema {
namespace {

struct StudySetting {
  std::string_view name;
  void (*set)(StudyOptions&, std::string_view text);
};

constexpr std::array kStudySettings{
    StudySetting{"tolerance", [](StudyOptions& asked,
                                 std::string_view text) { asked.tolerance = parse_not_negative(text); }},
    StudySetting{"hd95",
                 [](StudyOptions& asked, std::string_view text) {
                   asked.hd95 = static_cast<Hd95>(parse_choice(text, kHd95Words));
                 }},
    StudySetting{"region",
                 [](StudyOptions& asked, std::string_view text) {
                   asked.region.kind = static_cast<Region::Kind>(parse_choice(text, kStudyRegionWords));
                 }},
    StudySetting{"margin",
                 [](StudyOptions& asked, std::string_view text) {
                   asked.region.margin = static_cast<int>(parse_whole(text, {0, 1 << 30}));
                 }},
    StudySetting{"leave_one_out",
                 [](StudyOptions& asked, std::string_view text) {
                   asked.leave_out = static_cast<LeaveOut>(parse_choice(text, kLeaveOutWords));
                 }},
    StudySetting{"bootstrap",
                 [](StudyOptions& asked, std::string_view text) {
                   asked.replicates = static_cast<int>(parse_whole(text, {1, 1'000'000}));
                 }},
    StudySetting{"seed",
                 [](StudyOptions& asked, std::string_view text) {
                   asked.seed = static_cast<std::uint64_t>(parse_whole(text, {0, std::int64_t{1} << 62}));
                 }},
};

}  // namespace

void set_study(StudyOptions& asked, std::string_view name, std::string_view text) {
  for (const StudySetting& setting : kStudySettings)
    if (setting.name == name) return setting.set(asked, text);
  throw std::logic_error("a study has no setting " + std::string(name));
}

void check_study(const StudyOptions& asked, bool seed_given) {
  if (asked.region.margin > 0 && asked.region.kind == Region::Kind::full)
    throw UsageError(Sentence::setting("margin") + " goes with " + Sentence::setting("region", "box") +
                     " or " + Sentence::setting("region", "union") + ".");
  if (seed_given && asked.replicates == 0)
    throw UsageError(Sentence::setting("seed") + " goes with " + Sentence::setting("bootstrap") + ".");
}

}  // namespace crema
