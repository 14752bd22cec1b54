// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/help/help.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "crema/tables/citation.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCiteDescription =
    "Prints sentences for the methods section of a paper, and BibTeX for the program and the methods. In the "
    "paper, also state the settings that differ from the defaults; the record of a run ('crema fuse --json') "
    "lists them.";

struct CiteRequest {
  std::vector<const Method*> methods{&crema::methods().front()};
  bool bibtex_only = false;
};

Run declare_cite(Parser& app) {
  auto request = std::make_shared<CiteRequest>();
  take(app, {"-m,--method", method_choices(), "Methods used, separated by commas (default: jaccard)."},
       [request](const std::string& text) { request->methods = parse_methods(text); });
  add_flag(app, {"--bibtex", "", "Print the BibTeX alone."}, request->bibtex_only);
  return [request](Session&) {
    const std::string entries = bibtex(request->methods);
    const std::string sentences = wrap(methods_sentence(request->methods), 0, text_width(Stream::output));
    print(request->bibtex_only ? entries : sentences + "\n" + entries);
    return kOk;
  };
}

}  // namespace

Command cite_command() {
  return {"cite",
          "Print text and citations for a paper",
          {{"the usual method", "crema cite"},
           {"those that were compared", "crema cite --method jaccard,staple"},
           {"into a bibliography", "crema cite --bibtex --method paper >> references.bib"}},
          kCiteDescription,
          declare_cite};
}

}  // namespace crema::cli
