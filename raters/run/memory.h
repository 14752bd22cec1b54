// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "raters/run/run.h"

namespace crema::raters {

/// What becomes of what the methods answer.
struct Afterwards {
  enum class Images : std::uint8_t { none, one_by_one, kept };
  Images images = Images::one_by_one;
  bool record = false;  ///< one record is made of all of them
};

/// Throws ResourceError unless all that the methods are going to take after counting is allowed: their
/// decisions, which stay, their images, and the record.
void check_memory(const Case& counted, std::span<const Method* const> methods, const Settings& settings,
                  const Afterwards& afterwards);

/// The same for a consensus that is read to be certified.
void check_certify_memory(const Case& counted);

/// What a method's decisions on all components take, in bytes.
std::int64_t decision_bytes(const Reduction& reduction);
std::int64_t decision_bytes(const Case& counted);

/// What a method takes while it decides, in bytes, beside what it answers.
std::int64_t solving_bytes(const Reduction& reduction, const Method& method, const Options& options);
std::int64_t solving_bytes(const Case& counted, const Method& method);

/// What the image that a method paints takes, and the file's content beside it, in bytes: where nobody drew
/// it is written only where the method has a level for it.
std::int64_t image_bytes(const Case& counted, const Method& method, const Settings& settings);

/// For Hooks::stop of a process that does nothing else: never says stop, but throws ResourceError once the
/// process has taken more than is allowed since now. What estimates did not foresee ends there.
std::function<bool()> watch_memory(const Settings& settings);

}  // namespace crema::raters
