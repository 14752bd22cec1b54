// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figure/figure.h"
#include "figure/places.h"
#include "plot/trace_plot.h"

namespace crema::figure {

/// A figure on its way: panels are added one after the other, so that one case and the images of one
/// structure are held at a time. Panels with a lower `order` come first; all are of the same raters.
class Sheet {
 public:
  /// All structures of a case; those that are shown are chosen by the first one. Throws InputError when no
  /// rater marked anything.
  void add_case(const Request& request, const Wanted& wanted, const raters::Case& counted,
                std::span<const raters::Outcome> outcomes, std::size_t order, Warnings& warnings);

  /// One structure. The answers are one for each method; empty where none is drawn.
  void add(const Request& request, const Wanted& wanted, const Subject& subject,
           std::span<const Answered> answers, std::size_t order, Warnings& warnings);

  /// `grey` are the values of the image on the raters' grid where there is one.
  Drawn finish(std::span<const float> grey, Warnings& warnings);

 private:
  struct Key {
    std::size_t structure = 0, place = 0, order = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  [[nodiscard]] std::vector<plot::Slice> slices_of(const Wanted& wanted, const Subject& subject,
                                                   std::span<const Answered> answers);
  void add_panels(const Request& request, const Subject& subject, const Place& place,
                  std::span<const Answered> answers, Key key, Warnings& warnings);
  void add_strip(const Request& request, const Subject& subject, Place place, Key key, Warnings& warnings);
  void put(Key key, plot::Panel panel) { panels_.emplace_back(key, std::move(panel)); }
  void add_lines(const Request& request, const Subject& subject, std::span<const Answered> answers);
  void add_line(plot::ConsensusLine line);
  [[nodiscard]] std::string colour_of_method(const Method& method);
  [[nodiscard]] std::string words() const;
  [[nodiscard]] std::size_t across() const;
  void add_traces(const Request& request, const Wanted& wanted, const Subject& subject, Warnings& warnings);
  Drawn finish_traces();

  std::vector<std::size_t> structures_;  ///< that are shown; empty: any
  std::vector<std::pair<Key, plot::Panel>> panels_;
  std::map<std::size_t, plot::Slice> chosen_;  ///< by structure, where none was requested
  std::vector<plot::ConsensusLine> lines_;
  std::vector<std::string> method_names_;  ///< that have a colour
  std::vector<plot::TracePanel> traces_;
  std::vector<std::string> raters_, shows_;
  std::size_t components_ = 0, cases_ = 0;
  Grid grid_;
  bool measured_ = true, all_components_ = false, named_ = false;
};

}  // namespace crema::figure
