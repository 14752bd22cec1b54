// SPDX-License-Identifier: Apache-2.0
// files/io/gzip/gzip.h where there is no library to inflate with.
#include "files/io/gzip/gzip.h"
#include "web/app/unpack.h"

namespace crema::files {

bool looks_gzipped(std::span<const std::uint8_t> start) {
  return start.size() >= 2 && start[0] == 0x1F && start[1] == 0x8B;
}

struct Gunzip::State {
  report::Unpack unpack;
};

Gunzip::Gunzip(const Source& source, const Section& section)
    : state_(new State{{source, section}}) {}  // NOLINT: what cannot be moved is made in its place
Gunzip::Gunzip(Gunzip&&) noexcept = default;
Gunzip::~Gunzip() = default;

std::size_t Gunzip::read(std::span<std::uint8_t> out) { return state_->unpack.read(out); }
std::int64_t Gunzip::trailing_zeros() const { return state_->unpack.trailing_zeros(); }

}  // namespace crema::files
