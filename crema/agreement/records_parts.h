// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "crema/agreement/records.h"

/// What several kinds of record have in common.
namespace crema::records {

Json to_json(const Grid& grid);

Json value_of(const SettingValue& value);

/// What differs between two runs on the same inputs, all in one place.
void add_run(Json& json, const RunFacts& run, const Settings& settings);

}  // namespace crema::records
