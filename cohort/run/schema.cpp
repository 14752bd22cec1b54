// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/schema.h"

#include "cohort/run/column_type.h"

namespace crema::cohort {
namespace {

Json types_of(std::string_view table, const std::vector<ColumnText>& columns) {
  Json types = Json::object();
  for (const ColumnText& column : columns) types[column.name] = column_type(table, column.name);
  return types;
}

}  // namespace

std::string schema_text(Structures structures) {
  Json schema = Json::object();
  const auto tables = table_columns(structures);
  schema["cases"] = types_of("cases", merged_case_columns(structures));
  for (std::size_t t = 1; t < kTables.size(); ++t)
    if (!tables[t].empty()) schema[kTables[t]] = types_of(kTables[t], tables[t]);
  schema["failures"] = types_of("failures", failure_columns());
  schema["times"] = types_of("times", time_columns());
  return schema.text() + "\n";
}

}  // namespace crema::cohort
