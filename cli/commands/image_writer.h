// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <future>

#include "crema/image/image.h"
#include "files/plan.h"

namespace crema::cli {

/// An image on its way to its file, and what was told about it.
struct WrittenImage {
  std::filesystem::path path;
  Image image;
  Warnings warnings;
  double seconds = 0;
};

/// Packs and stages images beside the work on the next one.
class ImageWriter {
 public:
  /// How many lie in memory at most, with the one that is being painted.
  static constexpr int kImages = 3;

  /// Unless `beside`, each is written before put() returns.
  ImageWriter(files::OutputSet& outputs, const files::Header& reference, bool beside)
      : outputs_(outputs), reference_(reference), beside_(beside) {}

  /// Waits until there is room. `image` has to stay until it is written.
  void put(WrittenImage& image);

  /// Until at most so many are being written. Throws what went wrong with one.
  void wait(std::size_t left = 0);

 private:
  files::OutputSet& outputs_;
  const files::Header& reference_;
  bool beside_;
  std::deque<std::future<void>> writing_;
};

}  // namespace crema::cli
