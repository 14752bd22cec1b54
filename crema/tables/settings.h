// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "crema/base/warning.h"
#include "crema/measure_options.h"
#include "crema/options.h"
#include "crema/tables/label_choice.h"
#include "crema/tables/method.h"

namespace crema {

struct Setting;

/// What logits are turned into levels by; none: the values are levels.
enum class Logits : std::uint8_t { none, softmax, sigmoid };

/// The settings of a run besides its masks, methods and places to write to. Each field that people can set
/// has a row in settings(); flags of the program, keywords of the Python package and the record are made from
/// it.
struct Settings {
  Options options;
  MeasureOptions measures;             ///< its region is that of the options
  bool widest_axis = false;            ///< slice-wise across the axis of the largest spacing
  bool search_weights = false;         ///< find weights instead of taking them
  std::string preset;                  ///< empty: none
  std::string region_file;             ///< a mask that is the region; empty: none
  std::optional<double> threshold;     ///< inside is what lies above
  std::optional<double> label;         ///< inside is what equals it
  std::optional<LabelChoice> labels;   ///< several labels at once
  std::optional<LabelChoice> regions;  ///< unions of labels that lie inside each other
  std::string segment;                 ///< the segment of each file that is meant; empty: none is named
  bool segments_are_raters = false;    ///< else they are labels
  bool probabilities = false;          ///< raters give levels from 0 to 1, not masks
  Logits logits = Logits::none;        ///< of probability maps: what makes levels of their values
  bool takes_levels = false;           ///< whoever runs can fuse levels as they are
  bool cut_later = false;              ///< whoever runs may cut levels at one half when they are there
  bool measured = false;               ///< whoever runs measures agreement, too
  bool offers_image = false;           ///< whoever runs takes an image beneath the masks
  std::string palette;                 ///< a table of colours and the labels they stand for; empty: none
  std::string like;                    ///< a file whose grid is the common one; empty: all raters make it
  std::optional<double> consensus_threshold;  ///< a candidate becomes a mask of what lies above
  std::optional<double> threshold_output;     ///< soft results become masks of what lies above
  std::int64_t max_memory = 0;                ///< bytes; 0: three quarters of what there is
  bool low_memory = false;                    ///< one rater and one component after the other
  bool gap = true;                            ///< compare each result with the best one known
  bool provenance = true;                     ///< the record has date and checksums
  std::vector<const Setting*> given = {};     ///< what was set, in the order in which it was
};

/// A value as in the record.
using SettingValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>>;

/// When a record has a setting: always, when it was given, or with its findings.
enum class Reported : std::uint8_t { always, given, elsewhere };

/// Whether measures of agreement read a setting besides the methods that accept it.
enum class ReadBy : std::uint8_t { methods, measures };

/// One row of the table of settings.
struct Setting {
  std::string_view name;  ///< "drop_below": the keyword; the program has --drop-below
  std::string_view
      values;  ///< "background|foreground" lists the words, "N" stands for a number; empty: a switch
  std::string_view type;                          ///< in Python
  std::string_view text;                          ///< one sentence for the help
  std::string_view group;                         ///< the heading under which it is listed
  Accept applies_to;                              ///< what a method must accept; nothing: all methods
  void (*set)(Settings&, std::string_view text);  ///< throws UsageError without naming the setting
  SettingValue (*get)(const Settings&);
  Reported reported = Reported::given;
  std::string_view former = {};  ///< its name until the last version, still understood; empty: the same
  ReadBy read_by = ReadBy::methods;

  [[nodiscard]] bool is_switch() const { return values.empty(); }
  /// Whether it goes without saying, so that people only ever switch it off.
  [[nodiscard]] bool is_on() const;
  /// As a sentence names it, spelled by each front end: --drop-below, --no-gap.
  [[nodiscard]] std::string marked() const;
};

/// All settings, in the order in which they are listed to people.
std::span<const Setting> settings();

/// Those that certifying a map from anywhere takes, in the same order.
std::vector<const Setting*> certify_settings();
/// All that are about making a consensus, not about one that is there.
std::vector<const Setting*> fuse_settings();
/// Those that looking at masks takes, and those that a study of the background does.
std::vector<const Setting*> check_settings();
std::vector<const Setting*> background_settings();
/// Those that measures of agreement read.
std::vector<const Setting*> measure_settings();

/// By its name, or by its former one. Throws UsageError with the nearest name when there is none.
const Setting& find_setting(std::string_view name);

/// Sets one from text: "0.5", "group", "1,0.5,1", for a switch "True" or "False". Throws UsageError that
/// names it.
void set(Settings& settings, const Setting& setting, std::string_view text);
void set(Settings& settings, std::string_view name, std::string_view text);

/// Files that the settings name, in a fixed order.
std::vector<std::string> named_files(const Settings& settings);

[[nodiscard]] bool was_given(const Settings& settings, std::string_view name);

/// The one check of settings against methods. Throws UsageError on what fits none of them or contradicts
/// itself; warns of what fits only some. Without methods, how the inputs are read is checked alone.
Warnings check(const Settings& settings, std::span<const Method* const> methods);

/// Leaves out methods that cannot do what the settings want, where others can: sets such as paper and all
/// stand for those that apply. Warns of what is left out.
Warnings keep_applicable(std::vector<const Method*>& methods, const Settings& settings);

/// What measures read of these settings, in a run with these options.
MeasureOptions measures_of(const Settings& settings, const Options& options);

/// The options of a run on that grid: the axis is known, the preset applied. Throws InputError when the
/// connectivity does not fit, before any voxel is read.
Options options_for(const Settings& settings, const Grid& grid);

}  // namespace crema
