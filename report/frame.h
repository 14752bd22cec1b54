// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crema::report {

/// What differs between the pages; all of it is HTML.
struct Frame {
  std::string title;  ///< of the window
  std::string_view brand;
  std::string heading, links, sections, made;
  std::string data;              ///< blocks that the script reads
  std::string_view style;        ///< beyond what all pages share
  std::string_view script, sha;  ///< and its SHA-256, in hexadecimal digits
  bool wasm = false;             ///< whether the script may run WebAssembly
  bool frames = false;           ///< whether pages beside it may be shown inside
};

/// A page in one file, which fetches nothing and runs no script but its own.
std::string framed(const Frame& frame);

struct Part {
  std::string_view id, name;
};

/// Links to those parts that the sections have.
std::string links_to(const std::vector<Part>& parts, const std::string& sections);

/// Data that a script finds by its name.
std::string data_block(std::string_view id, std::string_view type, std::string_view content);

}  // namespace crema::report
