// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

/// ITK's STAPLE and label voting behind plain values: its headers take long to compile, and only peer.cpp
/// includes them.
namespace crema::itk_peer {

/// Masks as ITK read them; the spans borrow from what `native` holds.
struct Masks {
  std::shared_ptr<void> native;
  std::vector<std::span<const std::uint8_t>> voxels;
  std::array<std::int32_t, 3> size;
  std::array<double, 3> spacing;
};

/// What itk::STAPLEImageFilter gives with its defaults and a map of doubles, which borrows from `native`.
struct Staple {
  std::shared_ptr<void> native;
  std::span<const double> map;
  std::vector<double> sensitivity, specificity;
  unsigned elapsed_iterations = 0;  ///< as ITK counts: from 0
};

/// What itk::LabelVotingImageFilter gives, with 2 where there is a tie; borrows from `native`.
struct Voting {
  std::shared_ptr<void> native;
  std::span<const std::uint8_t> mask;
};

enum class Precision : std::uint8_t { float32, float64 };

/// Throws a std::exception on what ITK cannot read.
Masks read(const std::vector<std::filesystem::path>& paths);
Staple staple(const Masks& masks);
Voting vote(const Masks& masks);
void write(const Voting& voting, const std::filesystem::path& path);
void write(const Staple& staple, const std::filesystem::path& path, Precision precision);

}  // namespace crema::itk_peer
