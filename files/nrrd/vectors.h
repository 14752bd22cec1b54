// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/nrrd/header.h"

namespace crema::files {

/// Vectors such as "(1,0,0) none (0,0,2.5)"; nothing in place of "none". The text must hold nothing else.
using NrrdVectors = std::vector<std::optional<std::vector<double>>>;
std::optional<NrrdVectors> parse_vectors(std::string_view text);

/// How many coordinates the file's vectors have; 0 when it says nothing about space.
std::size_t nrrd_space_dimension(const NrrdHeader& header, const std::filesystem::path& path);

/// One number per axis, or nothing when the file does not have that field; NaN where it says nothing.
std::vector<double> nrrd_numbers(const NrrdHeader& header, std::string_view field,
                                 const std::filesystem::path& path);

/// One vector per axis, each finite and of the right length; empty when the file has none.
NrrdVectors nrrd_directions(const NrrdHeader& header, const std::filesystem::path& path);

/// The centre of the first voxel, or nothing.
std::optional<std::vector<double>> nrrd_origin(const NrrdHeader& header, const std::filesystem::path& path);

}  // namespace crema::files
