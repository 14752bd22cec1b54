// SPDX-License-Identifier: Apache-2.0
#include "raters/run/memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "crema/agreement/overlap.h"
#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/text.h"
#include "crema/records/records.h"

namespace crema::raters {
namespace {

std::string counted_methods(std::size_t count) { return "deciding by " + crema::counted(count, "method"); }

std::int64_t record_bytes(const Case& counted) {
  std::int64_t bytes = 0;
  for (std::size_t s = 0; s < counted.structures(); ++s) bytes += crema::record_bytes(counted.reduction(s));
  return bytes;
}

/// The process's own pages in bytes, as the system counts them; 0 where it does not.
class Resident {
 public:
  Resident() : file_(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}
  ~Resident() {
    if (file_ >= 0) ::close(file_);
  }
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  [[nodiscard]] std::int64_t bytes() const {
    std::array<char, 128> text{};
    const auto size = file_ < 0 ? -1 : ::pread(file_, text.data(), text.size(), 0);
    if (size <= 0) return 0;
    std::array<std::int64_t, 3> pages{};  // in all, resident, resident and shared with files
    const char* at = text.data();
    for (std::int64_t& number : pages) at = std::from_chars(at, text.data() + size, number).ptr + 1;
    return (pages[1] - pages[2]) * ::sysconf(_SC_PAGESIZE);
  }

 private:
  int file_;
};

/// Looks once in a while, for any caller.
class Watch {
 public:
  explicit Watch(std::int64_t limit) : limit_(limit), before_(resident_.bytes()) {}

  void look() {
    using std::chrono::steady_clock;
    constexpr std::int64_t kPause = 2'000'000;  // nanoseconds
    const std::int64_t now = steady_clock::now().time_since_epoch().count();
    std::int64_t last = last_;
    if (now - last < kPause || !last_.compare_exchange_strong(last, now)) return;
    const std::int64_t taken = resident_.bytes() - before_;
    if (taken <= limit_) return;
    throw ResourceError(
        fmt::format("the run uses {} and is not finished, but {} are allowed; give {}, choose fewer methods "
                    "at once or raise {}.",
                    megabytes(taken), megabytes(limit_), Sentence::setting("low_memory"),
                    Sentence::setting("max_memory")));
  }

 private:
  std::int64_t limit_;
  Resident resident_;
  std::int64_t before_;
  std::atomic<std::int64_t> last_{0};
};

}  // namespace

std::int64_t image_bytes(const Case& counted, const Method& method, const Settings& settings) {
  const Reduction& reduction = counted.reduction(0);
  const std::int64_t all = reduction.grid.voxels();
  if (counted.labelled()) return 2 * all * std::int64_t{sizeof(Label)};
  const bool everywhere =
      method.needs == Needs::neighbours || accepts(method, Accept::region) || reduction.levels != nullptr;
  const bool soft = method.kind == Kind::soft;
  const std::int64_t image =
      (everywhere ? all : reduction.occupied) * (soft ? std::int64_t{sizeof(float)} : 1);
  // Beside it lies the file's content, which is no larger.
  return 2 * image + (soft && settings.threshold_output ? 2 * all : 0);
}

std::int64_t solving_bytes(const Reduction& reduction, const Method& method, const Options& options) {
  // A solver sees a component as numbers per row and rater: of hard methods a problem and its order, of soft
  // ones and of proofs what a descent adds to it.
  constexpr std::int64_t kHard = 12, kSoft = 32, kEstimate = 8;
  const bool proof = options.blocks == Blocks::group || options.certify == Certify::yes;
  const std::int64_t each = method.aim == Aim::performance       ? kEstimate
                            : method.aim != Aim::distance        ? 0
                            : method.kind == Kind::soft || proof ? kSoft
                                                                 : kHard;
  std::vector<std::int64_t> parts;  // estimates see all of them together
  for (const Crowns& crowns : reduction.crowns)
    parts.push_back(std::ssize(crowns.tally.rows) * std::popcount(raters_present(crowns.tally)) * each);
  const auto at_once = method.aim == Aim::performance
                           ? parts.size()
                           : std::min(parts.size(), static_cast<std::size_t>(std::max(1, options.threads)));
  std::partial_sort(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(at_once), parts.end(),
                    std::greater<>());
  return std::accumulate(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(at_once),
                         std::int64_t{0});
}

std::int64_t solving_bytes(const Case& counted, const Method& method) {
  std::int64_t most = 0;  // structures are solved one after the other
  for (std::size_t s = 0; s < counted.structures(); ++s)
    most = std::max(most, solving_bytes(counted.reduction(s), method, counted.options));
  return most;
}

std::int64_t decision_bytes(const Reduction& reduction) {
  std::int64_t bytes = 0;
  for (const Crowns& crowns : reduction.crowns)
    bytes += std::int64_t{sizeof(Decision)} +
             2 * heap_block(std::ssize(crowns.tally.rows) * static_cast<std::int64_t>(sizeof(double)));
  return bytes;
}

std::int64_t decision_bytes(const Case& counted) {
  std::int64_t bytes = 0;
  for (std::size_t s = 0; s < counted.structures(); ++s) bytes += decision_bytes(counted.reduction(s));
  return bytes;
}

void check_memory(const Case& counted, std::span<const Method* const> methods, const Settings& settings,
                  const Afterwards& afterwards) {
  const MemoryAccount& memory = *counted.options.memory;
  const std::string fewer =
      methods.size() > 1 ? "run fewer methods at once, crop the images" : "crop the images";
  const std::int64_t each = decision_bytes(counted);
  const std::int64_t search = settings.search_weights ? each : 0;  // a round's beside the last one's
  std::int64_t before = 0;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    before += each;
    memory.require(counted_methods(m + 1), before + search + solving_bytes(counted, *methods[m]), fewer);
    const std::int64_t image = image_bytes(counted, *methods[m], settings);
    if (afterwards.images != Afterwards::Images::none)
      memory.require(fmt::format("{} and the image of {}", counted_methods(m + 1), methods[m]->name),
                     before + image, fewer);
    if (afterwards.images == Afterwards::Images::kept) before += image;
  }
  if (afterwards.record)
    memory.require(fmt::format("{} and their record", counted_methods(methods.size())),
                   before + std::ssize(methods) * record_bytes(counted), "write no record, " + fewer);
}

void check_certify_memory(const Case& counted) {
  // The consensus is read as it is, and laid out as levels on the raters' grid.
  constexpr std::int64_t kVoxel = 2 * sizeof(float);
  counted.options.memory->require("certifying the consensus",
                                  counted.counts.grid().voxels() * kVoxel + decision_bytes(counted) +
                                      record_bytes(counted) + solving_bytes(counted, find_method("soergel")),
                                  "crop the images");
}

std::function<bool()> watch_memory(const Settings& settings) {
  const auto watch = std::make_shared<Watch>(allowed_memory(settings));
  return [watch] {
    watch->look();
    return false;
  };
}

}  // namespace crema::raters
