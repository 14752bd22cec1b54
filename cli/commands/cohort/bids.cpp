// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/run.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cli {
namespace {

constexpr std::string_view kBidsDescription =
    "A BIDS App: BIDS_DIR is a dataset, or a derivative, whose masks (_mask) or label maps (_dseg) name "
    "their rater in desc-; OUT becomes a derivative with the consensus of each case. 'participant' fuses the "
    "cases of the given participants, or of all; several calls, also from several machines, take turns. "
    "'group' gathers the tables over all participants. They correspond to 'crema cohort run' and 'crema "
    "cohort merge', with the same options, tables and exit codes; with --participant-label the exit code is "
    "about these participants.";

struct BidsRequest {
  RunRequest run;
  std::string level;
};

/// "01" and "sub-01", separated by blanks or commas, as sub-01.
std::vector<std::string> participants_of(const std::vector<std::string>& typed) {
  std::vector<std::string> names;
  for (const std::string& words : typed)
    for (const std::string& word : split(words, ','))
      if (!word.empty()) names.push_back(word.starts_with("sub-") ? word : "sub-" + word);
  return names;
}

/// Merging takes what the run was made with. Throws UsageError for what would be ignored.
void check_group(const RunRequest& run) {
  const CohortOptions& options = run.options;
  const std::pair<bool, std::string_view> given[] = {{!run.participants.empty(), "--participant-label"},
                                                     {!options.only.empty(), "--only"},
                                                     {!options.except.empty(), "--except"},
                                                     {!options.image.empty(), "--image"},
                                                     {!options.request.methods.empty(), "--methods"},
                                                     {!options.request.images, "--no-images"},
                                                     {options.request.reports, "--report"},
                                                     {options.force, "--force"},
                                                     {run.retry, "--retry"},
                                                     {run.verify, "--verify"}};
  for (const auto& [is_given, name] : given)
    if (is_given) throw UsageError(fmt::format("{} applies to participant only, not to group.", name));
  for (const Setting* setting : options.request.settings.given)
    throw UsageError(fmt::format("{} applies to participant only, not to group.", setting->marked()));
}

int run_level(BidsRequest& request, Session& session) {
  RunRequest& run = request.run;
  run.participants = participants_of(run.participants);
  if (request.level == "participant") return run_cohort(run, session);
  check_group(run);
  return merge_cohort({.options = run.options, .waiting = run.waiting}, session);
}

Run declare_bids(Parser& app) {
  auto request = std::make_shared<BidsRequest>();
  RunRequest& run = request->run;
  run.options.layout = "bids";
  run.waiting.wait = true;
  add_text_option(app, {"BIDS_DIR", "BIDS_DIR", "The dataset.", "Input"}, run.options.data).required();
  add_text_option(app, {"OUT", "OUT", "The derivative; created if it is missing.", "Input"}, run.options.run)
      .required();
  add_choice_option(app, {"LEVEL", "participant|group", "The step.", "Input"},
                    [request](const std::string& text) { request->level = text; })
      .required();
  take_list(app,
            {"--participant-label,--participant_label", "LABEL...",
             "Only these participants, such as 01 02 or 01,02; must follow LEVEL.", "Input"},
            run.participants);
  take_patterns(app, run.options);
  take_cohort_request(app, run.options);
  add_force_option(app, run.options);
  take_rerun(app, run);
  return [request](Session& session) { return run_level(*request, session); };
}

}  // namespace

Command bids_command() {
  return {"bids",
          "Fuse a BIDS dataset, as a BIDS App",
          {{"all participants", "crema bids data derivatives/crema participant"},
           {"two of them", "crema bids data derivatives/crema participant --participant-label 01 02"},
           {"tables over all of them", "crema bids data derivatives/crema group"}},
          kBidsDescription,
          declare_bids};
}

}  // namespace crema::cli
