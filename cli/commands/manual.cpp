// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/help/manual_text.h"
#include "cli/help/parameters.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/shell/words.h"
#include "cli/text/tables_manual.h"
#include "crema/base/error.h"
#include "files/plan.h"

namespace crema::cli {
namespace {

constexpr std::string_view kManualDescription =
    "The manual is generated from the same declarations as --help, so it cannot lag behind them.";

void write_man_pages(const std::filesystem::path& folder, std::span<const CommandText> commands) {
  files::OutputPlan plan;
  plan.add_folder(folder);
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet pages({.overwrite = true});
  for (const CommandText& command : commands)
    pages.put_text(folder / fmt::format("crema-{}.1", dashed(command.command.name)),
                   command_man_page(command));
  pages.put_text(folder / "crema.1", program_man_page(commands));
  pages.publish();
}

Run declare_manual(Parser& app) {
  struct Request {
    std::string man;
    bool markdown = false, tables = false, boutiques = false;
  };
  auto request = std::make_shared<Request>();
  add_text_option(app,
                  {"--man", "DIR", "Write crema.1, crema-fuse.1 … into this folder, replacing older ones."},
                  request->man);
  add_flag(app, {"--markdown", "", "Print the manual as docs/cli.md."}, request->markdown);
  add_flag(app, {"--tables", "", "Print the columns of all tables as docs/tables.md."}, request->tables);
  add_flag(app,
           {"--boutiques", "",
            "Print 'crema fuse' as a descriptor of Boutiques, packaging/boutiques/crema-fuse.json."},
           request->boutiques);
  return [request](Session& session) {
    const auto commands = describe(session.commands);
    if (request->man.empty() && !request->markdown && !request->tables && !request->boutiques)
      throw UsageError("give --markdown, --tables, --boutiques or --man DIR. See crema manual --help.");
    if (!request->man.empty()) write_man_pages(request->man, commands);
    if (request->markdown) print(markdown_manual(commands));
    if (request->tables) print(tables_markdown());
    if (request->boutiques) print(boutiques_description(describe(fuse_command())));
    return kOk;
  };
}

}  // namespace

Command manual_command() {
  return {"manual",
          "Write the manual, as man pages or Markdown",
          {{"man pages", "crema manual --man man1"},
           {"the page in docs/", "crema manual --markdown > docs/cli.md"}},
          kManualDescription,
          declare_manual};
}

}  // namespace crema::cli
