// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>

#include "cohort/find/bids.h"
#include "cohort/find/manifest.h"
#include "cohort/pack/pack.h"
#include "cohort/run/one_case.h"
#include "cohort/run/prepare.h"
#include "cohort/run/schema.h"
#include "cohort/run/stamps.h"
#include "crema/base/parallel.h"
#include "crema/base/version.h"
#include "files/io/checksum.h"
#include "raters/read/labels.h"
#include "raters/read/votes.h"
#include "raters/run/memory.h"

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
    if (outcome.failure) failures_.emplace_back(one, *outcome.failure);
    bytes_ += sizes_[one];
    progress_.done += 1;
    progress_.failed = report.failed;
    progress_.share = static_cast<double>(bytes_) / static_cast<double>(total_);
    if (options_.progress) options_.progress(progress_);
  }

  /// Cases fail in any order.
  RunReport finish(const Cohort& cohort) {
    std::sort(failures_.begin(), failures_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    if (failures_.size() > RunReport::kListed) failures_.resize(RunReport::kListed);
    for (auto& [one, failure] : failures_)
      report.failures.push_back({cohort.cases[one].name, std::move(failure)});
    return report;
  }

  RunReport report;

 private:
  std::vector<std::pair<std::size_t, CaseFailure>> failures_;
  const RunOptions& options_;
  const std::vector<std::int64_t>& sizes_;
  std::int64_t total_ = 1, bytes_ = 0;
  RunProgress progress_;
  std::mutex mutex_;
};

void write_stamps(const Stamps& stamps, const fs::path& path, const fs::path& work) {
  files::StagedSet staged(work / "stamps");
  staged.put_text(path, stamps.text());
  staged.publish();
}

std::int64_t memory_for(const Settings& settings, int threads) {
  const std::int64_t all = raters::allowed_memory(settings);
  return std::max<std::int64_t>(1, all / threads);
}

}  // namespace

void make_run_folder(const RunFolder& folder) {
  std::error_code failed;
  fs::create_directories(folder.path, failed);
  if (failed)
    throw FileError(fmt::format("{}: the folder cannot be created ({}); choose another one.",
                                files::printable(folder.path), failed.message()));
}

void write_run(const ReadyRun& ready, const fs::path& work,
               const std::function<void(files::StagedSet&)>& more) {
  unpack_all(ready.folder);
  files::StagedSet staged(work / "run");
  // First: a folder without it is none of ours.
  staged.put_text(ready.folder.settings(),
                  run_text({ready.identity, ready.cohort.layout, ready.cohort.root, ready.data_set,
                            ready.folder.fan_out, ready.cohort.persons}));
  if (ready.request.bids) {
    staged.put_text(ready.folder.path / "dataset_description.json", bids_description());
    staged.put_text(ready.folder.path / ".bidsignore", bids_ignore());
  }
  staged.put_text(
      ready.folder.schema(),
      schema_text(raters::wants_labels(ready.request.settings) ? Structures::several : Structures::one));
  if (more) more(staged);
  const std::size_t manifest = staged.begin_text(ready.folder.manifest());
  write_manifest(
      all_cases(ready.cohort), [&](std::string_view piece) { staged.append(manifest, piece); },
      rater_column(ready.cohort));
  staged.publish();
  std::error_code ignored;
  if (!more) fs::remove(ready.folder.plan(), ignored);
  if (!more) fs::remove_all(ready.folder.path / "parts", ignored);
}

ReadyRun open_settings(const fs::path& path) {
  ReadyRun ready;
  ready.folder.path = path;
  const RunRecord record = read_run(ready.folder);
  if (text_in(member(record.identity, "version")) != version())
    throw UsageError(fmt::format("{}: was planned by crema {}, and this is {}; plan it again with {}.",
                                 files::printable(path), text_in(member(record.identity, "version")),
                                 version(), Sentence::setting("force", "True")));
  ready.request = request_from(record.identity);
  ready.identity = record.identity;
  ready.data_set = record.data_set;
  ready.cohort.layout = record.layout;
  ready.cohort.root = record.root;
  ready.folder.fan_out = record.fan_out;
  return ready;
}

void take_shard(ReadyRun& ready, const PlanRecord& plan, int shard) {
  check_shard(ready.folder, plan, shard);
  ready.cohort.cases.clear();
  sort_into_cases(read_own_manifest(ready.folder.shard(shard)), ready.cohort);
  ready.cohort.raters = plan.raters;
}

namespace {

/// A shard without its plan; who the raters are is in the list of all cases.
void take_unplanned(ReadyRun& ready, int shard) {
  std::error_code ignored;
  if (!fs::exists(ready.folder.shard(shard), ignored)) check_shard(ready.folder, {}, shard);
  Cohort all;
  sort_into_cases(read_own_manifest(ready.folder.manifest()), all);
  sort_into_cases(read_own_manifest(ready.folder.shard(shard)), ready.cohort);
  if (ready.request.missing == Missing::empty) ready.cohort.raters = all.raters;
}

}  // namespace

ReadyRun open_shard(const fs::path& folder, int shard) {
  ReadyRun ready = open_settings(folder);
  if (const std::optional<PlanRecord> plan = read_plan(ready.folder))
    take_shard(ready, *plan, shard);
  else  // the folder was since used for a run without shards
    take_unplanned(ready, shard);
  check_files(ready.request);
  check_outputs(ready);
  return ready;
}

ReadyRun open_run(const fs::path& folder) {
  ReadyRun ready = open_settings(folder);
  sort_into_cases(read_own_manifest(ready.folder.manifest()), ready.cohort);
  return ready;
}

CohortSizes sizes_of(const Cohort& cohort) {
  CohortSizes sizes{.bytes = std::vector<std::int64_t>(cohort.cases.size())};
  std::vector<const RaterFile*> gone(cohort.cases.size());
  std::atomic<std::size_t> missing = 0;
  parallel_pieces(std::ssize(cohort.cases), 256, [&](std::int64_t begin, std::int64_t end) {
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c)
      for (const RaterFile& file : cohort.cases[c].raters) {
        struct stat status {};
        if (::stat(path_of(cohort, file).c_str(), &status) == 0) {
          sizes.bytes[c] += status.st_size;
          continue;
        }
        ++missing;
        if (gone[c] == nullptr) gone[c] = &file;
      }
  });
  sizes.missing = missing;
  const auto first =
      std::find_if(gone.begin(), gone.end(), [](const RaterFile* file) { return file != nullptr; });
  if (first != gone.end()) sizes.first_missing = (*first)->path;
  return sizes;
}

RunReport run_cases(const ReadyRun& ready, const fs::path& work, const RunOptions& options) {
  const std::vector<std::int64_t> sizes = sizes_of(ready.cohort).bytes;
  const fs::path stamped = ready.folder.stamps(options.shard);
  const Stamps before(stamped);
  Stamps stamps;
  const RunContext context{.cohort = ready.cohort,
                           .request = ready.request,
                           .folder = ready.folder,
                           .identity = ready.identity,
                           .retry = options.retry,
                           .stop = raters::watch_memory(ready.request.settings),
                           .report = ready.request.reports ? options.report : ReportMaker{},
                           .thumbnail = options.thumbnail,
                           .stamps = &stamps,
                           .before = options.verify ? nullptr : &before};
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
      const CaseOutcome outcome =
          complete_case(context, ready.cohort.cases[c], work / std::to_string(c), memory);
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
    count.add(c, complete_case(context, ready.cohort.cases[c], work / std::to_string(c),
                               memory_for(ready.request.settings, 1)));
  write_stamps(stamps, stamped, work);
  return count.finish(ready.cohort);
}

}  // namespace crema::cohort
