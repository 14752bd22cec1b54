// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/find/cohort.h"

/// Names of BIDS: "sub-01_ses-2_label-lesion_desc-anna_mask.nii.gz".
namespace crema::cohort {

struct BidsName {
  std::map<std::string, std::string> entities;  ///< "sub" → "01"
  std::string suffix;                           ///< "mask"
};

/// The parts of a file's name; nothing where it is not such a name.
std::optional<BidsName> parse_bids(const std::string& file);

/// The name with its entities in the order that BIDS has for them, the description left out:
/// "sub-01_label-lesion".
std::string bids_case(const BidsName& name);

/// Masks of a tree, the raters in desc-. What is no mask, or has no rater, is left out; `left_out` counts the
/// latter.
std::vector<Entry> bids_entries(const std::vector<std::string>& files, std::size_t& left_out);

/// The folder of a file from its subject on: "sub-01/anat".
std::string bids_folder(const std::string& path);

/// What a result is called: "sub-01_label-lesion_desc-crema_mask". `method` is empty where there is one only.
enum class BidsKind : std::uint8_t { mask, labels, levels };
std::string bids_result(const std::string& name, std::string_view method, BidsKind kind);

/// dataset_description.json of the results.
std::string bids_description();
/// .bidsignore of the results: what is beside the images.
std::string bids_ignore();

}  // namespace crema::cohort
