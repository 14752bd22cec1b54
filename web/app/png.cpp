// SPDX-License-Identifier: Apache-2.0
#include "web/app/png.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "files/io/sentence.h"
#include "web/app/inflate.h"

namespace crema::report {
namespace {

using files::PngPixels;

using Bytes = std::span<const std::uint8_t>;

/// What is wrong, in a few words.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint32_t number_at(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
         std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

struct Chunk {
  std::string name;
  Bytes content;
};

/// What its chunks say.
struct Parts {
  Bytes header, palette, transparency;
  std::vector<std::uint8_t> packed;
  std::size_t end = 0;  ///< behind the last chunk
};

Chunk chunk_at(Bytes file, std::size_t at) {
  if (file.size() < at + 12 || file.size() - at - 12 < number_at(file, at)) throw Damaged{"it is cut short"};
  const std::size_t length = number_at(file, at);
  Chunk chunk{std::string(reinterpret_cast<const char*>(&file[at + 4]), 4), file.subspan(at + 8, length)};
  if (crc32(0, file.subspan(at + 4, length + 4)) != number_at(file, at + 8 + length))
    throw Damaged{chunk.name + ": CRC error"};
  return chunk;
}

void take_chunk(Parts& parts, const Chunk& chunk, bool& pixels_ended) {
  if (chunk.name == "IDAT") {
    if (pixels_ended) throw Damaged{"IDAT: out of place"};
    parts.packed.insert(parts.packed.end(), chunk.content.begin(), chunk.content.end());
    return;
  }
  pixels_ended = !parts.packed.empty();
  const bool before = parts.packed.empty();
  if (chunk.name == "IHDR" && parts.header.empty()) {
    parts.header = chunk.content;
  } else if (chunk.name == "PLTE" && parts.palette.empty() && before) {
    if (chunk.content.size() % 3 != 0 || chunk.content.size() > 768) throw Damaged{"PLTE: invalid"};
    parts.palette = chunk.content;
  } else if (chunk.name == "tRNS" && parts.transparency.empty() && before) {
    parts.transparency = chunk.content;
  } else if (chunk.name == "IHDR" || chunk.name == "PLTE") {
    throw Damaged{chunk.name + ": out of place"};
  } else if (chunk.name != "IEND" && (chunk.name[0] & 32) == 0) {
    throw Damaged{chunk.name + ": unhandled critical chunk"};
  }
}

Parts parts_of(Bytes file) {
  Parts parts;
  bool pixels_ended = false;
  for (std::size_t at = 8;;) {
    const Chunk chunk = chunk_at(file, at);
    take_chunk(parts, chunk, pixels_ended);
    at += 12 + chunk.content.size();
    parts.end = at;
    if (chunk.name == "IEND") break;
  }
  if (parts.packed.empty()) throw Damaged{"Missing IDAT"};
  return parts;
}

std::vector<std::uint8_t> inflated(Bytes packed, std::size_t size) {
  BitSource bits([&packed](std::span<std::uint8_t> out) {
    const std::size_t count = std::min(out.size(), packed.size());
    std::copy_n(packed.begin(), count, out.begin());
    packed = packed.subspan(count);
    return count;
  });
  try {
    const std::uint32_t method = bits.take(8), flags = bits.take(8);
    if ((method & 15U) != 8 || (method << 8 | flags) % 31 != 0 || (flags & 32U) != 0)
      throw Damaged{"IDAT: incorrect header check"};
    Inflater inflater(bits);
    inflater.begin();
    std::vector<std::uint8_t> raw(size + 1);
    const std::size_t got = inflater.read(raw);
    if (got < size) throw Damaged{"Not enough image data"};
    if (got > size) throw Damaged{"IDAT: Too much image data"};
    raw.pop_back();
    bits.align();
    std::uint32_t stated = 0;
    for (int i = 0; i < 4; ++i) stated = stated << 8 | bits.take(8);
    if (stated != adler32(1, raw)) throw Damaged{"IDAT: incorrect data check"};
    if (bits.has(8)) throw Damaged{"IDAT: Extra compressed data"};
    return raw;
  } catch (const InflateError& error) {
    throw Damaged{error.fault == InflateFault::cut_short ? "Not enough image data" : "IDAT: invalid data"};
  }
}

/// How pixels lie in the rows.
struct Form {
  std::size_t width = 0, height = 0, bits = 8, channels = 1;
  bool interlaced = false;
  int colour = 0;

  [[nodiscard]] std::size_t row_bytes(std::size_t columns) const {
    return (columns * bits * channels + 7) / 8;
  }
  [[nodiscard]] std::size_t pixel_bytes() const { return std::max<std::size_t>(bits * channels / 8, 1); }
};

Form form_of(Bytes header) {
  if (header.size() != 13) throw Damaged{"IHDR: invalid"};
  if (header[10] != 0 || header[11] != 0 || header[12] > 1) throw Damaged{"Invalid IHDR data"};
  constexpr std::array<std::size_t, 7> channels{1, 0, 3, 1, 2, 0, 4};
  if (header[9] > 6 || channels[header[9]] == 0) throw Damaged{"Invalid IHDR data"};
  return {number_at(header, 0), number_at(header, 4), header[8],
          channels[header[9]],  header[12] == 1,      header[9]};
}

/// Every so many pixels from some place on; without interlacing there is one pass over all.
struct Pass {
  std::size_t x, y, dx, dy;

  [[nodiscard]] std::size_t columns(const Form& form) const {
    return form.width > x ? (form.width - x + dx - 1) / dx : 0;
  }
  [[nodiscard]] std::size_t rows(const Form& form) const {
    return form.height > y ? (form.height - y + dy - 1) / dy : 0;
  }
};

std::vector<Pass> passes_of(const Form& form) {
  if (!form.interlaced) return {{0, 0, 1, 1}};
  return {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
}

std::uint8_t paeth(int left, int up, int corner) {
  const int a = std::abs(up - corner), b = std::abs(left - corner), c = std::abs(left + up - 2 * corner);
  return static_cast<std::uint8_t>(a <= b && a <= c ? left : b <= c ? up : corner);
}

/// Undoes the filter of a row; `above` may be empty.
void restore(int filter, std::span<std::uint8_t> row, Bytes above, std::size_t step) {
  if (filter > 4) throw Damaged{"bad adaptive filter value"};
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int left = i >= step ? row[i - step] : 0, up = above.empty() ? 0 : above[i];
    const int corner = i >= step && !above.empty() ? above[i - step] : 0;
    const int guess = filter == 0   ? 0
                      : filter == 1 ? left
                      : filter == 2 ? up
                      : filter == 3 ? (left + up) / 2
                                    : paeth(left, up, corner);
    row[i] = static_cast<std::uint8_t>(row[i] + guess);
  }
}

std::uint16_t sample_of(Bytes row, std::size_t index, std::size_t bits) {
  if (bits == 16) return static_cast<std::uint16_t>(row[2 * index] << 8 | row[2 * index + 1]);
  if (bits == 8) return row[index];
  const std::size_t at = index * bits;
  return static_cast<std::uint16_t>(row[at / 8] >> (8 - bits - at % 8) & ((1U << bits) - 1));
}

/// Samples as they are stored, and one more channel where a colour stands for "nothing here".
class Picture {
 public:
  Picture(const Form& form, Bytes transparency) : form_(form) {
    const bool key = form.colour == 0 || form.colour == 2;
    if (key && !transparency.empty()) {
      if (transparency.size() != 2 * form.channels) throw Damaged{"tRNS: invalid"};
      for (std::size_t c = 0; c < form.channels; ++c)
        key_.push_back(static_cast<std::uint16_t>(transparency[2 * c] << 8 | transparency[2 * c + 1]));
    }
    pixels_.width = form.width;
    pixels_.height = form.height;
    pixels_.channels = form.channels + (key_.empty() ? 0 : 1);
    pixels_.sample_bytes = form.bits == 16 ? 2 : 1;
    pixels_.samples.resize(form.width * form.height * pixels_.channels * pixels_.sample_bytes);
  }

  void take(Bytes row, std::size_t columns, const Pass& pass, std::size_t y) {
    for (std::size_t i = 0; i < columns; ++i) {
      std::size_t to = (y * form_.width + pass.x + i * pass.dx) * pixels_.channels;
      bool clear = !key_.empty();
      for (std::size_t c = 0; c < form_.channels; ++c) {
        const std::uint16_t sample = sample_of(row, i * form_.channels + c, form_.bits);
        clear = clear && sample == key_[c];
        put(to++, key_.empty() || form_.bits >= 8 ? sample : sample * 255U / ((1U << form_.bits) - 1));
      }
      if (!key_.empty()) put(to, clear ? 0 : form_.bits == 16 ? 0xffffU : 0xffU);
    }
  }

  [[nodiscard]] PngPixels& pixels() { return pixels_; }

 private:
  void put(std::size_t place, std::uint32_t sample) {
    const auto wide = static_cast<std::uint16_t>(sample);
    if (pixels_.sample_bytes == 2)
      std::memcpy(&pixels_.samples[2 * place], &wide, 2);
    else
      pixels_.samples[place] = static_cast<std::uint8_t>(sample);
  }

  Form form_;
  std::vector<std::uint16_t> key_;
  PngPixels pixels_;
};

void take_palette(PngPixels& pixels, const Parts& parts) {
  pixels.palette = true;
  pixels.colours = parts.palette.size() / 3;
  for (std::size_t i = 0; i < pixels.colours; ++i)
    pixels.table[i] = {parts.palette[3 * i], parts.palette[3 * i + 1], parts.palette[3 * i + 2],
                       i < parts.transparency.size() ? parts.transparency[i] : std::uint8_t{255}};
}

PngPixels pixels_of(const Parts& parts) {
  const Form form = form_of(parts.header);
  if (form.colour == 3 && parts.palette.empty()) throw Damaged{"Missing PLTE before IDAT"};
  std::size_t size = 0;
  for (const Pass& pass : passes_of(form))
    if (pass.columns(form) > 0) size += pass.rows(form) * (1 + form.row_bytes(pass.columns(form)));
  std::vector<std::uint8_t> raw = inflated(parts.packed, size);
  Picture picture(form, parts.transparency);
  std::size_t at = 0;
  for (const Pass& pass : passes_of(form)) {
    const std::size_t columns = pass.columns(form), bytes = form.row_bytes(columns);
    if (columns == 0) continue;
    Bytes above;
    for (std::size_t y = 0; y < pass.rows(form); ++y, at += 1 + bytes) {
      const std::span row = std::span(raw).subspan(at + 1, bytes);
      restore(raw[at], row, above, form.pixel_bytes());
      picture.take(row, columns, pass, pass.y + y * pass.dy);
      above = row;
    }
  }
  if (form.colour == 3) take_palette(picture.pixels(), parts);
  return std::move(picture.pixels());
}

}  // namespace

files::PngPixels unpack_png(Bytes file, const std::filesystem::path& path) {
  try {
    const Parts parts = parts_of(file);
    PngPixels pixels = pixels_of(parts);
    if (parts.end != file.size())
      files::refuse(
          path,
          "has {} bytes after the end of its PNG; it is damaged or two files in one: copy or save it again",
          file.size() - parts.end);
    return pixels;
  } catch (const Damaged& damage) {
    files::refuse(path, "is a damaged PNG ({}); copy or download it again", damage.what());
  }
}

}  // namespace crema::report
