// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/machine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace crema::files {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// A short file of the system, which states no size; empty where there is none.
std::string system_text(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; text.size() < 65536 && (got = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(file);
  return text;
}

/// "max", and whatever else is no positive number, is no limit.
std::int64_t limit_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 ? number : kNoLimit;
}

/// A group is bound by what those around it may take as well. Names are plain text here: the standard library
/// of GCC 12 frees parts of a path twice where memory ends while they are joined.
std::int64_t group_limit(const std::string& root, std::string_view group, const char* file) {
  std::int64_t least = kNoLimit;
  while (true) {
    group = group.substr(0, group.find_last_not_of('/') + 1);
    least = std::min(least, limit_in(system_text(root + std::string(group) + "/" + file)));
    if (group.empty()) return least;
    group = group.substr(0, group.rfind('/') + 1);
  }
}

/// Lines are "5:memory:/job_7" (v1, where one group may have several controllers) or "0::/job_7" (v2).
std::int64_t groups_limit(const MemorySources& sources) {
  std::int64_t least = kNoLimit;
  const std::string text = system_text(sources.own_groups.string());
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    std::string controllers = ",";
    controllers += line.substr(first + 1, second - first - 1);
    controllers += ',';
    const std::string_view group = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, group_limit(sources.all_groups.string(), group, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least,
                       group_limit(sources.all_groups.string() + "/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

/// Slurm counts in MB, for the node or for each of its processors; 0 is all there is.
std::int64_t slurm_limit(const MemorySources& sources) {
  const auto number = [&](const char* name) {
    const char* text = sources.environment ? sources.environment(name) : nullptr;
    return text == nullptr ? kNoLimit : limit_in(text);
  };
  constexpr std::int64_t kMax = std::int64_t{1} << 30;  // MB
  if (const std::int64_t node = number("SLURM_MEM_PER_NODE"); node < kMax) return node << 20;
  const std::int64_t each = number("SLURM_MEM_PER_CPU"), processors = number("SLURM_CPUS_ON_NODE");
  if (each >= kMax) return kNoLimit;
  return (each << 20) * (processors < (1 << 12) ? processors : 1);
}

}  // namespace

std::int64_t machine_memory(const MemorySources& sources) {
  return std::min({sources.machine, groups_limit(sources), slurm_limit(sources)});
}

std::int64_t machine_memory() {
  static const std::int64_t limit = machine_memory(
      {.machine = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE),
       .environment = [](const char* name) -> const char* { return std::getenv(name); }});  // NOLINT
  return limit;
}

}  // namespace crema::files
