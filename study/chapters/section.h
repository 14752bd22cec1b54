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
  bool on_page = true;  ///< a table of each case is a file alone

  /// "tab_4_0.csv"
  [[nodiscard]] std::string file() const;
};

/// A section while cases come in.
class SectionBuilder {
 public:
  SectionBuilder() = default;
  SectionBuilder(const SectionBuilder&) = delete;
  SectionBuilder& operator=(const SectionBuilder&) = delete;
  virtual ~SectionBuilder() = default;

  virtual void take(const std::vector<Variant>& variants, const CaseFacts& facts) = 0;
  [[nodiscard]] virtual Section finish(const std::vector<Variant>& variants) const = 0;
};

using SectionBuilders = std::vector<std::unique_ptr<SectionBuilder>>;

/// All that come from the tables of runs, in the paper's order.
SectionBuilders all_sections(Identity identity);

std::unique_ptr<SectionBuilder> blocks_section();         ///< tab:1
std::unique_ptr<SectionBuilder> paired_blocks_section();  ///< tab:3
std::unique_ptr<SectionBuilder> lesions_section();        ///< tab:4_0
std::unique_ptr<SectionBuilder> detection_section();      ///< tab:4
std::unique_ptr<SectionBuilder> hard_sizes_section();     ///< tab:5
std::unique_ptr<SectionBuilder> soft_sizes_section();     ///< tab:6
std::unique_ptr<SectionBuilder> times_section();          ///< tab:7
std::unique_ptr<SectionBuilder> entropy_section();        ///< tab:8
std::unique_ptr<SectionBuilder> regions_section();        ///< tab:9
std::unique_ptr<SectionBuilder> slices_section();         ///< tab:10
std::unique_ptr<SectionBuilder> shape_section();  ///< parts and isolated voxels, of which the paper speaks
std::unique_ptr<SectionBuilder> paired_methods_section();
std::unique_ptr<SectionBuilder> icc_section(Identity identity);

}  // namespace crema::study
