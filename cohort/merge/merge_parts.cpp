// SPDX-License-Identifier: Apache-2.0
// The parts of shards, each in the order of its cases' names, become tables in that order: first the digests,
// which say whose case comes next and how long its rows are in every table, then one table after the other.
#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "cohort/merge/merged_run.h"
#include "cohort/merge/part.h"
#include "cohort/merge/part_stream.h"
#include "cohort/pack/pack.h"
#include "cohort/run/prepare.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAllBuffers = std::size_t{64} << 20, kSmallest = std::size_t{1} << 13,
                      kLargest = std::size_t{1} << 18, kKeptOpen = 256;

/// One case: the shard that has it, and the bytes of its rows.
struct Step {
  std::uint32_t shard = 0;
  std::array<std::uint32_t, kTableFiles> bytes{};
};

std::vector<PartStream> open_parts(const RunFolder& folder, std::size_t shards, const std::string& name) {
  const std::size_t buffer = std::clamp(kAllBuffers / std::max<std::size_t>(1, shards), kSmallest, kLargest);
  const auto between = shards <= kKeptOpen ? PartStream::Between::open : PartStream::Between::closed;
  std::vector<PartStream> streams;
  streams.reserve(shards);
  for (std::size_t s = 0; s < shards; ++s)
    streams.emplace_back(folder.part(static_cast<int>(s) + 1) / name, buffer, between);
  return streams;
}

/// The steps of a merge in the order of the cases, on the disk: they are not held.
class Steps {
 public:
  explicit Steps(const fs::path& work) : path_(work / "steps"), staged_(work / "order") {
    file_ = staged_.begin_text(path_);
  }

  void add(const Step& step) {
    waiting_.append(reinterpret_cast<const char*>(&step), sizeof step);
    if (waiting_.size() >= kLargest) flush();
  }

  template <class Take>
  void for_each(Take take) {
    if (!published_) {
      flush();
      staged_.publish();
      published_ = true;
    }
    PartStream stream(path_, kLargest / sizeof(Step) * sizeof(Step), PartStream::Between::open);
    for (std::int64_t s = 0; s < count_; ++s) {
      Step step;
      char* to = reinterpret_cast<char*>(&step);
      stream.copy(sizeof step,
                  [&](std::string_view piece) { to = std::copy(piece.begin(), piece.end(), to); });
      take(step);
    }
  }

 private:
  void flush() {
    staged_.append(file_, waiting_);
    count_ += std::ssize(waiting_) / static_cast<std::int64_t>(sizeof(Step));
    waiting_.clear();
  }

  fs::path path_;
  files::StagedSet staged_;
  std::size_t file_ = 0;
  std::string waiting_;
  std::int64_t count_ = 0;
  bool published_ = false;
};

Step step_of(std::size_t shard, const CaseDigest& digest) {
  Step step{static_cast<std::uint32_t>(shard), {}};
  for (std::size_t t = 0; t < kTableFiles; ++t) {
    if (digest.bytes[t] < 0 || digest.bytes[t] > std::numeric_limits<std::uint32_t>::max())
      throw InputError(fmt::format("case {}: has too many rows for a table.", digest.name));
    step.bytes[t] = static_cast<std::uint32_t>(digest.bytes[t]);
  }
  return step;
}

/// Goes through all digests in the order of the cases' names.
void merge_digests(const RunFolder& folder, std::size_t shards, MergedRun& merged, Steps& steps) {
  std::vector<PartStream> streams = open_parts(folder, shards, "digest.jsonl");
  std::vector<CaseDigest> next(shards);
  const auto later = [&](std::size_t a, std::size_t b) { return next[a].name > next[b].name; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  std::string line;
  const auto advance = [&](std::size_t shard) {
    if (!streams[shard].line(line)) return;
    next[shard] = digest_in(line);
    queue.push(shard);
  };
  for (std::size_t s = 0; s < shards; ++s) advance(s);
  while (!queue.empty()) {
    const std::size_t shard = queue.top();
    queue.pop();
    merged.add(next[shard]);
    steps.add(step_of(shard, next[shard]));
    advance(shard);
  }
}

void merge_table(const ReadyRun& ready, std::size_t shards, std::size_t table, Steps& steps,
                 TableFiles& tables) {
  const std::string name = std::string(table_name(table)) + ".csv";
  std::vector<PartStream> streams = open_parts(ready.folder, shards, name);
  const std::int64_t header = std::ssize(table_header(table, structures_of(ready)));
  for (PartStream& stream : streams) stream.copy(header, [](std::string_view) {});
  steps.for_each([&](const Step& step) {
    streams[step.shard].copy(step.bytes[table], [&](std::string_view rows) { tables.append(table, rows); });
  });
  tables.flush();
}

/// Whether the results that a part lists are still there, where they were packed: an archive is one file,
/// and with it goes all of a shard.
bool has_results(ReadyRun ready, const PlanRecord& plan, int shard, const PartRecord& part) {
  if (!plan.pack) return true;
  take_shard(ready, plan, shard);
  const Standing now = standing_of(ready, packed_cases(ready.folder, shard));
  return std::cmp_less_equal(now.missing, std::max<std::int64_t>(0, part.unfinished - part.failures));
}

/// Parts that cannot be trusted are rebuilt.
struct Parts {
  std::int64_t cases = 0;
  std::size_t kept = 0, made = 0;
};

Parts complete_parts(ReadyRun& ready, const PlanRecord& plan, const fs::path& work, bool verify) {
  std::vector<std::optional<PartRecord>> found(plan.shards.size());
  if (!verify)
    parallel_for(std::ssize(found), [&](std::int64_t i) {
      const int shard = static_cast<int>(i) + 1;
      std::optional<PartRecord> part = find_part(ready, plan, shard);
      if (part && is_as_written(ready.folder, shard, *part) && has_results(ready, plan, shard, *part))
        found[static_cast<std::size_t>(i)] = std::move(part);
    });
  Parts parts;
  for (std::size_t s = 0; s < found.size(); ++s) {
    if (found[s]) {
      ++parts.kept;
      parts.cases += found[s]->cases;
      continue;
    }
    const int shard = static_cast<int>(s) + 1;
    take_shard(ready, plan, shard);
    check_links(ready);
    unpack_shard(ready.folder, shard);
    write_part(ready, shard, work);
    if (plan.pack) pack_shard(ready, shard, work);
    ++parts.made;
    parts.cases += std::ssize(ready.cohort.cases);
  }
  ready.cohort.cases = {};
  return parts;
}

}  // namespace

MergeReport merge_parts(ReadyRun ready, const PlanRecord& plan, const fs::path& work,
                        const MergeOptions& options) {
  ready.cohort.raters = plan.raters;
  const Parts parts = complete_parts(ready, plan, work, options.verify);
  files::StagedSet staged(work / "merge");
  MergedRun merged(ready, options, parts.cases);
  TableFiles tables(ready, merged.choice(), staged);
  Steps steps(work);
  merge_digests(ready.folder, plan.shards.size(), merged, steps);
  for (std::size_t t = 0; t < kTableFiles; ++t)
    if (tables.has(t)) merge_table(ready, plan.shards.size(), t, steps, tables);
  MergeReport report = merged.publish(tables, staged);
  report.parts_kept = parts.kept;
  report.parts_made = parts.made;
  return report;
}

}  // namespace crema::cohort
