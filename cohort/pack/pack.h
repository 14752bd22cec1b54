// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cohort/pack/pack_index.h"
#include "cohort/run/run.h"

/// The files of a shard's cases in one archive, packs/00001.tar, which every tar reads, and packs/00001.json,
/// which says where each file begins. While there is such an index the archive is what is true of its cases;
/// it goes before anything of the shard is touched.
namespace crema::cohort {

/// Packs the cases of a shard that are done, and takes their files away. Cases that failed stay as they are.
void pack_shard(const ReadyRun& ready, int shard, const std::filesystem::path& work);

/// Puts the files of a shard's cases back and takes the archive away. What does not have its checksum is not
/// put back: the case is done again.
void unpack_shard(const RunFolder& folder, int shard);

/// All archives of the run, before cases get other shards.
void unpack_all(const RunFolder& folder);

/// The cases in the archive of a shard; none where there is no archive, and none that it is too short for.
std::set<std::string> packed_cases(const RunFolder& folder, int shard);

/// A case's files, wherever they are.
struct CaseFiles {
  struct File {
    std::string name;
    std::function<std::string()> read;  ///< throws InputError where it is not as it was written
  };
  std::vector<File> files;
};

/// The files of a case that is done. Throws InputError that says why where it is not.
CaseFiles files_of_case(const ReadyRun& ready, const std::string& name);

}  // namespace crema::cohort
