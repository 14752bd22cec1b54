// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crema/labels/label_maps.h"
#include "report/case/payload.h"
#include "report/html.h"

namespace crema {
struct Dispute;
struct Settings;
}  // namespace crema
namespace crema::raters {
struct Outcome;
}

namespace crema::report {

/// What a page shows of one structure.
struct StructurePart {
  Payload payload;
  std::string html;  ///< its sections
};

/// A case as the parts of a page; one part is seen at a time.
struct CaseParts {
  std::string chooser;                    ///< of a label; empty for a mask
  std::vector<StructurePart> structures;  ///< those that anybody drew; at least one
  std::string end;                        ///< what concerns all of them
  std::string labels;                     ///< names and colours as JSON; empty for a mask
};

/// Puts the methods' answers beside each other, structure by structure, so that the images of one are held at
/// a time. Throws InputError when no rater marked anything.
CaseParts lay_out(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes,
                  const Settings& settings, const PageFacts& facts, const std::string& case_name,
                  std::string_view what_if_instead);

/// Structures on their way to an overview: agreement, size and criterion of each, and how labels that claimed
/// the same voxels were settled.
class LabelOverview {
 public:
  LabelOverview(const raters::Case& counted, const raters::Outcome& main);

  void add(const Findings& findings);

  [[nodiscard]] std::string html(const PageFacts& facts) const;

  /// The buttons that choose a structure.
  [[nodiscard]] std::string chooser() const;

  /// What the script knows of all labels: they are numbered as they were added.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] std::string name(std::size_t s) const;
  [[nodiscard]] std::string name_of(Label value) const;
  [[nodiscard]] std::string conflicts() const;
  [[nodiscard]] std::string settled_words() const;
  [[nodiscard]] std::string disputes() const;
  [[nodiscard]] std::string place_link(const Dispute& dispute) const;
  [[nodiscard]] int number_of(Label value) const;

  const raters::Case& counted_;
  const raters::Outcome& main_;
  TableHtml table_;
  std::string buttons_;
  std::vector<std::size_t> shown_;  ///< structures in the order of their buttons
};

}  // namespace crema::report
