// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "crema/base/sentence.h"

namespace crema {

/// Errors by who is at fault. The sentence says what, where, the two values, and what to do; what() spells
/// settings as the library has them.
struct Error : std::runtime_error {
  explicit Error(Sentence reported) : std::runtime_error(reported.text()), sentence(std::move(reported)) {}

  Sentence sentence;
};

/// The data or the caller is at fault.
struct InputError : Error {
  using Error::Error;
};

/// A file holds several labels where one mask was expected, and nothing says which one is meant.
struct LabelsError : InputError {
  using InputError::InputError;
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

/// The caller requested a stop (a signal, or a progress callback).
struct Cancelled : Error {
  using Error::Error;
};

}  // namespace crema
