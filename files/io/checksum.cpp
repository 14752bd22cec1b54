// SPDX-License-Identifier: Apache-2.0
#include "files/io/checksum.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <nettle/sha2.h>
#include <unistd.h>

#include "files/io/sentence.h"
#include "files/io/system/regular.h"
#include "files/io/system/temporary.h"

namespace crema::files {

namespace {

std::string digits_of(sha256_ctx& context) {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

std::string sha256_of(std::span<const std::span<const std::uint8_t>> pieces) {
  sha256_ctx context{};
  sha256_init(&context);
  for (const auto piece : pieces) sha256_update(&context, piece.size(), piece.data());
  return digits_of(context);
}

std::string sha256_of(const std::filesystem::path& path) {
  const Regular file = open_regular(path);
  if (file.error != 0) fail(path, "cannot be read: {}", std::strerror(file.error));
  if (file.descriptor < 0) refuse(path, "{}", not_regular(file.mode));
  sha256_ctx context{};
  sha256_init(&context);
  // Most files are small; what is not read into it is not looked at.
  std::array<std::uint8_t, std::size_t{1} << 16> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  ssize_t got = 0;
  for (off_t at = 0;
       (got = unbroken([&] { return ::pread(file.descriptor, buffer.data(), buffer.size(), at); })) > 0;
       at += got)
    sha256_update(&context, static_cast<std::size_t>(got), buffer.data());
  const int error = errno;
  ::close(file.descriptor);
  if (got < 0) fail(path, "cannot be read: {}", std::strerror(error));
  return digits_of(context);
}

struct RunningSha256::State {
  sha256_ctx context;
};

RunningSha256::RunningSha256() : state_(std::make_unique<State>()) { sha256_init(&state_->context); }
RunningSha256::RunningSha256(RunningSha256&&) noexcept = default;
RunningSha256& RunningSha256::operator=(RunningSha256&&) noexcept = default;
RunningSha256::~RunningSha256() = default;

void RunningSha256::add(std::string_view text) {
  sha256_update(&state_->context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
}

std::string RunningSha256::digits() { return digits_of(state_->context); }  // which begins anew

}  // namespace crema::files
