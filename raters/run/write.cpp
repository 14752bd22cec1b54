// SPDX-License-Identifier: Apache-2.0
#include "raters/run/write.h"

#include <algorithm>
#include <deque>
#include <future>
#include <system_error>
#include <utility>

#include "crema/base/memory.h"
#include "raters/run/memory.h"
#include "raters/run/stopwatch.h"

namespace crema::raters {
namespace {

/// How many images lie in memory at most, with the one that is being painted.
constexpr std::size_t kImages = 3;

/// An image on its way to its file, and what was said about it.
struct StagedImage {
  std::filesystem::path path;
  Picture picture;
  Warnings warnings;
  double seconds = 0;
};

/// Packs and stages images beside the work on the next one; unless `beside`, before put() returns.
class ImageRing {
 public:
  ImageRing(const PutImage& put, bool beside) : put_(put), beside_(beside) {}

  /// Waits until there is room. `image` has to stay until it is written.
  void put(StagedImage& image) {
    const auto write = [this, &image] {
      const Stopwatch watch;
      image.warnings = put_(image.path, image.picture.image, image.picture.reference);
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

  /// Until at most so many are being written. Throws what went wrong with one.
  void wait(std::size_t left = 0) {
    while (writing_.size() > left) {
      std::future<void> first = std::move(writing_.front());
      writing_.pop_front();
      first.get();
    }
  }

 private:
  const PutImage& put_;
  bool beside_;
  std::deque<std::future<void>> writing_;
};

/// Whether images may lie in memory while the next method is at work.
bool fit_beside(const Case& counted, const MethodJob& job, const Method& next) {
  std::int64_t image = 0;
  for (const Method* method : job.methods)
    image = std::max(image, image_bytes(counted, *method, job.settings));
  return next.needs != Needs::neighbours &&  // whose work takes memory, too
         counted.options.memory->allows(static_cast<std::int64_t>(kImages) * image + decision_bytes(counted));
}

class MethodRun {
 public:
  MethodRun(const Case& counted, MethodJob job)
      : counted_(counted),
        job_(std::move(job)),
        results_(job_.methods.size()),
        staged_(job_.methods.size()),
        ring_(job_.put, counted.options.threads > 1 && job_.methods.size() > 1) {}

  std::vector<FusedMethod> run(Warnings& warnings) {
    for (std::size_t m = 0; m < results_.size(); ++m) {
      if (job_.solved.empty()) {
        results_[m].outcome = solve_method(counted_, *job_.methods[m], job_.settings);
        append(warnings, results_[m].outcome.warnings);
      } else {
        results_[m].outcome = std::move(job_.solved[m]);
      }
      if (job_.answered) job_.answered(m, results_[m].outcome);
      if (!job_.images.empty()) put_image(m);
    }
    ring_.wait();
    for (std::size_t m = 0; m < results_.size(); ++m) {
      results_[m].writing = staged_[m].seconds;
      append(warnings, staged_[m].warnings);
    }
    return std::move(results_);
  }

 private:
  void put_image(std::size_t m) {
    results_[m].image = staged_[m].path = job_.images[m];
    ring_.wait(kImages - 2);
    staged_[m].picture = paint_outcome(counted_, results_[m].outcome, staged_[m].path, canvas_for(m));
    ring_.put(staged_[m]);
    const bool last = m + 1 == results_.size();
    if (last || !fit_beside(counted_, job_, *job_.methods[m + 1])) ring_.wait();
  }

  /// What was painted so long ago that it is written.
  Image canvas_for(std::size_t m) {
    constexpr std::size_t kBack = kImages - 1;
    if (m < kBack) return {};
    Image canvas = std::exchange(staged_[m - kBack].picture.image, {});
    return results_[m - kBack].outcome.paintable ? std::move(canvas) : Image();
  }

  const Case& counted_;
  MethodJob job_;
  std::vector<FusedMethod> results_;
  std::vector<StagedImage> staged_;
  ImageRing ring_;
};

}  // namespace

std::vector<FusedMethod> run_methods(const Case& counted, MethodJob job, Warnings& warnings) {
  return MethodRun(counted, std::move(job)).run(warnings);
}

}  // namespace crema::raters
