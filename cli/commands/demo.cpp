// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/phantom/phantom.h"
#include "crema/tables/setting_values.h"
#include "files/plan.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDemoDescription =
    "Writes rater-1.nii.gz, rater-2.nii.gz … of a synthetic case: one massive organ, many lesions of all "
    "sizes "
    "of which some were drawn by few raters, the grey matter of a spinal cord in thick slices, the whole "
    "cord, "
    "or a toy: blocks side by side, so that no voxel has two votes. The same options give the same voxels on "
    "every machine.\n\n"
    "With --cases it writes a cohort, a folder for each case. Its raters are the same persons in all cases: "
    "each draws larger or smaller, and more or less steadily, than the others. Errors are smooth "
    "deformations "
    "of the outline, a part of which all raters of a case have in common. Organs, cords and numbers of "
    "lesions vary from case to case; an organ fills about 2 % of its image.";

struct DemoRequest {
  std::string folder;
  std::string size = "small";
  PhantomOptions phantom;
  std::optional<double> shared_errors;
  int cases = 0;  ///< 0: one, without a folder of its own
  bool labels = false;
  bool force = false;
};

std::array<std::int32_t, 3> parse_size(const std::string& text, PhantomKind kind) {
  if (text == "small") return phantom_size(kind, PhantomSize::small);
  if (text == "full") return phantom_size(kind, PhantomSize::full);
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != 3)
    throw UsageError(
        fmt::format("--size: {} is not small, full or three numbers like 64,64,20.", files::printable(text)));
  std::array<std::int32_t, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) size[a] = static_cast<std::int32_t>(parse_whole(parts[a], {1, 32767}));
  return size;
}

double parse_correlation(const std::string& text) {
  const double value = parse_number(text);
  if (!(value >= 0 && value <= 1)) throw UsageError(fmt::format("{} is not between 0 and 1.", text));
  return value;
}

fs::path rater_path(const fs::path& folder, std::size_t rater) {
  return folder / fmt::format("rater-{}.nii.gz", rater);
}

std::string next_command(const fs::path& folder, std::size_t raters, std::string_view options) {
  // The pattern stays outside the quotes, so that the shell expands it.
  std::string prefix = shell_quote((folder / "").string());
  if (prefix.front() == '-') prefix = "./" + prefix;
  std::error_code ignored;
  const bool other_raters = fs::exists(rater_path(folder, raters + 1), ignored);
  const std::string pattern = other_raters ? fmt::format("rater-{{1..{}}}.nii.gz", raters) : "rater-*.nii.gz";
  return fmt::format("crema fuse {}{} -o {}consensus.nii.gz{}", prefix, pattern, prefix, options);
}

files::Header header_for(const Phantom& phantom) {
  files::Header header;
  header.grid = phantom.grid;
  header.positioned = true;
  header.measured = true;
  return header;
}

/// Lesions inside what the masks show get the label 2; the rest of it is 1.
void add_lesions(Phantom& phantom, PhantomOptions wanted) {
  wanted.kind = PhantomKind::lesions;
  const Phantom lesions = make_phantom(wanted);
  for (std::size_t k = 0; k < phantom.masks.size(); ++k) {
    HardImage& mask = phantom.masks[k];
    for (std::size_t v = 0; v < mask.size(); ++v)
      if (mask[v] != 0 && lesions.masks[k][v] != 0) mask[v] = 2;
  }
}

/// Where the masks of a case go; case 0 is the only one.
fs::path case_folder(const DemoRequest& request, int number) {
  if (number == 0) return request.folder;
  return fs::path(request.folder) / fmt::format("case-{:03}", number);
}

/// Checked before any work is done.
files::OutputPlan plan_demo(const DemoRequest& request, const std::vector<int>& cases) {
  files::OutputPlan plan;
  plan.add_folder(request.folder);
  for (const int number : cases) {
    const fs::path folder = case_folder(request, number);
    if (number > 0) plan.add_folder(folder);
    for (std::size_t k = 1; k <= static_cast<std::size_t>(request.phantom.raters); ++k)
      plan.add_image(rater_path(folder, k), {.size = request.phantom.size});
  }
  plan.check({.overwrite = request.force});
  return plan;
}

files::Header write_case(const DemoRequest& request, int number) {
  const PhantomOptions wanted = number > 0 ? case_of_cohort(request.phantom, number) : request.phantom;
  Phantom phantom = make_phantom(wanted);
  if (request.labels) add_lesions(phantom, wanted);
  const files::Header header = header_for(phantom);
  for (std::size_t k = 0; k < phantom.masks.size(); ++k)
    files::write_image(rater_path(case_folder(request, number), k + 1), Image(std::move(phantom.masks[k])),
                       header, {.overwrite = request.force});
  return header;
}

std::string next_cohort_command(const DemoRequest& request) {
  std::string folder = shell_quote(without_slash(request.folder).string());
  if (folder.front() == '-') folder = "./" + folder;
  return fmt::format("crema cohort run {} -o {}-run --methods paper{}", folder, folder,
                     request.labels ? " --labels all" : "");
}

int run_demo(DemoRequest request) {
  PhantomOptions& wanted = request.phantom;
  wanted.size = parse_size(request.size, wanted.kind);
  if (wanted.raters == 0) wanted.raters = phantom_raters(wanted.kind);
  if (request.shared_errors && request.cases == 0) throw UsageError("--shared-errors requires --cases.");
  wanted.shared_errors = request.shared_errors.value_or(wanted.shared_errors);
  std::vector<int> cases{0};
  if (request.cases > 0) {
    cases.resize(static_cast<std::size_t>(request.cases));
    std::iota(cases.begin(), cases.end(), 1);
  }
  const files::OutputPlan plan = plan_demo(request, cases);
  const MadeFolders folder(plan.missing_folders());
  files::Header header;
  for (const int number : cases) header = write_case(request, number);
  const std::string raters = fmt::format("{}, {}, in {}", counted(wanted.raters, "rater"), grid_text(header),
                                         files::printable(request.folder));
  if (request.cases > 0)
    print(fmt::format("{} of {}\nNext:\n  {}\n", counted(request.cases, "case"), raters,
                      next_cohort_command(request)));
  else
    print(fmt::format("{}\nNext:\n  {}\n", raters,
                      next_command(request.folder, static_cast<std::size_t>(wanted.raters),
                                   request.labels ? " --labels all" : "")));
  return kOk;
}

Run declare_demo(Parser& app) {
  auto request = std::make_shared<DemoRequest>();
  add_text_option(app, {"-o,--output", "DIR", "The folder to write into; created if it is missing."},
                  request->folder)
      .required();
  add_choice_option(app, {"--kind", "organ|lesions|cord|spine|toy", "Kind of object (default: lesions)."},
                    [request](const std::string& text) { request->phantom.kind = parse_phantom_kind(text); });
  add_text_option(app,
                  {"--size", "small|full|X,Y,Z",
                   "Voxels along each axis: small for a first look, full as in the paper (default: small)."},
                  request->size);
  add_number_option(
      app,
      {"--raters", "K", "Number of raters, 1 to 64 (default: organ 5, lesions 7, cord and spine 4, toy 3)."},
      request->phantom.raters, {1, kMaxRaters});
  add_number_option(app, {"--seed", "S", "Seed of the case (default: 1)."}, request->phantom.seed,
                    {0, std::int64_t{1} << 62});
  add_number_option(
      app, {"--cases", "N", "Write a cohort of N cases, drawn by the same raters (default: one case)."},
      request->cases, {1, 9999});
  take(app,
       {"--shared-errors", "R",
        "With --cases: correlation of two raters' errors at the same place, 0 to 1 (default: 0.3)."},
       [request](const std::string& text) { request->shared_errors = parse_correlation(text); });
  add_flag(app, {"--labels", "", "Write label maps: 1 is what the raters drew, 2 are lesions inside it."},
           request->labels);
  add_flag(app, {"--force", "", "Replace files that exist."}, request->force);
  return [request](Session&) { return run_demo(*request); };
}

}  // namespace

Command demo_command() {
  return {"demo",
          "Write a synthetic case to try things on",
          {{"seven raters, many lesions", "crema demo -o demo"},
           {"one organ", "crema demo -o demo-organ --kind organ"},
           {"label maps: organ and lesions", "crema demo -o demo-labels --kind organ --labels"},
           {"of the paper's size", "crema demo -o demo-full --kind lesions --size full"},
           {"a cohort of ten cases", "crema demo -o demo-cohort --kind organ --cases 10"},
           {"three raters, your size",
            "crema demo -o demo-mine --kind cord --size 64,64,12 --raters 3 --seed 7"}},
          kDemoDescription,
          declare_demo};
}

}  // namespace crema::cli
