// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "crema/sentence.h"

namespace crema {

/// Errors by who is at fault. The sentence says what, where, the two values, and what to do; what() spells
/// settings as the library has them.
struct Error : std::runtime_error {
  explicit Error(Sentence told) : std::runtime_error(told.text()), sentence(std::move(told)) {}

  Sentence sentence;
};

/// The data or the caller is at fault.
struct InputError : Error {
  using Error::Error;
};

/// The request makes no sense, whatever the data.
struct UsageError : InputError {
  using InputError::InputError;
};

/// The world is at fault: a disk that is full, a folder that may not be written.
struct FileError : Error {
  using Error::Error;
};

/// The work would need more memory than is allowed or there is.
struct ResourceError : Error {
  using Error::Error;
};

/// The caller asked to stop (a signal, or a progress callback).
struct Cancelled : Error {
  using Error::Error;
};

}  // namespace crema
