// SPDX-License-Identifier: Apache-2.0
// What the page calls; texts end with a zero.
#include <cstdlib>
#include <memory>

#include "crema/base/error.h"
#include "crema/base/version.h"
#include "web/wasm/what_if.h"

namespace {

std::unique_ptr<crema::report::WhatIf> open_case;
std::string answer;

}  // namespace

#define CREMA_EXPORT extern "C" __attribute__((visibility("default"), used))

CREMA_EXPORT void* crema_take(int bytes) { return std::malloc(static_cast<std::size_t>(bytes)); }
CREMA_EXPORT void crema_give(void* memory) { std::free(memory); }

/// Where 64 bits for each voxel are to be written.
CREMA_EXPORT void* crema_open(int x, int y, int z, double dx, double dy, double dz, int raters) {
  const crema::Grid grid{.size = {x, y, z}, .spacing = {dx, dy, dz}};
  open_case = std::make_unique<crema::report::WhatIf>(grid, raters);
  return open_case->sets().data();
}

/// Where a byte for each rater and voxel is to be written instead: raters give levels.
CREMA_EXPORT void* crema_open_levels(int x, int y, int z, double dx, double dy, double dz, int raters) {
  crema_open(x, y, z, dx, dy, dz, raters);
  return open_case->take_steps().data();
}

/// The answer as JSON; with "error" where there is none.
CREMA_EXPORT const char* crema_ask(const char* request) {
  try {
    answer = open_case->ask(request).text();
  } catch (const crema::Error& error) {
    answer = crema::Json{{"error", error.sentence.text()}}.text();
  } catch (const std::exception& error) {
    answer = crema::Json{{"error", error.what()}}.text();
  }
  return answer.c_str();
}

CREMA_EXPORT const float* crema_levels() { return open_case->levels().data(); }
