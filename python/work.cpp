// SPDX-License-Identifier: Apache-2.0
#include "python/work.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <thread>

#include "crema/base/parallel.h"

namespace crema::python {
namespace {

namespace nb = nanobind;

constexpr std::chrono::milliseconds kPatience{10};

/// The work on its thread, and what went wrong with it.
class Worker {
 public:
  Worker(Control& control, const std::function<void(Control&)>& work)
      : thread_([this, &control, &work] { go(control, work); }) {}
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Once the control has reported the end.
  [[nodiscard]] const std::exception_ptr& error() const { return error_; }

 private:
  void go(Control& control, const std::function<void(Control&)>& work) {
    if (!ready_to_throw()) {
      error_ = std::make_exception_ptr(std::bad_alloc());
      return control.end();
    }
    try {
      work(control);
    } catch (...) {
      error_ = std::current_exception();
    }
    control.end();
  }

  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the above
};

/// Memory that is given back where not even the calling thread could report that there is none.
class Reserve {
 public:
  /// The GIL must be held.
  void prepare_to_throw() {
    if (ready_to_throw()) return;
    std::free(block_);
    ready_to_throw();
    block_ = std::malloc(kBytes);
  }

 private:
  static constexpr std::size_t kBytes = 16384;
  void* block_ = std::malloc(kBytes);
};

Reserve reserve;

/// Signals, and progress when somebody wants to know; throws what Python raised. The GIL must be held.
void attend(const nb::object& progress, Control& control, double& reported) {
  if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  if (progress.is_none()) return;
  for (bool more = true; more;) {
    more = control.has_unreported_step();
    const double share = control.next_share();
    if (share <= reported) continue;
    reported = share;
    progress(share);
  }
}

}  // namespace

raters::Hooks Control::hooks() {
  return {.progress =
              [this](std::string_view stage, double share) {
                if (stage != "reading") reach(1);
                report(share);
              },
          .stop = [this] { return stop_.load(); }};
}

void Control::reach(int step) {
  const std::scoped_lock lock(mutex_);
  if (step <= ended_) return;
  within_ = 0;
  ended_ = step;
  if (every_step_) changed_.notify_one();
}

void Control::end() {
  const std::scoped_lock lock(mutex_);
  done_ = true;
  changed_.notify_one();
}

bool Control::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPatience, [this] { return done_ || (every_step_ && reported_ < ended_); });
  return done_;
}

void Control::stop() {
  const std::scoped_lock lock(mutex_);
  stop_ = true;
  every_step_ = false;
}

bool Control::has_unreported_step() {
  const std::scoped_lock lock(mutex_);
  return reported_ < ended_;
}

double Control::next_share() {
  const std::scoped_lock lock(mutex_);
  const double within = reported_ < ended_ ? 1 : within_.load();
  const double share = (reported_ + within) / steps_;
  if (reported_ < ended_) ++reported_;
  return share;
}

void run(const nb::object& progress, int steps, const std::function<void(Control&)>& work) {
  std::optional<nb::python_error> raised;
  std::exception_ptr error;
  reserve.prepare_to_throw();
  {
    const nb::gil_scoped_release released;
    const bool every_step = !progress.is_none();
    Control control(steps, every_step);
    const Worker worker(control, work);
    double reported = 0;
    for (bool done = false; !done;) {
      done = control.wait();
      if (raised || (done && !every_step)) continue;
      const nb::gil_scoped_acquire held;
      try {
        attend(progress, control, reported);
      } catch (nb::python_error& e) {
        raised.emplace(std::move(e));
        control.stop();
      }
    }
    error = worker.error();
  }
  if (raised) throw std::move(*raised);
  if (error) std::rethrow_exception(error);
}

void run(const std::function<void()>& work) {
  run(nb::none(), 1, [&](Control&) { work(); });
}

}  // namespace crema::python
