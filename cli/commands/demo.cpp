// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/options.h"
#include "cli/shell/output.h"
#include "cli/shell/quote.h"
#include "cli/text/summary.h"
#include "crema/error.h"
#include "crema/phantom/phantom.h"
#include "files/plan.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDescription =
    "Writes rater-1.nii.gz, rater-2.nii.gz … of a made-up case: one massive organ, many lesions of all sizes "
    "of "
    "which some were drawn by few raters, or a thin cord in thick slices. The same options give the same "
    "voxels on every machine.";

struct DemoRequest {
  std::string folder;
  std::string size = "small";
  PhantomOptions phantom;
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

fs::path rater_path(const fs::path& folder, std::size_t rater) {
  return folder / fmt::format("rater-{}.nii.gz", rater);
}

std::string next_command(const fs::path& folder, std::size_t raters) {
  // The pattern stays outside the quotes, so that the shell expands it.
  std::string prefix = shell_quote((folder / "").string());
  if (prefix.front() == '-') prefix = "./" + prefix;
  std::error_code ignored;
  const bool other_raters = fs::exists(rater_path(folder, raters + 1), ignored);
  const std::string pattern = other_raters ? fmt::format("rater-{{1..{}}}.nii.gz", raters) : "rater-*.nii.gz";
  return fmt::format("crema fuse {}{} -o {}consensus.nii.gz", prefix, pattern, prefix);
}

files::Header header_for(const Phantom& phantom) {
  files::Header header;
  header.grid = phantom.grid;
  header.positioned = true;
  header.measured = true;
  return header;
}

/// Checked before any work is done.
files::OutputPlan plan_demo(const DemoRequest& request, std::size_t raters) {
  files::OutputPlan plan;
  plan.add_folder(request.folder);
  for (std::size_t k = 1; k <= raters; ++k)
    plan.add_image(rater_path(request.folder, k), {.size = request.phantom.size});
  plan.check({.overwrite = request.force});
  return plan;
}

int run_demo(DemoRequest request) {
  PhantomOptions& wanted = request.phantom;
  wanted.size = parse_size(request.size, wanted.kind);
  if (wanted.raters == 0) wanted.raters = phantom_raters(wanted.kind);
  const auto raters = static_cast<std::size_t>(wanted.raters);
  const files::OutputPlan plan = plan_demo(request, raters);
  Phantom phantom = make_phantom(wanted);
  const files::Header header = header_for(phantom);
  const MadeFolders folder(plan.missing_folders());
  for (std::size_t k = 0; k < raters; ++k)
    files::write_image(rater_path(request.folder, k + 1), Image(std::move(phantom.masks[k])), header,
                       {.overwrite = request.force});
  print(fmt::format("{} raters, {}, in {}\nNext:\n  {}\n", raters, grid_text(header),
                    files::printable(request.folder), next_command(request.folder, raters)));
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<DemoRequest>();
  take_text(app, {"-o,--output", "DIR", "The folder to write into; made if it is missing."}, request->folder)
      .required();
  take_choice(app, {"--kind", "organ|lesions|cord", "What the raters drew (default: lesions)."},
              [request](const std::string& text) { request->phantom.kind = parse_phantom_kind(text); });
  take_text(app,
            {"--size", "small|full|X,Y,Z",
             "Voxels along each axis: small for a first look, full as in the paper (default: small)."},
            request->size);
  take_whole(app, {"--raters", "K", "How many raters, 1 to 64 (default: organ 5, lesions 7, cord 4)."},
             request->phantom.raters, {1, kMaxRaters});
  take_whole(app, {"--seed", "S", "Another number makes another case (default: 1)."}, request->phantom.seed,
             {0, std::int64_t{1} << 62});
  take_flag(app, {"--force", "", "Replace files that exist."}, request->force);
  return [request](Session&) { return run_demo(*request); };
}

}  // namespace

Command demo_command() {
  return {"demo",
          "Write a made-up case to try things on",
          {{"seven raters, many lesions", "crema demo -o demo"},
           {"one organ", "crema demo -o demo-organ --kind organ"},
           {"of the paper's size", "crema demo -o demo-full --kind lesions --size full"},
           {"three raters, your size",
            "crema demo -o demo-mine --kind cord --size 64,64,12 --raters 3 --seed 7"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
