// SPDX-License-Identifier: Apache-2.0
#include "files/io/checksum.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <nettle/sha2.h>
#include <unistd.h>

#include "files/io/sentence.h"
#include "files/io/temporary.h"

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
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be read: {}", std::strerror(errno));
  sha256_ctx context{};
  sha256_init(&context);
  // Most files are small; what is not read into it is not looked at.
  std::array<std::uint8_t, std::size_t{1} << 16> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  ssize_t got = 0;
  while ((got = unbroken([&] { return ::read(descriptor, buffer.data(), buffer.size()); })) > 0)
    sha256_update(&context, static_cast<std::size_t>(got), buffer.data());
  const int error = errno;
  ::close(descriptor);
  if (got < 0) fail(path, "cannot be read: {}", std::strerror(error));
  return digits_of(context);
}

}  // namespace crema::files
