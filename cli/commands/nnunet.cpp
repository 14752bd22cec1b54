// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/fuse_plan.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/shell/partly.h"
#include "crema/base/error.h"
#include "files/format.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNnunetDescription =
    "Fuses the predictions of several nnU-Net models for the same cases, as nnUNetv2_ensemble does, with any "
    "method that takes levels. Each DIR is the output of one model, predicted with --save_probabilities: one "
    ".npz per case, beside a segmentation that defines the grid. dataset.json in the first folder names the "
    "classes or regions. OUT gets a label map for each case, named like the segmentation.\n\n"
    "Each case is fused like 'crema fuse DIR/CASE.npz ... --probabilities --labels all'; the summary shows "
    "the weight of each model. All folders must hold the same cases. Refused cases are reported, the others "
    "are done, and the exit code is 5.";

struct NnunetRequest {
  std::vector<std::string> folders;
  std::string output, method = "tanimoto", floor, threads, max_memory;
  bool levels = false, records = false, reports = false, low_memory = false, force = false, quiet = false;
};

/// One case, and where it goes.
struct Ensemble {
  std::string name;
  std::vector<std::string> maps = {};  ///< one per model
  std::string like = {};               ///< the segmentation that knows the grid; empty: none is there
  fs::path image = {}, levels = {}, record = {}, report = {};
};

std::set<std::string> cases_in(const fs::path& folder) {
  std::error_code error;
  std::set<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".npz") names.insert(at->path().stem().string());
  if (error)
    throw InputError(fmt::format("{}: cannot be listed ({}); give the folders that nnUNetv2_predict wrote.",
                                 files::printable(folder), error.message()));
  if (names.empty())
    throw InputError(fmt::format("{}: holds no .npz; predict with nnUNetv2_predict --save_probabilities.",
                                 files::printable(folder)));
  return names;
}

/// The names that all folders have. Throws InputError where one lacks a case.
std::set<std::string> common_cases(const std::vector<std::string>& folders) {
  const std::set<std::string> first = cases_in(folders.front());
  const auto require = [](const std::set<std::string>& wanted, const std::string& by,
                          const std::set<std::string>& there, const std::string& in) {
    for (const std::string& name : wanted)
      if (!there.contains(name))
        throw InputError(fmt::format("{}: has no {}.npz, but {} has; give folders of the same cases.",
                                     files::printable(in), files::printable(name), files::printable(by)));
  };
  for (const std::string& folder : folders) {
    const std::set<std::string> own = cases_in(folder);
    require(first, folders.front(), own, folder);
    require(own, folder, first, folders.front());
  }
  return first;
}

/// nnU-Net writes case.nii.gz, or whatever ending its data has, beside case.npz.
std::string segmentation_beside(const fs::path& map) {
  std::error_code ignored;
  for (const char* const ending : {".nii.gz", ".nii", ".nrrd", ".mha", ".mhd", ".tif", ".tiff", ".png"}) {
    const fs::path beside = fs::path(map).replace_extension(ending);
    if (fs::is_regular_file(beside, ignored)) return beside.string();
  }
  return "";
}

std::vector<Ensemble> find_ensembles(const NnunetRequest& request) {
  std::vector<Ensemble> found;
  const fs::path out = without_slash(request.output);
  for (const std::string& name : common_cases(request.folders)) {
    Ensemble one{.name = name};
    for (const std::string& folder : request.folders)
      one.maps.push_back((fs::path(folder) / (name + ".npz")).string());
    one.like = segmentation_beside(one.maps.front());
    const std::string ending =
        one.like.empty() ? ".nii.gz" : fs::path(one.like).filename().string().substr(name.size());
    one.image = out / (name + ending);
    if (request.levels) one.levels = out / (name + ".npz");
    if (request.records) one.record = out / (name + ".json");
    if (request.reports) one.report = out / (name + ".html");
    found.push_back(std::move(one));
  }
  return found;
}

/// All files of all cases, before the first of them is computed.
files::OutputPlan plan_all(const NnunetRequest& request, const std::vector<Ensemble>& ensembles) {
  files::OutputPlan plan;
  plan.add_folder(without_slash(request.output));
  for (const std::string& folder : request.folders) plan.add_input_tree(folder);
  for (const Ensemble& one : ensembles) {
    for (const std::string& map : one.maps) plan.add_input(map);
    if (!one.like.empty()) plan.add_input(one.like);
    plan.add_image(one.image, {});
    if (request.levels) plan.add_text(one.levels, "the levels");
    if (request.records) plan.add_text(one.record, "the record");
    if (request.reports) plan.add_text(one.report, "the page");
  }
  plan.check({.overwrite = request.force});
  return plan;
}

std::vector<std::string> fuse_words(const NnunetRequest& request, const Ensemble& one,
                                    const std::string& floor) {
  std::vector<std::string> words;
  const auto add = [&words](std::initializer_list<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  add({"--output", one.image.string(), "--method", request.method, "--probabilities", "--labels", "all"});
  add({"--preset", "nnunet"});
  if (!one.like.empty() && !files::ends_with(one.like, ".nii.gz") && !files::ends_with(one.like, ".nii"))
    add({"--like", one.like});  // the others are found
  if (!floor.empty()) add({"--floor", floor});
  if (request.levels) add({"--levels", one.levels.string()});
  if (request.records) add({"--json", one.record.string()});
  if (request.reports) add({"--report", one.report.string()});
  if (request.force) add({"--force"});
  if (request.quiet) add({"--quiet"});
  if (!request.threads.empty()) add({"--threads", request.threads});
  if (request.low_memory) add({"--low-memory"});
  if (!request.max_memory.empty()) add({"--max-memory", request.max_memory});
  add({"--"});  // folders may be called like options
  words.insert(words.end(), one.maps.begin(), one.maps.end());
  return words;
}

/// The case as the command fuse sees it.
void fuse_one(const NnunetRequest& request, const Ensemble& one, const std::string& floor, Session& session) {
  const std::vector<std::string> words = fuse_words(request, one, floor);
  Session own{session.commands, {session.arguments.front(), "fuse"}, {}, request.quiet};
  own.arguments.insert(own.arguments.end(), words.begin(), words.end());
  Parser parser;
  const Run run = declare(fuse_command(), parser);
  parser.parse(words);
  run(own);
  for (const Warning& warning : own.warnings)
    session.warnings.push_back(
        {fmt::format("{}: {}", files::printable(one.name), warning.marked()), warning.kind});
}

/// Whether the case is fused; why it is refused is known.
bool fuses(const NnunetRequest& request, const Ensemble& one, const std::string& floor, Session& session) {
  try {
    fuse_one(request, one, floor, session);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// Where nothing reaches the floor, or there is nothing to show on a page, no model found anything: that is
/// an answer here. What else is wrong is wrong without a floor and without a page, too.
void fuse_or_empty(const NnunetRequest& request, const Ensemble& one, Session& session) {
  try {
    fuse_one(request, one, request.floor, session);
  } catch (const UsageError&) {
    throw;
  } catch (const InputError& refused) {
    NnunetRequest bare = request;
    bare.reports = false;
    std::string why = "no class has a level of 0.5";
    if (!request.reports || !fuses(bare, one, request.floor, session)) {
      if (!fuses(bare, one, "0", session)) throw InputError(refused.sentence.marked());
      why = fmt::format("no level of any class reaches the floor; fused with {}",
                        Sentence::setting("floor", "0"));
    }
    session.warnings.push_back({fmt::format("{}: {}{}.", files::printable(one.name), why,
                                            request.reports ? "; there is no page of it" : ""),
                                WarningKind::empty_mask});
  }
}

void check_method(const NnunetRequest& request) {
  const std::vector<const Method*> chosen = parse_methods(request.method);
  if (chosen.size() != 1) throw UsageError("--method: give one method; 'crema fuse' takes several.");
  if (accepts(*chosen.front(), Accept::levels)) {
    if (request.levels) check_makes_levels(chosen, true);
    return;
  }
  std::vector<const Method*> fitting;
  for (const Method& method : methods())
    if (accepts(method, Accept::levels)) fitting.push_back(&method);
  throw UsageError(fmt::format("--method: {} takes masks, not levels; choose one of {}.",
                               chosen.front()->name, list_names(fitting, " or ")));
}

int run_nnunet(const NnunetRequest& request, Session& session) {
  session.quiet = request.quiet;
  check_method(request);
  const std::vector<Ensemble> ensembles = find_ensembles(request);
  const MadeFolders folder(plan_all(request, ensembles).missing_folders());
  std::vector<std::string> refusals;
  for (std::size_t c = 0; c < ensembles.size(); ++c) {
    if (!request.quiet)
      say(fmt::format("\n{} ({} of {})\n", files::printable(ensembles[c].name), c + 1, ensembles.size()));
    try {
      fuse_or_empty(request, ensembles[c], session);
    } catch (const UsageError&) {
      throw;
    } catch (const InputError&) {
      refusals.push_back(fmt::format("{}: {}", files::printable(ensembles[c].name),
                                     explain(std::current_exception()).sentence));
    }
  }
  if (refusals.size() == ensembles.size()) throw InputError(refusals.front());
  for (const std::string& refusal : refusals) say(fmt::format("crema: {}\n", refusal));
  return refusals.empty() ? kOk : kPartly;
}

Run declare_nnunet(Parser& app) {
  auto request = std::make_shared<NnunetRequest>();
  add_files_option(app, {"DIR", "DIR...", "Predictions, one folder per model.", "Input"}, request->folders);
  add_text_option(
      app, {"-o,--output", "OUT", "The folder for the label maps; created if it is missing.", "Output"},
      request->output)
      .required();
  take(app, {"-m,--method", method_choices(), "Method, one that takes levels (default: tanimoto).", "Method"},
       [request](const std::string& text) { request->method = text; });
  add_text_option(app, {"--floor", "F", "Levels below F count as 0 (default: 0.05).", "Method"},
                  request->floor);
  add_flag(
      app,
      {"--levels", "", "Also write CASE.npz with the levels of all classes; for soft methods.", "Output"},
      request->levels);
  add_flag(app, {"--json", "", "Also write CASE.json, a record of each case.", "Output"}, request->records);
  add_flag(app, {"--report", "", "Also write CASE.html, a page of each case for any browser.", "Output"},
           request->reports);
  add_text_option(
      app,
      {"--threads", "N", "Use at most N threads (default: one per core). The result is the same.", "Limits"},
      request->threads);
  add_flag(app,
           {"--low-memory", "",
            "Read raters and measure components one at a time: slower, but with the least memory. The result "
            "is the same.",
            "Limits"},
           request->low_memory);
  add_text_option(app,
                  {"--max-memory", "SIZE",
                   "Refuse to use more memory than this, such as 512M or 4G (default: three quarters of what "
                   "the machine, the control group or Slurm's job allows).",
                   "Limits"},
                  request->max_memory);
  add_flag(app,
           {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", "Output"},
           request->force);
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, request->quiet);
  return [request](Session& session) { return run_nnunet(*request, session); };
}

}  // namespace

Command nnunet_command() {
  return {
      "nnunet",
      "Fuse the predictions of several nnU-Net models",
      {{"five folds, label maps of all cases", "crema nnunet fold_0 fold_1 fold_2 fold_3 fold_4 -o ensemble"},
       {"what nnUNetv2_ensemble computes", "crema nnunet fold_* -o ensemble --method average --floor 0"},
       {"levels, records and pages, too", "crema nnunet fold_* -o ensemble --levels --json --report"}},
      kNnunetDescription,
      declare_nnunet};
}

}  // namespace crema::cli
