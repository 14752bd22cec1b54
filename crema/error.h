// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace crema {

/// The data or the caller is at fault. The sentence says what, where, the two values, and what to do.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line asks for something that makes no sense, whatever the data.
struct UsageError : InputError {
  using InputError::InputError;
};

/// The world is at fault: a disk that is full, a folder that may not be written.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The work would need more memory than is allowed or there is.
struct ResourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller asked to stop (a signal, or a progress callback).
struct Cancelled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace crema
