// SPDX-License-Identifier: Apache-2.0
// Read by libpng.
// libpng reports errors by longjmp. Everything that owns memory therefore lives in the caller of the function
// that calls setjmp, and no exception passes through libpng.
#include "files/png/codec.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include <png.h>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

struct Reader {
  std::span<const std::uint8_t> file;
  std::size_t position = 0;
  std::array<char, 128> message{};
  bool starved = false;  ///< memory was requested and there was none
  png_structp png = nullptr;
  png_infop info = nullptr;
  PngPixels pixels;
  std::vector<png_bytep> rows;

  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// libpng reports exhausted memory and a file that needs too much in the same way; this distinguishes them.
png_voidp on_malloc(png_structp png, png_alloc_size_t size) {
  png_voidp const memory = std::malloc(size);  // NOLINT: libpng is written in C
  if (memory == nullptr) static_cast<Reader*>(png_get_mem_ptr(png))->starved = true;
  return memory;
}

void on_free(png_structp /*png*/, png_voidp memory) { std::free(memory); }  // NOLINT: pairs with malloc

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
  auto* const state = static_cast<Reader*>(png_get_error_ptr(png));
  std::snprintf(state->message.data(), state->message.size(), "%s", text);
  png_longjmp(png, 1);
}

void on_warning(png_structp /*png*/, png_const_charp /*text*/) {}

void on_read(png_structp png, png_bytep out, png_size_t count) {
  auto* const reader = static_cast<Reader*>(png_get_io_ptr(png));
  if (reader->file.size() - reader->position < count) png_error(png, "it is cut short");
  std::memcpy(out, reader->file.data() + reader->position, count);
  reader->position += count;
}

/// Damage anywhere is an error; chunks that do not matter for a mask are not even unpacked.
void be_strict(png_structp png) {
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_benign_errors(png, 0);
  png_set_check_for_invalid_index(png, 0);  // is reported where the palette is known
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
}

/// Runs libpng up to the layout of the rows; false when it jumped out.
bool begin_reading(Reader& reader) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  be_strict(reader.png);
  png_set_read_fn(reader.png, &reader, on_read);
  png_read_info(reader.png, reader.info);
  png_set_packing(reader.png);
  const int colour = png_get_color_type(reader.png, reader.info);
  if (colour != PNG_COLOR_TYPE_PALETTE && png_get_valid(reader.png, reader.info, PNG_INFO_tRNS) != 0) {
    png_set_tRNS_to_alpha(reader.png);
  }
  if (std::endian::native == std::endian::little) png_set_swap(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return true;
}

bool finish_reading(Reader& reader) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_image(reader.png, reader.rows.data());
  png_read_end(reader.png, nullptr);
  return true;
}

void take_palette(Reader& reader) {
  png_colorp colours = nullptr;
  int count = 0;
  png_bytep alpha = nullptr;
  int alphas = 0;
  if (png_get_PLTE(reader.png, reader.info, &colours, &count) == 0) return;
  png_get_tRNS(reader.png, reader.info, &alpha, &alphas, nullptr);
  reader.pixels.palette = true;
  reader.pixels.colours = static_cast<std::size_t>(std::clamp(count, 0, 256));
  for (int i = 0; i < std::min(count, 256); ++i) {
    const std::uint8_t opacity = i < alphas && alpha != nullptr ? alpha[i] : std::uint8_t{255};
    reader.pixels.table[static_cast<std::size_t>(i)] = {colours[i].red, colours[i].green, colours[i].blue,
                                                        opacity};
  }
}

void lay_out(Reader& reader) {
  PngPixels& pixels = reader.pixels;
  pixels.width = png_get_image_width(reader.png, reader.info);
  pixels.height = png_get_image_height(reader.png, reader.info);
  pixels.channels = png_get_channels(reader.png, reader.info);
  pixels.sample_bytes = png_get_bit_depth(reader.png, reader.info) == 16 ? 2 : 1;
  const std::size_t row_bytes = png_get_rowbytes(reader.png, reader.info);
  if (row_bytes != pixels.width * pixels.channels * pixels.sample_bytes) {
    throw std::logic_error("libpng lays rows out in another way than requested");
  }
  if (png_get_color_type(reader.png, reader.info) == PNG_COLOR_TYPE_PALETTE) take_palette(reader);
  pixels.samples.resize(row_bytes * pixels.height);
  reader.rows.resize(pixels.height);
  for (std::size_t y = 0; y < pixels.height; ++y) reader.rows[y] = pixels.samples.data() + y * row_bytes;
}

}  // namespace

PngPixels decode_png(std::span<const std::uint8_t> file, const std::filesystem::path& path) {
  Reader reader;
  reader.file = file;
  reader.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning, &reader,
                                        on_malloc, on_free);
  if (reader.png == nullptr) throw std::bad_alloc();
  reader.info = png_create_info_struct(reader.png);
  if (reader.info == nullptr) throw std::bad_alloc();
  const auto check = [&](bool done) {
    if (!done && reader.starved) throw std::bad_alloc();
    if (!done) refuse(path, "is a damaged PNG ({}); copy or download it again", reader.message.data());
  };
  check(begin_reading(reader));
  lay_out(reader);
  check(finish_reading(reader));
  if (reader.position != file.size()) {
    refuse(path,
           "has {} bytes after the end of its PNG; it is damaged or two files in one: copy or save it again",
           file.size() - reader.position);
  }
  return std::move(reader.pixels);
}

}  // namespace crema::files
