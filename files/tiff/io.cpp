// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/io.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include <tiffio.h>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

/// A file read through a Source.
struct Input {
  const Source* source;
  TiffWords* words;
  std::int64_t position = 0;
};

/// A file made in memory.
struct Memory {
  std::vector<std::uint8_t>* bytes;
  TiffWords* words;
  std::uint64_t position = 0;
};

tmsize_t read_input(thandle_t state, void* out, tmsize_t count) {
  auto& input = *static_cast<Input*>(state);
  try {
    const std::span bytes(static_cast<std::uint8_t*>(out), static_cast<std::size_t>(count));
    const auto got = static_cast<tmsize_t>(input.source->read(input.position, bytes));
    input.position += got;
    return got;
  } catch (...) {
    input.words->thrown = std::current_exception();
    return -1;
  }
}

tmsize_t write_nothing(thandle_t /*state*/, void* /*bytes*/, tmsize_t /*count*/) { return -1; }

toff_t seek_input(thandle_t state, toff_t offset, int whence) {
  auto& input = *static_cast<Input*>(state);
  const std::int64_t from = whence == SEEK_CUR   ? input.position
                            : whence == SEEK_END ? input.source->size()
                                                 : std::int64_t{0};
  if (offset > static_cast<toff_t>(INT64_MAX - from)) return static_cast<toff_t>(-1);
  input.position = from + static_cast<std::int64_t>(offset);
  return static_cast<toff_t>(input.position);
}

toff_t size_of_input(thandle_t state) {
  return static_cast<toff_t>(static_cast<Input*>(state)->source->size());
}

tmsize_t read_memory(thandle_t state, void* out, tmsize_t count) {
  auto& memory = *static_cast<Memory*>(state);
  if (memory.position >= memory.bytes->size()) return 0;
  const auto got = std::min<std::size_t>(static_cast<std::size_t>(count),
                                         memory.bytes->size() - static_cast<std::size_t>(memory.position));
  std::memcpy(out, memory.bytes->data() + memory.position, got);
  memory.position += got;
  return static_cast<tmsize_t>(got);
}

tmsize_t write_memory(thandle_t state, void* from, tmsize_t count) {
  auto& memory = *static_cast<Memory*>(state);
  try {
    const auto end = static_cast<std::size_t>(memory.position) + static_cast<std::size_t>(count);
    if (end > memory.bytes->size()) memory.bytes->resize(end);
    std::memcpy(memory.bytes->data() + memory.position, from, static_cast<std::size_t>(count));
    memory.position = end;
    return count;
  } catch (...) {
    memory.words->thrown = std::current_exception();
    return -1;
  }
}

toff_t seek_memory(thandle_t state, toff_t offset, int whence) {
  auto& memory = *static_cast<Memory*>(state);
  memory.position = offset + (whence == SEEK_CUR   ? memory.position
                              : whence == SEEK_END ? memory.bytes->size()
                                                   : std::uint64_t{0});
  return memory.position;
}

toff_t size_of_memory(thandle_t state) { return static_cast<Memory*>(state)->bytes->size(); }

int close_nothing(thandle_t /*state*/) { return 0; }

/// Keeps the first message, without throwing.
void keep(TiffWords& words, std::string& place, const char* format, std::va_list arguments) {
  if (!place.empty()) return;
  std::array<char, 300> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  try {
    place = text.data();
  } catch (const std::bad_alloc&) {
    words.thrown = std::current_exception();
  }
}

/// A number that no orientation has does not harm the pixels.
bool about_orientation(const char* format, std::va_list arguments) {
  std::array<char, 300> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  return std::strstr(text.data(), "Bad value") != nullptr &&
         std::strstr(text.data(), "\"Orientation\"") != nullptr;
}

int on_error(TIFF* /*handle*/, void* words, const char* /*where*/, const char* format,
             std::va_list arguments) {
  auto& kept = *static_cast<TiffWords*>(words);
  std::va_list again;
  va_copy(again, arguments);
  std::string* const place = about_orientation(format, again) ? &kept.orientation : &kept.error;
  va_end(again);
  keep(kept, *place, format, arguments);
  return 1;
}

int on_warning(TIFF* /*handle*/, void* words, const char* /*where*/, const char* format,
               std::va_list arguments) {
  auto& kept = *static_cast<TiffWords*>(words);
  const bool guess = std::strstr(format, "calculating from imagelength") != nullptr;
  keep(kept, guess ? kept.guess : kept.warning, format, arguments);
  return 1;
}

struct FreeOptions {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

/// libtiff does not survive a lack of memory everywhere: what its small blocks may come to is requested
/// first.
void check_for_memory() {
  constexpr std::size_t kSmallBlocks = 4 << 20;
  void* volatile const memory = std::malloc(kSmallBlocks);  // NOLINT: is not to be touched
  if (memory == nullptr) throw std::bad_alloc();
  std::free(memory);  // NOLINT
}

std::unique_ptr<TIFFOpenOptions, FreeOptions> make_options(TiffWords& words, std::int64_t most) {
  check_for_memory();
  std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &words);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, &words);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(most));
  return options;
}

}  // namespace

void TiffClose::operator()(tiff* handle) const { TIFFClose(handle); }

OpenTiff open_tiff(const Source& source, std::int64_t most) {
  OpenTiff open;
  const auto state = std::make_shared<Input>(Input{&source, open.words.get()});
  const auto options = make_options(*open.words, most);
  open.state = state;
  // h: only the header; m: no memory mapping; c: strips as the file has them.
  open.handle.reset(TIFFClientOpenExt("", "rhmc", state.get(), read_input, write_nothing, seek_input,
                                      close_nothing, size_of_input, nullptr, nullptr, options.get()));
  if (!open.handle) refuse_tiff(*open.words, source.path());
  return open;
}

OpenTiff open_tiff(std::vector<std::uint8_t>& out, const char* mode) {
  OpenTiff open;
  const auto state = std::make_shared<Memory>(Memory{&out, open.words.get()});
  const auto options = make_options(*open.words, 0);
  open.state = state;
  open.handle.reset(TIFFClientOpenExt("", mode, state.get(), read_memory, write_memory, seek_memory,
                                      close_nothing, size_of_memory, nullptr, nullptr, options.get()));
  throw_others(*open.words);
  if (!open.handle) throw std::logic_error("libtiff cannot write: " + open.words->error);
  return open;
}

void throw_others(const TiffWords& words) {
  if (words.thrown) std::rethrow_exception(words.thrown);
  // What a file requests beyond its limit has another message, which comes first.
  const std::string& first = words.error.empty() ? words.warning : words.error;
  for (const char* const lack : {"No space", "ut of memory", "ot enough memory", "nsufficient memory",
                                 "ailed to allocate", "annot allocate", "malloc(", "Insertion in"})
    if (first.find(lack) != std::string::npos) throw std::bad_alloc();
}

void refuse_tiff(const TiffWords& words, const std::filesystem::path& path) {
  throw_others(words);
  std::string why = !words.error.empty() ? words.error : !words.guess.empty() ? words.guess : words.warning;
  while (!why.empty() && (why.back() == '.' || why.back() == ' ')) why.pop_back();
  refuse(path, "is a damaged TIFF ({}); copy or download it again",
         why.empty() ? "libtiff gives no reason" : printable(why));
}

}  // namespace crema::files
