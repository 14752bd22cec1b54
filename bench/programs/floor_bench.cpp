// SPDX-License-Identifier: Apache-2.0
// crema_floor THREADS OUT RATER...: what reading and writing the files costs at least. Each rater's file is
// read whole and inflated with libdeflate, checksum included, on so many threads; each thread has one buffer
// for packed and one for plain bytes, which it uses again and again. Then what the first file held is
// deflated with ISA-L, at the level that crema has, and written, without waiting for the disk.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// Memory that is not filled before it is used.
struct Buffer {
  std::unique_ptr<std::uint8_t[]> bytes;
  std::size_t size = 0, room = 0;

  void make_room(std::size_t wanted) {
    if (room < wanted) bytes = std::make_unique_for_overwrite<std::uint8_t[]>(room = wanted);
    size = wanted;
  }
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "crema_floor: %s\n", what.c_str());
  std::_Exit(EXIT_FAILURE);
}

void read_file(const std::string& path, Buffer& packed) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0) fail(path + ": cannot be opened");
  packed.make_room(static_cast<std::size_t>(facts.st_size));
  for (std::size_t done = 0; done < packed.size;) {
    const ssize_t got = read(file, packed.bytes.get() + done, packed.size - done);
    if (got <= 0) fail(path + ": cannot be read");
    done += static_cast<std::size_t>(got);
  }
  close(file);
}

/// The last four bytes of a gzip file say how much it holds.
std::size_t plain_size(const Buffer& packed) {
  if (packed.size < 18) fail("a file is too short");
  std::size_t size = 0;
  for (std::size_t i = 1; i <= 4; ++i) size = size << 8 | packed.bytes[packed.size - i];
  return size;
}

void inflate(const std::string& path, libdeflate_decompressor* decompressor, Buffer& packed, Buffer& plain) {
  read_file(path, packed);
  plain.make_room(plain_size(packed));
  std::size_t got = 0;
  if (libdeflate_gzip_decompress(decompressor, packed.bytes.get(), packed.size, plain.bytes.get(), plain.size,
                                 &got) != LIBDEFLATE_SUCCESS ||
      got != plain.size)
    fail(path + ": cannot be inflated");
}

/// Inflates all files; returns what the first one held.
Buffer inflate_all(const std::vector<std::string>& paths, unsigned threads) {
  Buffer first;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    auto* const decompressor = libdeflate_alloc_decompressor();
    Buffer packed, plain;
    for (std::size_t k = next++; k < paths.size(); k = next++) {
      inflate(paths[k], decompressor, packed, plain);
      if (k == 0) std::swap(first, plain);
    }
    libdeflate_free_decompressor(decompressor);
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  return first;
}

void deflate(const Buffer& plain, const std::string& path) {
  std::vector<std::uint8_t> level(ISAL_DEF_LVL1_DEFAULT);
  Buffer out;
  out.make_room(plain.size / 8 + (1 << 20));
  isal_zstream stream{};
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = level.data();
  stream.level_buf_size = static_cast<std::uint32_t>(level.size());
  stream.end_of_stream = 1;
  stream.next_in = plain.bytes.get();
  stream.avail_in = static_cast<std::uint32_t>(plain.size);
  stream.next_out = out.bytes.get();
  stream.avail_out = static_cast<std::uint32_t>(out.room);
  if (isal_deflate(&stream) != COMP_OK || stream.avail_in != 0) fail("the mask cannot be deflated");
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(out.bytes.get()), static_cast<std::streamsize>(stream.total_out));
  if (!file.flush()) fail(path + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 3 ? std::atoi(argv[1]) : 0;
  if (threads < 1) fail("usage: crema_floor THREADS OUT RATER...");
  const Buffer plain = inflate_all({argv + 3, argv + argc}, static_cast<unsigned>(threads));
  deflate(plain, argv[2]);
  // Memory goes back with the process; giving it back piece by piece would only take longer.
  std::_Exit(EXIT_SUCCESS);
}
