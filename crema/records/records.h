// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/background.h"
#include "crema/agreement/confidence/certify_map.h"
#include "crema/base/json.h"
#include "crema/base/warning.h"
#include "crema/fuse.h"
#include "crema/labels/settle/joint.h"
#include "crema/tables/settings.h"
#include "crema/weights.h"

/// Records of runs, as data; docs/formats.md has their schema. Whoever prints one does it once, with
/// record_text().
namespace crema {

/// A file that was read, with its checksum.
struct InputFact {
  std::string path;
  std::string sha256;
};

/// What the caller knows about a run and the counts do not.
struct RunFacts {
  std::vector<std::string> command;
  std::vector<std::string> raters;  ///< their names; may be empty
  Warnings warnings;                ///< spelled
  std::vector<InputFact> inputs = {};
  std::string date = {};                                       ///< empty: not given
  double reading = 0, counting = 0, solving = 0, writing = 0;  ///< seconds
};

/// One consensus.
struct FuseFacts {
  const Options& options;  ///< as it was solved with
  std::optional<WeightSearch> search = {};
  std::string output = {};
  std::optional<double> threshold = {};   ///< levels above it were written as a mask
  const LabelConsensus* joint = nullptr;  ///< how labels share the image; none for a mask
};

/// What is reported of a consensus: a mask as a whole and component by component, labels one by one and
/// together. `structures` are those of the counts.
Json fuse_record(const RunFacts& run, const Settings& settings, const LabelCounts& counts,
                 std::span<const Solution> structures, const FuseFacts& facts);

/// The text of a run's record: that of the only result, or of one that holds them all. `make` is called once
/// for each result, on several threads.
std::string fuse_records_text(const RunFacts& run, std::size_t results,
                              const std::function<Json(std::size_t)>& make);

Json certify_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                    const std::string& consensus, Distance distance, const MapCertificate& certificate);

Json background_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                       const BackgroundStudy& study);

/// One rater's file, looked at without fusing it.
struct CheckedRater {
  std::string file;
  std::vector<std::string> problems;
  std::optional<Grid> grid = {};  ///< none: the file could not be opened
  std::string type = {};
  std::int64_t voxels = 0;  ///< inside
};

/// `problems` are those of all raters together.
Json check_record(const RunFacts& run, const Settings& settings, const std::vector<CheckedRater>& raters,
                  const std::vector<std::string>& problems);

/// The record of one structure, with its label first, which takes the place of the setting of that name.
Json with_label(const std::string& label, const Json& record);

/// The records of a case's structures as one: that of a mask as it is; those of labels in "structures", each
/// with its label first, and what they share once.
Json join_records(const std::vector<std::string>& labels, Json::Array records);

/// Indented, with a line feed at its end. What is not UTF-8 is replaced.
std::string record_text(const Json& record);

/// What a consensus's record takes at most, as a tree and as text.
std::int64_t record_bytes(const Reduction& reduction);

/// Beyond these numbers components, raters of all structures together, and disputes between labels are summed
/// up instead of listed.
inline constexpr std::size_t kMaxListedComponents = 10000;
inline constexpr std::size_t kMaxListedRaters = 10000;
inline constexpr std::size_t kMaxListedDisputes = 1000;

}  // namespace crema
