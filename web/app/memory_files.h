// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crema::report {

/// A file that was dropped on the page: there is no disk, readers find it here.
struct MemoryFile {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

/// All of them; those who put files in or forget them have nothing open.
std::vector<MemoryFile>& memory_files();

}  // namespace crema::report
