// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort/commands.h"
#include "cli/commands/commands.h"

namespace {

std::vector<crema::cli::Command> all_commands() {
  using namespace crema::cli;
  return {fuse_command(),          agreement_command(),     compare_command(),      certify_command(),
          background_command(),    figure_command(),        report_command(),       apply_command(),
          app_command(),           cohort_list_command(),   cohort_run_command(),   cohort_plan_command(),
          cohort_submit_command(), cohort_status_command(), cohort_merge_command(), cohort_get_command(),
          bids_command(),          nnunet_command(),        study_command(),        annotations_command(),
          import_command(),        export_command(),        check_command(),        methods_command(),
          cite_command(),          demo_command(),          completion_command(),   manual_command()};
}

}  // namespace

int main(int argc, char** argv) {
  return crema::cli::run_program(all_commands, {argv, static_cast<std::size_t>(argc)});
}
