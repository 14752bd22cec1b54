// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/agreement/measured.h"
#include "crema/records/records.h"
#include "crema/records/table.h"
#include "crema/records/units.h"

/// What records of all kinds are made of.
namespace crema {

Json value_of(const SettingValue& value);
Json to_json(const Grid& grid);
Json to_json(const Box& box);

/// What concerns the method, from the table of settings; null: what concerns them all.
void add_settings(Json& json, const Settings& settings, const Options& options, const Method* method);

/// What levels were fused, and what each rater counts.
void add_levels(Json& json, const RunFacts& run, const Reduction& reduction, const Solution& solution);

/// Whether rows are listed, or summed up because there are too many.
enum class Listing : std::uint8_t { full, summary };
inline Listing listing_of(std::size_t rows, std::size_t most) {
  return rows <= most ? Listing::full : Listing::summary;
}

/// The raters of one structure beside its consensus, and what a method found out about them.
void add_raters(Json& json, const RunFacts& run, const Reduction& reduction, const Solution& solution,
                const FuseFacts& facts);

/// The consensus of one structure, and its components.
void add_consensus(Json& json, const Reduction& reduction, const Solution& solution, Listing components);

/// What is reported of labels, one by one and together.
void add_labels(Json& json, const RunFacts& run, const LabelCounts& counts,
                std::span<const Solution> structures, const FuseFacts& facts);

/// The texts of warnings that are spelled, and in the same order what each is about.
void add_warnings(Json& json, const Warnings& warnings);

/// What differs between two runs on the same inputs, all in one place.
void add_run(Json& json, const RunFacts& run, const Settings& settings);

/// What was proved: gaps are never negative, because a bound is never above the best.
void add_certificate(Json& json, double criterion, double lower_bound, bool proven);

/// A value under its name; where there is none, null, and the reason under the same name in "undefined".
void put(Json& json, const std::string& name, const Measured& measure);
void put(Json& json, const std::string& name, const Cell& cell);

/// "volume_mm3" and "area_mm2" of so many voxels; null where that is not the true unit.
void put_size(Json& json, const Grid& grid, double voxels);

/// One object per row, named by the columns from `first` on.
Json rows_json(const Table& table, std::size_t first = 0);

}  // namespace crema
