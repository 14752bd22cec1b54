// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cohort/merge/case_rows.h"
#include "cohort/run/plan_record.h"

/// The tables of one shard, in parts/00001/: CSV files with a header each, the same columns as those of the
/// run, rows in the order of the cases' names; digest.jsonl for whoever merges; and part.json, which is
/// written last, goes before any case of the shard is touched, and says what the others must be.
namespace crema::cohort {

/// What part.json says.
struct PartRecord {
  std::string run;       ///< checksum of the run's identity
  std::string manifest;  ///< checksum of the shard's
  std::int64_t cases = 0, failures = 0, unfinished = 0;
  struct File {
    std::string name;
    std::int64_t bytes = 0;
    std::string sha256;
  };
  std::vector<File> files;
};

/// Calls `take` with each case of a run, in order. A few hundred results are held at a time.
void for_each_case(const ReadyRun& ready, const std::function<void(CaseRows)>& take);

/// Writes the part of a shard, whose cases `ready` has.
void write_part(const ReadyRun& ready, int shard, const std::filesystem::path& work);

/// What part.json says, where it is whole and of this run and this shard's cases; the files are not looked
/// at.
std::optional<PartRecord> find_part(const ReadyRun& ready, const PlanRecord& plan, int shard);

/// Whether all files of a part have the checksums that it names.
bool is_as_written(const RunFolder& folder, int shard, const PartRecord& part);

/// While a shard is at work its part is not valid. Where the shard changed nothing the old one is as good as
/// a new one.
class PartUpdate {
 public:
  /// Takes the part's record away.
  PartUpdate(const ReadyRun& ready, int shard, std::filesystem::path work);

  /// To be called when the cases are done; `made` of them anew.
  void finish(std::size_t made, std::size_t failed);

 private:
  const ReadyRun& ready_;
  int shard_;
  std::filesystem::path work_;
  bool planned_ = false, all_done_ = false;
};

}  // namespace crema::cohort
