// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes/kernels.h"

#include <algorithm>
#include <cstdlib>

// One body for each kernel, compiled once for each instruction set: the compiler does the vectorising.
#define CREMA_BODY [[gnu::always_inline]] inline

namespace crema {
namespace {

/// Prefetches memory before it is needed: left alone, the processor reads ahead no further than the page's
/// end.
CREMA_BODY void fetch(const std::uint8_t* bytes, std::size_t count) {
  constexpr std::size_t kAhead = 4096, kLine = 64;
  // As a number, since the place may lie behind the end of what the pointer points into.
  const auto place = reinterpret_cast<std::uintptr_t>(bytes) + kAhead;
  for (std::size_t i = 0; i < count; i += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(place + i));  // NOLINT(performance-no-int-to-ptr)
}

CREMA_BODY std::uint8_t any_body(const std::uint8_t* bytes, std::size_t count) {
  constexpr std::size_t kStretch = 256;
  std::uint8_t any = 0;
  std::size_t i = 0;
  for (; count - i >= kStretch; i += kStretch) {
    fetch(bytes + i, kStretch);
    for (std::size_t j = i; j < i + kStretch; ++j) any |= bytes[j];
  }
  for (; i < count; ++i) any |= bytes[i];
  return any;
}

template <class Set>
CREMA_BODY void fold_body(Set* __restrict sets, const std::uint8_t* __restrict mask, std::size_t count,
                          Set rater) {
  for (std::size_t i = 0; i < count; ++i)
    sets[i] = static_cast<Set>(sets[i] | (mask[i] != 0 ? rater : Set{0}));
}

template <class Number>
CREMA_BODY void least_body(const Number* a, const Number* b, const Number* c, const Number* d,
                           Number* __restrict to, std::size_t count) {
  for (std::size_t block = 0; block < count; block += kRowBlock)
    for (std::size_t x = block; x < block + kRowBlock; ++x)
      to[x] = std::min(std::min(a[x], b[x]), std::min(c[x], d[x]));
}

template <class Number>
CREMA_BODY void step_from_one_body(const Number* __restrict other, Number* __restrict own,
                                   std::size_t count) {
  for (std::size_t block = 0; block < count; block += kRowBlock)
    for (std::size_t x = block; x < block + kRowBlock; ++x)
      own[x] = std::min(own[x], static_cast<Number>(other[x] + 1));
}

template <class Number>
CREMA_BODY void step_from_three_body(const Number* __restrict other, Number* __restrict own,
                                     std::size_t count) {
  const Number *before = other - 1, *after = other + 1;
  for (std::size_t block = 0; block < count; block += kRowBlock)
    for (std::size_t x = block; x < block + kRowBlock; ++x)
      own[x] = std::min(own[x], static_cast<Number>(std::min(other[x], std::min(before[x], after[x])) + 1));
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute stands in no parentheses
#define CREMA_KERNELS_FOR(instructions, attribute)                                                     \
  namespace instructions {                                                                             \
  attribute std::uint8_t any(const std::uint8_t* bytes, std::size_t count) {                           \
    return any_body(bytes, count);                                                                     \
  }                                                                                                    \
  template <class Set>                                                                                 \
  attribute void fold(Set* sets, const std::uint8_t* mask, std::size_t count, Set rater) {             \
    fold_body(sets, mask, count, rater);                                                               \
  }                                                                                                    \
  template <class Number>                                                                              \
  attribute void least(const Number* a, const Number* b, const Number* c, const Number* d, Number* to, \
                       std::size_t count) {                                                            \
    least_body(a, b, c, d, to, count);                                                                 \
  }                                                                                                    \
  template <class Number>                                                                              \
  attribute void step_from_one(const Number* other, Number* own, std::size_t count) {                  \
    step_from_one_body(other, own, count);                                                             \
  }                                                                                                    \
  template <class Number>                                                                              \
  attribute void step_from_three(const Number* other, Number* own, std::size_t count) {                \
    step_from_three_body(other, own, count);                                                           \
  }                                                                                                    \
  template <class Number>                                                                              \
  constexpr RowKernels<Number> rows{least<Number>, step_from_one<Number>, step_from_three<Number>};    \
  constexpr Kernels all{#instructions,         {any},                                                  \
                        {fold<std::uint8_t>},  {fold<std::uint16_t>},                                  \
                        {fold<std::uint32_t>}, {fold<std::uint64_t>},                                  \
                        rows<std::uint8_t>,    rows<std::uint16_t>,                                    \
                        rows<std::uint32_t>};                                                          \
  }
// NOLINTEND(bugprone-macro-parentheses)

CREMA_KERNELS_FOR(baseline, )
#if defined(__x86_64__) && defined(__GNUC__)
CREMA_KERNELS_FOR(avx2, __attribute__((target("avx2"))))
#endif

const Kernels& choose() {
  const auto runnable = runnable_kernels();
  const char* const wanted = std::getenv("CREMA_KERNELS");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (wanted != nullptr)
    for (const Kernels* kernels : runnable)
      if (kernels->name == wanted) return *kernels;
  return *runnable.back();
}

}  // namespace

std::vector<const Kernels*> runnable_kernels() {
  std::vector<const Kernels*> list{&baseline::all};
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2")) list.push_back(&avx2::all);
#endif
  return list;
}

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace crema
