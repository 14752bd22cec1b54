// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

int main(int argc, char** argv) {
  using namespace crema::cli;
  const Command commands[] = {
      fuse_command(),    certify_command(), background_command(), check_command(),
      methods_command(), demo_command(),    completion_command(), manual_command(),
  };
  return run_program(commands, {argv, argv + argc});
}
