// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/page.h"

#include <fmt/format.h>

#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/tables/citation.h"
#include "files/format.h"
#include "raters/open/facts.h"
#include "raters/open/names.h"
#include "raters/open/segments.h"
#include "raters/run/adjudicate.h"
#include "raters/run/agreement.h"

namespace crema::cli {
namespace {

std::string typed(const std::vector<std::string>& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    text += (i == 0 ? "" : " ") + (i == 0 ? std::string("crema") : shell_quote(arguments[i]));
  return text;
}

/// A page states where its numbers come from, as a record would.
RunFacts facts_of_page(const PageRequest& page, Request request, const Session& session,
                       const raters::Case& counted) {
  request.record = page.output;
  std::vector<std::string> more;
  if (!page.image.empty()) more.push_back(page.image);
  return facts_of(request, session, counted, more);
}

std::vector<std::filesystem::path> files_of(const Request& request) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : request.raters) files.push_back(raters::split_input(path).file);
  return files;
}

std::optional<report::Slices> slices_of(const PageRequest& page, const Grid& grid) {
  if (page.slices.empty()) return {};
  try {
    return report::parse_slices(page.slices, grid);
  } catch (const UsageError& error) {
    throw UsageError("--slices: " + error.sentence.marked());
  }
}

}  // namespace

void check_slices(const PageRequest& page, const Grid& grid) { slices_of(page, grid); }

std::optional<raters::GreyFile> open_image(const PageRequest& page, const Request& request,
                                           const files::Header& reference) {
  if (page.image.empty()) return {};
  return raters::open_grey(page.image, reference, request.settings);
}

Needs needs_of_page(const std::vector<const Method*>& methods) {
  return std::max(raters::needs_of(methods), Needs::distances);
}

void add_page(files::OutputPlan& plan, const std::string& output) {
  if (!files::ends_with(output, ".html") && !files::ends_with(output, ".htm"))
    throw UsageError(
        fmt::format("{}: a page is an HTML file; its name must end in .html.", files::printable(output)));
  plan.add_text(output, "the page");
}

std::string page_line(const std::string& output, const std::string& text) {
  return line("page",
              fmt::format("{}, {:.2f} MB", files::printable(output), static_cast<double>(text.size()) / 1e6));
}

std::string make_page(const PageRequest& page, const Request& request,
                      const std::vector<raters::Outcome>& outcomes, const raters::Case& counted,
                      const std::optional<raters::GreyFile>& image, Session& session) {
  append(session.warnings, raters::warnings_about_shear(counted.reference.grid));
  std::vector<const Method*> methods;
  for (const raters::Outcome& outcome : outcomes) methods.push_back(&outcome.method());
  report::PageFacts facts{.methods = methods_sentence(methods), .bibtex = bibtex(methods)};
  facts.slices = slices_of(page, counted.counts.grid());
  const CaseNames names = raters::names_of(counted, 0, request.raters, page.case_name);
  raters::GreyImage grey;
  if (image) {
    grey = raters::read_grey(*image, counted.counts.grid(), request.settings);
    append(session.warnings, grey.warnings);
    facts.image = &grey;
  }
  facts.command = typed(session.arguments);
  facts.run = facts_of_page(page, request, session, counted);
  facts.decided = raters::decided_settings(request.settings);
  if (request.settings.provenance) facts.masks = raters::checksums(files_of(request));
  std::string text = report::make_page(counted, outcomes, request.settings, facts, names.name);
  if (text.size() > report::kLargePage)
    session.warnings.push_back(
        {fmt::format("{}: the page has {:.0f} MB and opens slowly; restrict it to some slices, such as "
                     "--slices z=20:60.",
                     files::printable(page.output), static_cast<double>(text.size()) / 1e6),
         WarningKind::figure});
  return text;
}

}  // namespace crema::cli
