// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/request.h"
#include "report/case/report.h"

namespace crema::cli {

/// The options of a page, the same in every command.
struct PageRequest {
  std::string output;          ///< empty: none
  std::string image = {};      ///< empty: none
  std::string slices = {};     ///< empty: all
  std::string case_name = {};  ///< empty: the raters' folder
};

/// The image beneath, before its voxels are read.
std::optional<raters::GreyFile> open_image(const PageRequest& page, const Request& request,
                                           const files::Header& reference);

/// Throws UsageError unless the requested slices are there.
void check_slices(const PageRequest& page, const Grid& grid);

/// Plans a page. Throws UsageError when its name is no page's.
void add_page(files::OutputPlan& plan, const std::string& output);

/// Where a page was written, and its size.
std::string page_line(const std::string& output, const std::string& text);

/// What the methods and the page need to know.
Needs needs_of_page(const std::vector<const Method*>& methods);

/// Makes the page of what the methods answered; warns where it is large.
std::string make_page(const PageRequest& page, const Request& request,
                      const std::vector<raters::Outcome>& outcomes, const raters::Case& counted,
                      const std::optional<raters::GreyFile>& image, Session& session);

}  // namespace crema::cli
