// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/shell/command.h"

namespace crema::cli {

Command fuse_command();
/// The folders of several nnU-Net models, case by case.
Command nnunet_command();
Command agreement_command();
Command compare_command();
Command certify_command();
Command background_command();
Command figure_command();
Command report_command();
Command app_command();
Command annotations_command();
Command import_command();
Command export_command();
Command apply_command();
Command check_command();
Command methods_command();
Command cite_command();
Command demo_command();
Command completion_command();
Command manual_command();

}  // namespace crema::cli
