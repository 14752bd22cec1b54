// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/commands/commands.h"
#include "cli/help/completion_text.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCompletionDescription =
    "Prints a script that lets the shell complete commands, options and their values. An installed crema "
    "includes the scripts; use this for a program run from its build folder.";

Run declare_completion(Parser& app) {
  auto shell = std::make_shared<std::string>();
  add_choice_option(app, {"SHELL", "bash|zsh|fish", "The shell to complete for."},
                    [shell](const std::string& text) { *shell = text; })
      .required();
  return [shell](Session& session) {
    const auto commands = describe(session.commands);
    print(*shell == "bash"  ? bash_completion(commands)
          : *shell == "zsh" ? zsh_completion(commands)
                            : fish_completion(commands));
    return kOk;
  };
}

}  // namespace

Command completion_command() {
  return {"completion",
          "Print a completion script for the shell",
          {{"bash, now", "source <(crema completion bash)"},
           {"zsh, for good", "crema completion zsh > ~/.zfunc/_crema"},
           {"fish, for good", "crema completion fish > ~/.config/fish/completions/crema.fish"}},
          kCompletionDescription,
          declare_completion};
}

}  // namespace crema::cli
