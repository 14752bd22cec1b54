// SPDX-License-Identifier: Apache-2.0
#include "python/work.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace crema::python {
namespace {

namespace nb = nanobind;

constexpr std::chrono::milliseconds kPatience{10};

/// The work on its thread, and whether it is done.
class Worker {
 public:
  explicit Worker(const std::function<void(Control&)>& work) : thread_([this, &work] { go(work); }) {}
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [this] { return done_; });
  }
  Control& control() { return control_; }
  [[nodiscard]] const std::exception_ptr& error() const { return error_; }

 private:
  void go(const std::function<void(Control&)>& work) {
    try {
      work(control_);
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    done_ = true;
    changed_.notify_one();
  }

  Control control_;
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// Signals, and progress when there is some; throws what Python raised. The GIL must be held.
void attend(const nb::object& progress, double share, double& told) {
  if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  if (progress.is_none() || share <= told) return;
  told = share;
  progress(share);
}

}  // namespace

void run(const nb::object& progress, const std::function<void(Control&)>& work) {
  std::optional<nb::python_error> raised;
  std::exception_ptr error;
  {
    const nb::gil_scoped_release released;
    Worker worker(work);
    for (double told = 0; !worker.wait();) {
      if (raised) continue;
      const nb::gil_scoped_acquire held;
      try {
        attend(progress, worker.control().share, told);
      } catch (nb::python_error& e) {
        raised.emplace(std::move(e));
        worker.control().stop = true;
      }
    }
    error = worker.error();
  }
  if (raised) throw std::move(*raised);
  if (error) std::rethrow_exception(error);
}

Options under(Control& control, Options options) {
  options.progress = [&control](double share) { control.share = share; };
  options.stop = [&control] { return control.stop.load(); };
  return options;
}

}  // namespace crema::python
