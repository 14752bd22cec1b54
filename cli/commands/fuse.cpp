// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/fuse_run.h"
#include "cli/shell/options.h"
#include "cli/text/weights.h"
#include "crema/error.h"
#include "files/files.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Reads one binary mask per rater, all on one grid, and writes the mask or map that agrees best with all "
    "of them. NIfTI, NRRD, MetaImage, TIFF and PNG are read and written, .npy and .npz read; each segment of "
    "a .seg.nrrd is a rater. The result has the geometry of the first rater.\n\n"
    "With several methods, OUT is a folder: it gets one image per method, named after it, and record.json. "
    "'crema methods' tells what the methods do and whom to cite; 'crema check' tells what is wrong with a "
    "mask.";

std::string method_choices() {
  std::string names;
  for (const Method& method : methods()) names += std::string(method.name) + "|";
  return names + "paper|all";
}

/// The ten that the paper compares: one solver per component, and STAPLE in its two forms.
bool in_the_paper(const Method& method) {
  return std::holds_alternative<Solver>(method.solver) || method.name == "staple" ||
         method.name == "ml-staple";
}

/// Methods by name or paper name, separated by commas; each once, in the order typed.
std::vector<const Method*> parse_methods(const std::string& text) {
  std::vector<const Method*> chosen;
  auto choose = [&](const Method& method) {
    if (std::find(chosen.begin(), chosen.end(), &method) == chosen.end()) chosen.push_back(&method);
  };
  for (const std::string& name : split(text, ',')) {
    if (name == "all" || name == "paper") {
      for (const Method& method : methods())
        if (name == "all" || in_the_paper(method)) choose(method);
    } else {
      choose(find_method(files::printable(name)));
    }
  }
  return chosen;
}

Blocks parse_blocks(const std::string& text) {
  if (text == "crown") return Blocks::crown;
  if (text == "voxel") return Blocks::voxel;
  return text == "group" ? Blocks::group : Blocks::subcrown;
}

double parse_level(const std::string& text) {
  const double level = parse_number(text);
  if (level < 0 || level >= 1)
    throw UsageError(fmt::format("{} is no level to cut at; write a number from 0 to below 1.", text));
  return level;
}

void declare_method(CLI::App& app, FuseRequest& request) {
  const std::string group = "Method";
  take(app,
       {"-m,--method", method_choices(),
        fmt::format("How to fuse; several separated by commas, paper for the ten of the paper, or all "
                    "(default: {}). The paper's names are "
                    "understood too, such as {}.",
                    request.methods.front()->name, request.methods.front()->paper_name),
        group},
       [&request](const std::string& text) { request.methods = parse_methods(text); });
  declare_neighbourhood(app, request.counting, group);
  take_choice(app,
              {"--tie", "background|foreground", "What an exact tie becomes (default: background).", group},
              [&request](const std::string& text) {
                request.tie = text == "foreground" ? Tie::foreground : Tie::background;
              });
}

/// What only concerns methods with a criterion, and the weights, which votes and shapes heed too.
void declare_criterion(CLI::App& app, FuseRequest& request) {
  const std::string group = "Criterion";
  take_choice(app,
              {"--blocks", "subcrown|crown|voxel|group",
               "Which voxels are decided on together (default: subcrown). The first three are the paper's "
               "heuristics; group gives the true minimiser, with its proof.",
               group},
              [&request](const std::string& text) { request.blocks = parse_blocks(text); });
  take(app,
       {"--weights", "W1,...,WK|auto",
        "How much each rater counts, in the order of the raters; 0 leaves one out of the criterion. auto "
        "finds weights by how well each rater agrees with the consensus they lead to.",
        group},
       [&request](const std::string& text) {
         request.weight_source = text == "auto" ? WeightSource::search : WeightSource::given;
         if (text != "auto") request.weights = parse_weights(text);
       });
  take_flag(app,
            {"--no-empty-test", "",
             "Do not compare the consensus of a component with the empty one at the end; as the paper's Alg. "
             "2 is printed.",
             group},
            request.no_empty_test);
}

void declare_output(CLI::App& app, FuseRequest& request) {
  const std::string group = "Output";
  take_text(app,
            {"-o,--output", "OUT",
             "Where the consensus goes: a file, or a folder when there are several methods.", group},
            request.output)
      ->required();
  take_text(
      app,
      {"--json", "FILE",
       "Write a record of the run: raters, components, criterion, warnings; - is standard output.", group},
      request.record);
  take(app,
       {"--threshold-output", "T",
        "Write soft results as masks of what lies above the level T, such as 0.5. Hard results stay as they "
        "are.",
        group},
       [&request](const std::string& text) { request.threshold_output = parse_level(text); });
  take_flag(app, {"--force", "", "Replace files that exist. An input is never replaced.", group},
            request.force);
  take_flag(app, {"-q,--quiet", "", "Print errors only. Notices are still in the record.", group},
            request.quiet);
}

void declare_proof(CLI::App& app, FuseRequest& request) {
  const std::string group = "Proof";
  take_flag(app,
            {"--certify", "",
             "Prove how far the consensus is from the best possible one: a lower bound of the LMSD, and the "
             "gap. With --blocks group the proof comes by itself.",
             group},
            request.certify);
  declare_budget(app, request.budget, group);
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<FuseRequest>();
  declare_raters(app, request->counting);
  declare_method(app, *request);
  declare_criterion(app, *request);
  declare_proof(app, *request);
  declare_estimate(app, request->estimate);
  declare_output(app, *request);
  declare_limits(app, request->counting);
  return [request](Session& session) { return run_fuse(*request, session); };
}

}  // namespace

Command fuse_command() {
  return {"fuse",
          "Fuse raters' masks into a consensus",
          {{"one consensus", "crema fuse rater-*.nii.gz -o consensus.nii.gz"},
           {"with a record of the run",
            "crema fuse rater-*.nii.gz -o consensus.nii.gz --method dice --json record.json"},
           {"all methods, into a folder", "crema fuse rater-*.nii.gz -o results --method all"},
           {"a soft consensus: levels from 0 to 1",
            "crema fuse rater-*.nii.gz -o levels.nii.gz --method tanimoto"},
           {"STAPLE, as ITK and SimpleITK compute it",
            "crema fuse rater-*.nii.gz -o staple.nii.gz --method staple --preset itk"},
           {"STAPLE near the raters only",
            "crema fuse rater-*.nii.gz -o staple.nii.gz --method staple --region box --margin 10"},
           {"how good is the heuristic here?", "crema fuse rater-*.nii.gz -o consensus.nii.gz --certify"},
           {"the best consensus there is", "crema fuse rater-*.nii.gz -o best.nii.gz --blocks group"},
           {"thick slices, one by one", "crema fuse rater-*.nii.gz -o consensus.nii.gz --slice-wise z"},
           {"label 2 of each file", "crema fuse rater-*.nii.gz -o consensus.nii.gz --label 2"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
