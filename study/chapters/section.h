// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crema/records/table.h"
#include "study/chapters/facts.h"
#include "study/volumes.h"

namespace crema::study {

/// A table of the paper, made of the cases at hand.
struct Section {
  std::string label;  ///< as in the paper: "tab:4_0"
  std::string title;
  std::string text;  ///< what the numbers are
  Table table;       ///< without rows where the runs lack what it needs
  /// What is not there, and the command that would make it.
  std::vector<std::string> missing = {};

  /// "tab_4_0.csv"
  [[nodiscard]] std::string file() const;
};

/// A section while cases come in.
class Chapter {
 public:
  Chapter() = default;
  Chapter(const Chapter&) = delete;
  Chapter& operator=(const Chapter&) = delete;
  virtual ~Chapter() = default;

  virtual void take(const std::vector<Variant>& variants, const CaseFacts& facts) = 0;
  [[nodiscard]] virtual Section finish(const std::vector<Variant>& variants) const = 0;
};

using Chapters = std::vector<std::unique_ptr<Chapter>>;

/// All that come from the tables of runs, in the paper's order.
Chapters all_chapters(Identity identity);

std::unique_ptr<Chapter> blocks_chapter();         ///< tab:1
std::unique_ptr<Chapter> paired_blocks_chapter();  ///< tab:3
std::unique_ptr<Chapter> lesions_chapter();        ///< tab:4_0
std::unique_ptr<Chapter> detection_chapter();      ///< tab:4
std::unique_ptr<Chapter> hard_sizes_chapter();     ///< tab:5
std::unique_ptr<Chapter> soft_sizes_chapter();     ///< tab:6
std::unique_ptr<Chapter> times_chapter();          ///< tab:7
std::unique_ptr<Chapter> entropy_chapter();        ///< tab:8
std::unique_ptr<Chapter> regions_chapter();        ///< tab:9
std::unique_ptr<Chapter> slices_chapter();         ///< tab:10
std::unique_ptr<Chapter> shape_chapter();          ///< parts and isolated voxels, of which the paper speaks
std::unique_ptr<Chapter> paired_methods_chapter();
std::unique_ptr<Chapter> icc_chapter(Identity identity);

}  // namespace crema::study
