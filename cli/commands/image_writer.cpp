// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/image_writer.h"

#include <system_error>

#include "raters/stopwatch.h"

namespace crema::cli {

void ImageWriter::wait(std::size_t left) {
  while (writing_.size() > left) {
    std::future<void> first = std::move(writing_.front());
    writing_.pop_front();
    first.get();
  }
}

void ImageWriter::put(WrittenImage& image) {
  const auto write = [this, &image] {
    const raters::Stopwatch watch;
    image.warnings = outputs_.put_image(image.path, image.image, reference_);
    image.seconds = watch.seconds();
  };
  if (!beside_) return write();
  wait(kImages - 2);
  try {
    writing_.push_back(std::async(std::launch::async, write));
  } catch (const std::system_error&) {  // no thread is to be had
    write();
  }
}

}  // namespace crema::cli
