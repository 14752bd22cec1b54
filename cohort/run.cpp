// SPDX-License-Identifier: Apache-2.0
#include "cohort/run.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>

#include "cohort/bids.h"
#include "cohort/manifest.h"
#include "crema/parallel.h"
#include "crema/version.h"
#include "raters/labels.h"
#include "raters/memory.h"
#include "raters/votes.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// Counts cases from several threads.
class Count {
 public:
  Count(const RunOptions& options, const std::vector<std::int64_t>& sizes)
      : options_(options), sizes_(sizes) {
    total_ = std::max<std::int64_t>(1, std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    progress_.all = sizes.size();
  }

  void add(std::size_t one, const CaseOutcome& outcome) {
    using enum CaseOutcome::Kind;
    const std::lock_guard lock(mutex_);
    report.made += outcome.kind == made ? 1U : 0U;
    report.kept += outcome.kind == kept ? 1U : 0U;
    report.failed += outcome.kind == failed ? 1U : 0U;
    bytes_ += sizes_[one];
    progress_.done += 1;
    progress_.failed = report.failed;
    progress_.share = static_cast<double>(bytes_) / static_cast<double>(total_);
    if (options_.progress) options_.progress(progress_);
  }

  RunReport report;

 private:
  const RunOptions& options_;
  const std::vector<std::int64_t>& sizes_;
  std::int64_t total_ = 1, bytes_ = 0;
  RunProgress progress_;
  std::mutex mutex_;
};

ReadyRun open_planned(const fs::path& path, const fs::path& manifest) {
  ReadyRun ready;
  ready.folder.path = path;
  const RunRecord record = read_run(ready.folder);
  if (text_in(member(record.identity, "version")) != version())
    throw UsageError(fmt::format("{}: was planned by crema {}, and this is {}; plan it anew with {}.",
                                 files::printable(path), text_in(member(record.identity, "version")),
                                 version(), Sentence::setting("force", "True")));
  ready.request = request_from(record.identity);
  ready.identity = record.identity;
  ready.cohort.layout = record.layout;
  ready.cohort.root = record.root;
  sort_into_cases(read_manifest(manifest), ready.cohort);
  return ready;
}

std::int64_t memory_for(const Settings& settings, int threads) {
  const std::int64_t all = settings.max_memory > 0 ? settings.max_memory : raters::default_memory();
  return std::max<std::int64_t>(1, all / threads);
}

}  // namespace

ReadyRun prepare_run(const Where& where, CohortRequest request, const fs::path& folder, bool replace) {
  if (request.reports && raters::wants_labels(request.settings))
    throw UsageError(
        fmt::format("A case's page is about one mask per rater; leave out either the pages or {}.",
                    Sentence::setting(request.settings.regions ? "regions" : "labels")));
  ReadyRun ready;
  ready.folder.path = folder;
  ready.cohort = find_cohort(where);
  ready.request = std::move(request);
  // Kappa and alpha are told on what methods that estimate performance see.
  if (ready.request.settings.region_file.empty())
    ready.request.study.region = ready.request.settings.options.region;
  ready.request.bids = ready.cohort.layout == Layout::bids;
  ready.identity = identity_of(ready.request);
  check_folder(ready.folder, ready.identity, replace);
  return ready;
}

void make_run_folder(const RunFolder& folder) {
  std::error_code failed;
  fs::create_directories(folder.path, failed);
  if (failed)
    throw FileError(fmt::format("{}: the folder cannot be made ({}); choose another place.",
                                files::printable(folder.path), failed.message()));
}

void write_run(const ReadyRun& ready, const fs::path& work,
               const std::function<void(files::StagedSet&)>& more) {
  files::StagedSet staged(work / "run");
  // First: a folder without it is none of ours.
  staged.put_text(ready.folder.settings(),
                  run_text({ready.identity, ready.cohort.layout, ready.cohort.root}));
  if (ready.request.bids) {
    staged.put_text(ready.folder.path / "dataset_description.json", bids_description());
    staged.put_text(ready.folder.path / ".bidsignore", bids_ignore());
  }
  if (more) more(staged);
  const std::size_t manifest = staged.begin_text(ready.folder.manifest());
  write_manifest(all_cases(ready.cohort), [&](std::string_view piece) { staged.append(manifest, piece); });
  staged.publish();
}

ReadyRun open_shard(const fs::path& folder, int shard) {
  const RunFolder run{folder};
  read_run(run);  // for its refusal
  std::error_code ignored;
  if (!fs::exists(run.shard(shard), ignored))
    throw UsageError(fmt::format("{}: has no shard {}; plan it with {}.", files::printable(folder), shard,
                                 Sentence::command("cohort plan")));
  return open_planned(folder, run.shard(shard));
}

ReadyRun open_run(const fs::path& folder) { return open_planned(folder, RunFolder{folder}.manifest()); }

std::vector<std::int64_t> sizes_of(const Cohort& cohort) {
  std::vector<std::int64_t> sizes(cohort.cases.size());
  parallel_pieces(std::ssize(cohort.cases), 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c)
      for (const RaterFile& file : cohort.cases[static_cast<std::size_t>(c)].raters) {
        struct stat status {};
        if (::stat(path_of(cohort, file).c_str(), &status) == 0)
          sizes[static_cast<std::size_t>(c)] += status.st_size;
      }
  });
  return sizes;
}

RunReport run_cases(const ReadyRun& ready, const fs::path& work, const RunOptions& options) {
  const std::vector<std::int64_t> sizes = sizes_of(ready.cohort);
  const RunContext context{.cohort = ready.cohort,
                           .request = ready.request,
                           .folder = ready.folder,
                           .identity = ready.identity,
                           .retry = options.retry,
                           .stop = raters::watch_memory(ready.request.settings),
                           .report = ready.request.reports ? options.report : ReportMaker{}};
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const std::int64_t memory = memory_for(ready.request.settings, threads);
  Count count(options, sizes);
  std::vector<std::size_t> again;
  std::mutex mutex;
  with_threads(threads, [&] {
    parallel_for(std::ssize(ready.cohort.cases), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      const CaseOutcome outcome = do_case(context, ready.cohort.cases[c], work / std::to_string(c), memory);
      if (outcome.failure && outcome.failure->kind == "memory" && threads > 1) {
        const std::lock_guard lock(mutex);
        again.push_back(c);
        return;
      }
      count.add(c, outcome);
    });
  });
  std::sort(again.begin(), again.end());
  for (const std::size_t c : again)
    count.add(c, do_case(context, ready.cohort.cases[c], work / std::to_string(c),
                         memory_for(ready.request.settings, 1)));
  return count.report;
}

}  // namespace crema::cohort
