// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

#include <nanobind/nanobind.h>

#include "raters/run/run.h"

namespace crema::python {

/// What a piece of work and the Python thread that waits for it report to each other.
class Control {
 public:
  /// With `every_step`, every step is reported.
  Control(int steps, bool every_step) : steps_(steps), every_step_(every_step) {}

  /// For the work: reading is its first step, counting its second.
  raters::Hooks hooks();
  /// For the work: the share of the present step that is done.
  void report(double share) { within_ = share; }
  /// For the work: so many of its steps are done.
  void reach(int step);
  /// For the work: all is done.
  void end();

  /// For the thread that waits: true when all is done, false after a while or a step.
  bool wait();
  /// For the thread that waits: whether a step has ended that next_share() has not given yet.
  bool has_unreported_step();
  /// For the thread that waits: the next finished share to report, or one reported before.
  double next_share();
  /// For the thread that waits: the work is to end soon, and nothing more is reported.
  void stop();

 private:
  std::atomic<bool> stop_{false};
  std::atomic<double> within_{0};  // the share of the present step
  std::mutex mutex_;
  std::condition_variable changed_;
  int steps_, ended_ = 0, reported_ = 0;
  bool every_step_, done_ = false;
};

/// Does work of that many steps on a thread of its own with the GIL released. Meanwhile the calling thread
/// sees to signals and calls progress(share), unless that is None: now and then, and after each step. What
/// either of them raises stops the work and is raised.
void run(const nanobind::object& progress, int steps, const std::function<void(Control&)>& work);

/// The same for work that nobody wants to hear of.
void run(const std::function<void()>& work);

}  // namespace crema::python
