// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/shell/command.h"

namespace crema::cli {

Command fuse_command();
Command agreement_command();
Command compare_command();
Command certify_command();
Command background_command();
Command figure_command();
Command report_command();
Command app_command();
Command check_command();
Command methods_command();
Command cite_command();
Command demo_command();
Command completion_command();
Command manual_command();

}  // namespace crema::cli
