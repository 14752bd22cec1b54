// SPDX-License-Identifier: Apache-2.0
#include "study/chapters/section_parts.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace crema::study {

std::string Section::file() const {
  std::string name = label;
  std::replace(name.begin(), name.end(), ':', '_');
  return name + ".csv";
}

SectionBuilders all_sections(Identity identity) {
  SectionBuilders all;
  for (const auto make : {blocks_section, paired_blocks_section, lesions_section, detection_section,
                          hard_sizes_section, soft_sizes_section, times_section, entropy_section,
                          regions_section, slices_section, shape_section, paired_methods_section})
    all.push_back(make());
  all.push_back(icc_section(identity));
  return all;
}

std::vector<std::string> variant_columns(const std::vector<std::string>& more) {
  std::vector<std::string> columns{"method",       "paper_name", "blocks", "empty_test",
                                   "connectivity", "slice_wise", "prior",  "region"};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

Row variant_cells(const Variant& variant) {
  return {variant.method,       variant.paper_name, variant.blocks, variant.empty_test,
          variant.connectivity, variant.slice_wise, variant.prior,  variant.region};
}

void add(Row& row, Row more) {
  row.insert(row.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Cell cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(Undefined::no_parts); }

const Result* result_of(const std::vector<Variant>& variants, const CaseFacts& facts,
                        std::string_view method) {
  const auto found = std::find_if(facts.results.begin(), facts.results.end(), [&](const Result& result) {
    return variants[result.variant].method == method;
  });
  return found == facts.results.end() ? nullptr : &*found;
}

std::string cohort_command(std::string_view name, std::string_view flags) {
  return fmt::format("`crema cohort run DATA -o {} --methods paper{}{}`", name, flags.empty() ? "" : " ",
                     flags);
}

std::string lacking(std::string_view what, const std::string& command) {
  return fmt::format("No run at hand has {}; {} makes one.", what, command);
}

}  // namespace crema::study
