// SPDX-License-Identifier: Apache-2.0
#include "cli/text/tables_manual.h"

#include <fmt/format.h>

#include "cohort/merge/merge.h"
#include "cohort/run/case_tables.h"
#include "cohort/run/column_type.h"
#include "crema/records/candidate_table.h"
#include "crema/records/tables.h"

namespace crema::cli {
namespace {

constexpr std::string_view kHead =
    "# Tables\n\n"
    "Every table that crema writes, column by column; `crema manual --tables` prints this page. "
    "[agreement.md](agreement.md) has the definitions, [cohort.md](cohort.md) says where the tables of a "
    "cohort "
    "lie.\n\n"
    "CSV files are RFC 4180 in UTF-8. What is undefined is an empty field, and null with a reason in a "
    "record. "
    "New columns are added at the end. Where a case has several structures every table has the column "
    "`label` "
    "behind `case`; tables of masks do not have it. A text that begins with `=`, `+`, `-` or `@` is written "
    "behind an apostrophe, so that no spreadsheet runs it.\n\n"
    "**Types** do not depend on the data: a column is text, integer, number or boolean (`true`, `false`), "
    "and "
    "any field may be empty. `schema.json` in the folder of a run has them for programs.\n\n"
    "**Units.** Columns in mm, mm² and mm³ are filled only where the files state the size of a voxel; "
    "distances are in the columns `_voxels` elsewhere. 2-D images have areas in mm², never volumes. Columns "
    "named `voxels` are always filled. `voxels` counts levels above 0.5, the hard size; `soft_volume` is the "
    "sum of all levels, the soft size, and `volume_mm3` or `area_mm2` of a method are those of the soft "
    "size.\n";

std::string escaped(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, 1, '\\');
  return text;
}

/// With the type of each column, for tables of which a run has a schema.
std::string typed_section(std::string_view table, std::string_view rows,
                          const std::vector<ColumnText>& columns) {
  std::string text =
      fmt::format("\n## {}.csv\n\n{}\n\n| column | type | what it holds |\n|---|---|---|\n", table, rows);
  for (const ColumnText& column : columns)
    text += fmt::format("| `{}` | {} | {} |\n", column.name, cohort::column_type(table, column.name),
                        escaped(column.text));
  return text;
}

std::string section(std::string_view title, std::string_view rows, const std::vector<ColumnText>& columns) {
  std::string text = fmt::format("\n## {}\n\n{}\n\n| column | what it holds |\n|---|---|\n", title, rows);
  for (const ColumnText& column : columns)
    text += fmt::format("| `{}` | {} |\n", column.name, escaped(column.text));
  return text;
}

}  // namespace

std::string tables_markdown() {
  const CaseNames names;
  std::string text(kHead);
  text += typed_section("rater_pairs", "One row per pair of raters.", texts_of(rater_pair_columns(names)));
  text += typed_section("raters", "One row per consensus and rater.", texts_of(rater_columns(names)));
  text +=
      typed_section("components", "One row per consensus and component.", texts_of(component_columns(names)));
  text += typed_section("component_raters", "One row per consensus, component and rater.",
                        texts_of(component_rater_columns(names)));
  text += typed_section("methods", "One row per method; that of a cohort has no seconds.",
                        texts_of(method_columns(names)));
  text += typed_section("method_pairs", "One row per pair of methods.", texts_of(method_pair_columns(names)));
  text += typed_section("review",
                        "The list of decisions: one row per component or zone to look at again, of `--review "
                        "FILE`; of a cohort the first 25 of each case and label, of the first method.",
                        texts_of(review_columns(names)));
  text +=
      section("rows.csv",
              "One row per value of the map of subcrowns, of `--maps DIR`; with `level_METHOD` and, with a "
              "bootstrap, `inclusion_METHOD` for each method.",
              texts_of(subcrown_columns(names, {})));
  text += typed_section("cases", "One row per case of a cohort.",
                        cohort::merged_case_columns(cohort::Structures::one));
  text += typed_section("joint", "One row per case and method, where several labels are fused.",
                        texts_of(cohort::joint_columns()));
  text += typed_section("failures", "One row per case that failed.", cohort::failure_columns());
  text +=
      typed_section("times", "One row per case and method of a cohort, in seconds.", cohort::time_columns());
  text += section("candidate.csv", "One row per case and structure, with `--candidate`.",
                  texts_of(candidate_columns()));
  return text;
}

}  // namespace crema::cli
