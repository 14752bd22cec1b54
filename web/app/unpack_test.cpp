// SPDX-License-Identifier: Apache-2.0
// What the page unpacks by itself against what the program unpacks with ISA-L, of streams by libdeflate: the
// same bytes, the same files refused, and the same sentences.
#include "web/app/unpack.h"

#include <optional>
#include <random>

#include <gtest/gtest.h>
#include <libdeflate.h>

#include "files/testing.h"

namespace crema::report {
namespace {

using files::Packing;
using files::testing::Bytes;
using files::testing::cut;
using files::testing::Folder;
using files::testing::joined;

struct Outcome {
  Bytes bytes;
  std::string reported;
};

template <class Reader>
Outcome read(const files::Source& source, const files::Section& section, std::size_t step) {
  Outcome outcome;
  try {
    Reader reader(source, section);
    for (Bytes piece(step); piece.size() == step;) {
      piece.resize(reader.read(piece));
      outcome.bytes.insert(outcome.bytes.end(), piece.begin(), piece.end());
    }
    outcome.reported = "zeros behind: " + std::to_string(reader.trailing_zeros());
  } catch (const InputError& error) {
    outcome = {{}, error.sentence.text()};
  }
  return outcome;
}

enum class Words : std::uint8_t { same, any };

/// Streams for both readers, all in one file, since there are thousands of them.
class Both {
 public:
  void add(const Bytes& stream, std::string what, Packing packing = Packing::gzip, Words words = Words::same,
           std::optional<Bytes> content = {}) {
    const auto from = std::ssize(all_);
    all_.insert(all_.end(), stream.begin(), stream.end());
    cases_.push_back({std::move(what), {from, std::ssize(all_), packing}, words, std::move(content)});
  }

  void expect_same() const {
    const Folder folder;
    const files::Source source(folder.put("a.gz", all_));
    for (const auto& [what, section, words, content] : cases_) {
      const Outcome ours = read<Unpack>(source, section, 1000);
      const Outcome theirs = read<files::Gunzip>(source, section, 70'000);
      const std::string reported = what + ": " + ours.reported + " | " + theirs.reported;
      EXPECT_TRUE(ours.bytes == theirs.bytes) << reported;
      EXPECT_TRUE(!content || ours.bytes == *content) << reported;
      const bool refused = !ours.reported.starts_with("zeros"), other = !theirs.reported.starts_with("zeros");
      EXPECT_EQ(refused, other) << reported;
      EXPECT_TRUE(ours.reported == theirs.reported || (refused && words == Words::any)) << reported;
    }
  }

 private:
  struct Case {
    std::string what;
    files::Section section;
    Words words;
    std::optional<Bytes> content;
  };
  Bytes all_;
  std::vector<Case> cases_;
};

/// Runs as masks have them, noise, or repeats from far back.
Bytes content(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    const bool fresh = i == 0 || random() % (seed % 3 == 0 ? 50 : 2) == 0;
    bytes[i] = !fresh                   ? bytes[i - 1]
               : seed % 3 == 1 && i > 0 ? bytes[i - 1 - random() % std::min<std::size_t>(i, 32'768)]
                                        : static_cast<std::uint8_t>(random());
  }
  return bytes;
}

Bytes packed(const Bytes& bytes, int level, Packing packing = Packing::gzip) {
  auto* const compressor = libdeflate_alloc_compressor(level);
  Bytes out(libdeflate_gzip_compress_bound(compressor, bytes.size()));
  const auto pack = packing == Packing::gzip   ? libdeflate_gzip_compress
                    : packing == Packing::zlib ? libdeflate_zlib_compress
                                               : libdeflate_deflate_compress;
  out.resize(pack(compressor, bytes.data(), bytes.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

constexpr std::array kPackings{Packing::gzip, Packing::zlib, Packing::deflate};

TEST(Unpack, GivesTheSameBytesAtAllLevels) {
  Both both;
  for (int level = 0; level <= 12; ++level)
    for (const std::size_t size : {0U, 1U, 300U, 110'000U})
      for (const Packing packing : kPackings) {
        const Bytes bytes = content(size, static_cast<unsigned>(level) + static_cast<unsigned>(size));
        const std::string what = std::to_string(size) + " bytes at level " + std::to_string(level);
        both.add(packed(bytes, level, packing), what, packing, Words::same, bytes);
      }
  both.expect_same();
}

TEST(Unpack, JoinsMembers) {
  Both both;
  for (unsigned seed = 1; seed < 40; ++seed) {
    Bytes all, file;
    for (unsigned k = 0; k <= seed % 6; ++k) {
      const Bytes part = content(seed * k * 97 % 3000, seed + k);
      all = joined({all, part});
      file = joined({file, k % 2 == 0 ? packed(part, 6) : files::testing::zipped(part)});
    }
    both.add(file, std::to_string(seed), Packing::gzip, Words::same, all);
    both.add(joined({file, {0x1F}}), "half a mark of a member");
    both.add(joined({file, {0x1F, 0x8B}}), "the mark of a member");
  }
  both.expect_same();
}

TEST(Unpack, TellsWhatIsCutShortAtEveryLength) {
  Both both;
  const Bytes part = content(700, 4);
  for (const Packing packing : kPackings)
    for (const int level : {0, 1, 9}) {
      const Bytes whole = packed(part, level, packing);
      for (std::size_t size = 1; size < whole.size(); ++size)
        both.add(cut(whole, size), "cut to " + std::to_string(size), packing);
    }
  const Bytes two = joined({packed(part, 6), packed(part, 6)});
  for (std::size_t size = two.size() / 2; size < two.size(); ++size)
    both.add(cut(two, size), "two members cut to " + std::to_string(size));
  both.expect_same();
}

/// A wrong bit may be reported in different ways: what matters is that it is reported.
TEST(Unpack, RefusesEveryFlippedBitThatTheProgramRefuses) {
  Both both;
  for (const Packing packing : kPackings)
    for (const int level : {0, 2, 12}) {
      const Bytes whole = packed(content(120, 3), level, packing);
      for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
        Bytes bad = whole;
        bad[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        const std::string what = "bit " + std::to_string(bit) + " at level " + std::to_string(level);
        // Without a checksum other data may come out, and both have to give the same ones.
        both.add(bad, what, packing, Words::any);
      }
    }
  both.expect_same();
}

TEST(Unpack, TakesZerosBehindAndNothingElse) {
  Both both;
  const Bytes part = content(500, 2);
  for (const Packing packing : kPackings) {
    const Bytes whole = packed(part, 6, packing);
    for (const std::size_t zeros : {1U, 7U, 8U, 9U, 65'536U, 65'537U})
      both.add(joined({whole, Bytes(zeros)}), std::to_string(zeros) + " zeros", packing);
    for (const std::size_t zeros : {0U, 1U, 7U, 8U, 300U})
      both.add(joined({whole, Bytes(zeros), {1}}), std::to_string(zeros) + " zeros and a one", packing);
  }
  both.expect_same();
}

/// Names, remarks and sums of their own that a header may have.
TEST(Unpack, ReadsEveryKindOfHeader) {
  Both both;
  const Bytes whole = packed(content(300, 1), 6);
  const Bytes rest(whole.begin() + 10, whole.end());
  for (unsigned flags = 0; flags < 256; ++flags) {
    Bytes header(whole.begin(), whole.begin() + 10);
    header[3] = static_cast<std::uint8_t>(flags);
    if ((flags & 4U) != 0) header = joined({header, {3, 0, 7, 0, 9}});
    if ((flags & 8U) != 0) header = joined({header, {'a', '.', 'n', 0}});
    if ((flags & 16U) != 0) header = joined({header, {'b', 0}});
    const std::uint32_t sum = libdeflate_crc32(0, header.data(), header.size());
    if ((flags & 2U) != 0)
      header = joined({header, {static_cast<std::uint8_t>(sum), static_cast<std::uint8_t>(sum >> 8)}});
    both.add(joined({header, rest}), "flags " + std::to_string(flags));
    header.back() ^= 1;
    both.add(joined({header, rest}), "another end, flags " + std::to_string(flags), Packing::gzip,
             Words::any);
  }
  both.expect_same();
}

}  // namespace
}  // namespace crema::report
