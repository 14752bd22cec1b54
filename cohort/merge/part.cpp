// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/part.h"

#include <algorithm>

#include "crema/base/parallel.h"
#include "files/io/checksum.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 512;
constexpr std::string_view kDigest = "digest.jsonl";

std::string checksum_of(std::string_view text) {
  files::RunningSha256 sum;
  sum.add(text);
  return sum.digits();
}

/// A file of a part that grows.
struct Growing {
  std::string name;
  std::size_t file = 0;
  std::int64_t bytes = 0;
  files::RunningSha256 sum = {};
};

std::string part_text(const PartRecord& part) {
  Json files = Json::array();
  for (const PartRecord::File& one : part.files)
    files.push_back({{"name", one.name}, {"bytes", one.bytes}, {"sha256", one.sha256}});
  return sealed(Json{{"run", part.run},
                     {"manifest", part.manifest},
                     {"cases", part.cases},
                     {"failures", part.failures},
                     {"unfinished", part.unfinished},
                     {"files", std::move(files)}}
                    .text() +
                "\n");
}

std::optional<PartRecord> read_part(const fs::path& path) {
  const std::optional<Json> json = read_sealed(path);
  if (!json) return std::nullopt;
  PartRecord part{std::string(text_in(member(*json, "run"))), std::string(text_in(member(*json, "manifest"))),
                  whole_in(member(*json, "cases")),           whole_in(member(*json, "failures")),
                  whole_in(member(*json, "unfinished")),      {}};
  for (const Json& one : list_in(member(*json, "files")))
    part.files.push_back({std::string(text_in(member(one, "name"))), whole_in(member(one, "bytes")),
                          std::string(text_in(member(one, "sha256")))});
  return part;
}

/// Writes the files of a part while it counts.
class PartWriter {
 public:
  PartWriter(const ReadyRun& ready, const fs::path& folder, files::StagedSet& staged) : staged_(staged) {
    for (std::size_t t = 0; t < kTableFiles; ++t) {
      const std::string header = table_header(t, structures_of(ready));
      if (header.empty()) continue;
      tables_[t] = files_.size();
      begin(folder, std::string(table_name(t)) + ".csv");
      append(*tables_[t], header);
    }
    begin(folder, std::string(kDigest));
  }

  void add(const CaseRows& one, PartRecord& part) {
    for (std::size_t t = 0; t < kTableFiles; ++t)
      if (tables_[t]) append(*tables_[t], one.rows[t]);
    append(files_.size() - 1, digest_line(one.digest));
    ++part.cases;
    part.failures += one.digest.failure ? 1 : 0;
    part.unfinished += one.digest.kind == CaseState::Kind::done ? 0 : 1;
  }

  void finish(PartRecord& part) {
    for (std::size_t f = 0; f < files_.size(); ++f) {
      flush(f);
      part.files.push_back({files_[f].name, files_[f].bytes, files_[f].sum.digits()});
    }
  }

 private:
  void begin(const fs::path& folder, std::string name) {
    const std::size_t file = staged_.begin_text(folder / name);
    files_.push_back({std::move(name), file});
    waiting_.emplace_back();
  }

  void append(std::size_t file, std::string_view text) {
    constexpr std::size_t kLarge = 1 << 16;
    waiting_[file] += text;
    if (waiting_[file].size() > kLarge) flush(file);
  }

  void flush(std::size_t file) {
    Growing& one = files_[file];
    staged_.append(one.file, waiting_[file]);
    one.sum.add(waiting_[file]);
    one.bytes += std::ssize(waiting_[file]);
    waiting_[file].clear();
  }

  files::StagedSet& staged_;
  std::vector<Growing> files_;
  std::vector<std::string> waiting_;
  std::array<std::optional<std::size_t>, kTableFiles> tables_{};
};

}  // namespace

void for_each_case(const ReadyRun& ready, const std::function<void(CaseRows)>& take) {
  const std::vector<CohortCase>& cases = ready.cohort.cases;
  for (std::size_t begin = 0; begin < cases.size(); begin += kBlock) {
    std::vector<CaseRows> block(std::min(kBlock, cases.size() - begin));
    parallel_for(std::ssize(block), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      block[c] = read_case_rows(ready, cases[begin + c]);
    });
    for (CaseRows& one : block) take(std::move(one));
  }
}

void write_part(const ReadyRun& ready, int shard, const fs::path& work) {
  files::StagedSet staged(work / "part");
  const fs::path folder = ready.folder.part(shard);
  PartRecord part{.run = checksum_of(line_of(ready.identity)),
                  .manifest = files::sha256_of(ready.folder.shard(shard))};
  PartWriter writer(ready, folder, staged);
  for_each_case(ready, [&](const CaseRows& one) { writer.add(one, part); });
  writer.finish(part);
  std::error_code ignored;
  fs::remove(folder / "part.json", ignored);
  staged.put_text(folder / "part.json", part_text(part));
  staged.publish();
}

std::optional<PartRecord> find_part(const ReadyRun& ready, const PlanRecord& plan, int shard) {
  std::optional<PartRecord> part = read_part(ready.folder.part(shard) / "part.json");
  const auto at = static_cast<std::size_t>(shard - 1);
  const bool fits = part && part->run == checksum_of(line_of(ready.identity)) && at < plan.shards.size() &&
                    part->manifest == plan.shards[at];
  return fits ? part : std::nullopt;
}

bool is_as_written(const RunFolder& folder, int shard, const PartRecord& part) {
  std::vector<std::string> names{std::string(kDigest)};
  for (std::size_t t = 0; t < kTableFiles; ++t) names.push_back(std::string(table_name(t)) + ".csv");
  return std::all_of(part.files.begin(), part.files.end(), [&](const PartRecord::File& one) {
    try {
      return std::find(names.begin(), names.end(), one.name) != names.end() &&
             files::sha256_of(folder.part(shard) / one.name) == one.sha256;
    } catch (const Error&) {
      return false;
    }
  });
}

PartUpdate::PartUpdate(const ReadyRun& ready, int shard, fs::path work)
    : ready_(ready), shard_(shard), work_(std::move(work)) {
  const fs::path record = ready.folder.part(shard) / "part.json";
  const std::optional<PlanRecord> plan = read_plan(ready.folder);
  planned_ = plan.has_value();
  if (plan)
    if (const std::optional<PartRecord> part = find_part(ready, *plan, shard))
      all_done_ = part->failures == 0 && part->unfinished == 0;
  std::error_code ignored;
  fs::create_directories(work_, ignored);
  if (all_done_) fs::rename(record, work_ / "part.json", ignored);
  all_done_ = all_done_ && !ignored;
  fs::remove(record, ignored);
}

void PartUpdate::finish(std::size_t made, std::size_t failed) {
  if (all_done_ && made == 0 && failed == 0) {
    std::error_code refused;
    fs::rename(work_ / "part.json", ready_.folder.part(shard_) / "part.json", refused);
    if (!refused) return;
  }
  if (planned_) write_part(ready_, shard_, work_);
}

}  // namespace crema::cohort
