// SPDX-License-Identifier: Apache-2.0
#include "crema/image/canvas.h"

#include <array>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace crema {
namespace {

/// From here on pages are requested directly: calloc would now and then hand out used memory and fill it with
/// zeros, which costs more than all the rest.
constexpr std::size_t kLarge = 1 << 20;

void fill(void* memory, std::size_t bytes, std::uint32_t pattern) {
  const std::size_t whole = bytes / sizeof(pattern);
  std::fill_n(static_cast<std::uint32_t*>(memory), whole, pattern);
  std::memcpy(static_cast<std::uint32_t*>(memory) + whole, &pattern, bytes % sizeof(pattern));
}

#ifdef __linux__
/// A few pages without a name, full of the pattern; a descriptor of them, or less than 0.
int make_pages(std::size_t bytes, std::uint32_t pattern) {
  rlimit most{};  // a file beyond it would end the process
  if (::getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < bytes) return -1;
  std::array<std::uint32_t, 4096> content{};
  content.fill(pattern);
  const int file = ::memfd_create("crema background", MFD_CLOEXEC);
  for (std::size_t done = 0; file >= 0 && done < bytes; done += sizeof(content)) {
    if (::pwrite(file, content.data(), sizeof(content), static_cast<off_t>(done)) == ssize_t{sizeof(content)})
      continue;
    ::close(file);
    return -1;
  }
  return file;
}

/// Lays the same pages over all of the memory, each to be copied when it is painted. False when the system
/// does not let us.
bool lay_out(void* memory, std::size_t bytes, std::uint32_t pattern) {
  // The system keeps a list of what was laid where: the more there is, the larger each part.
  constexpr std::size_t kMin = 1 << 20, kMaxParts = 256;
  const std::size_t part = (std::max(kMin, bytes / kMaxParts) + kMin - 1) / kMin * kMin;
  const int file = make_pages(std::min(part, (bytes + kMin - 1) / kMin * kMin), pattern);
  if (file < 0) return false;
  bool laid = true;
  for (std::size_t at = 0; at < bytes && laid; at += part) {
    void* const to = static_cast<unsigned char*>(memory) + at;
    laid = ::mmap(to, std::min(part, bytes - at), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) ==
           to;
  }
  ::close(file);
  return laid;
}
#else
bool lay_out(void*, std::size_t, std::uint32_t) { return false; }
#endif

}  // namespace

void* take_zeros(std::size_t bytes) {
  if (bytes < kLarge) {
    void* const memory = std::calloc(std::max<std::size_t>(bytes, 1), 1);  // NOLINT: given back below
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void* take_pattern(std::size_t bytes, std::uint32_t pattern) {
  void* memory = take_zeros(bytes);
  if (pattern == 0) return memory;
  if (bytes >= kLarge) {
    if (lay_out(memory, bytes, pattern)) return memory;
    ::munmap(memory, bytes);  // whatever became of it
    memory = take_zeros(bytes);
  }
  fill(memory, bytes, pattern);
  return memory;
}

void give_back(void* memory, std::size_t bytes) noexcept {
  if (bytes < kLarge)
    std::free(memory);  // NOLINT: pairs with calloc
  else
    ::munmap(memory, bytes);
}

}  // namespace crema
