// SPDX-License-Identifier: Apache-2.0
// What an adjudicator decided about a case, as a small file; docs/adjudicate.md has its schema.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/json.h"
#include "crema/voxels/components.h"

namespace crema {

/// What becomes of the voxels a decision is about.
enum class Action : std::uint8_t {
  accept,  ///< they are in: all of a zone; a component as the consensus has it, or as half of those who drew
           ///< it
  reject,  ///< they are out
  keep,    ///< as the consensus has them
  rater,   ///< as one rater drew them
  majority,  ///< as more than half of all raters drew them
  draw,      ///< runs of a brush: in
  erase,     ///< runs of an eraser: out
};

std::string_view to_string(Action action);

/// One decision. Later ones have the last word on the voxels they share.
struct Verdict {
  std::string label = {};                 ///< of the structure; empty for a mask
  std::size_t component = 0;              ///< from 0; not for draw and erase
  std::optional<std::int64_t> zone = {};  ///< first voxel of a zone; none: the whole component
  Action action = Action::keep;
  int rater = 0;                       ///< from 0, for Action::rater
  std::vector<Run> runs = {};          ///< for draw and erase
  std::string reason = {}, time = {};  ///< may be empty
};

/// An input file as its bytes are known.
struct DecidedInput {
  std::string name;
  std::string sha256;
};

/// A setting that the consensus was made with, as text.
struct DecidedSetting {
  std::string name, text;
};

struct Decisions {
  std::string version;      ///< of crema, that made the consensus
  std::string adjudicator;  ///< empty: nobody signed
  std::string method;
  std::vector<DecidedSetting> settings;
  std::array<std::int32_t, 3> size{};  ///< of the grid
  std::vector<DecidedInput> inputs;    ///< all files of the raters, in their order
  std::vector<Verdict> list;
};

/// Reads a file of a stranger: every member is known, of its type and within its range, or the text is
/// refused. Throws InputError that says what is wrong, and where.
Decisions parse_decisions(std::string_view text);

Json to_json(const Decisions& decisions);

/// Settings that a consensus may have been made with and that decisions keep: none that names a file.
bool is_kept_by_decisions(std::string_view setting);

/// One place that several people decided.
struct ComparedPlace {
  std::string label;
  std::size_t component = 0;
  std::optional<std::int64_t> zone = {};
  std::vector<std::string> actions;  ///< per file: the last one, "rater 2" with the number; empty: none
  bool same = true;                  ///< all who decided did it alike
};

/// Places that any of the files decides, by label, component and zone. Brushes are not compared.
/// Throws InputError unless all files are of the same inputs, method and settings.
std::vector<ComparedPlace> compare_decisions(std::span<const Decisions> files,
                                             std::span<const std::string> names);

}  // namespace crema
