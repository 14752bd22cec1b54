// SPDX-License-Identifier: Apache-2.0
// A compressed mask of 79 MB, read and written, against bare libraries on the same bytes in the same run.
// Goal: at most 1.5 times libdeflate's inflate, and 1.5 times ISA-L's deflate. Answers are compared before
// anything is timed.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include "files/files.h"
#include "files/nifti/nifti.h"

namespace {

using namespace crema;
using namespace crema::files;
namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::int32_t, 3> kSize{512, 512, 300};

/// Three balls with a rough skin, so that runs are as long as a rater's.
HardImage draw() {
  HardImage mask(static_cast<std::size_t>(kSize[0]) * kSize[1] * kSize[2]);
  std::size_t i = 0;
  for (int z = 0; z < kSize[2]; ++z) {
    for (int y = 0; y < kSize[1]; ++y) {
      for (int x = 0; x < kSize[0]; ++x, ++i) {
        const int skin = (x * 31 + y * 17 + z * 7) % 11;
        for (const auto& [cx, cy, cz, r] :
             {std::array{150, 150, 90, 70}, {350, 300, 200, 90}, {250, 420, 100, 30}}) {
          const int dx = x - cx, dy = y - cy, dz = z - cz;
          if (dx * dx + dy * dy + dz * dz < (r + skin) * (r + skin)) mask[i] = 1;
        }
      }
    }
  }
  return mask;
}

struct Case {
  fs::path folder, path;
  HardImage mask = draw();
  Header header;
  Bytes packed, plain;

  Case() {
    std::string name = (fs::temp_directory_path() / "crema-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
    path = folder / "mask.nii.gz";
    header.grid.size = kSize;
    header.format = Format::png;  // nothing to copy: the geometry is made from the grid
    write_image(path, mask, header);
    header = read_header(path);
    std::ifstream file(path, std::ios::binary);
    packed.assign(std::istreambuf_iterator<char>(file), {});
    plain.resize(mask.size() + 352);
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;
  ~Case() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

Case& shared_case() {
  static Case sample;
  return sample;
}

std::size_t bare_inflate(const Bytes& packed, std::span<std::uint8_t> plain) {
  auto* const decompressor = libdeflate_alloc_decompressor();
  std::size_t got = 0;
  libdeflate_gzip_decompress(decompressor, packed.data(), packed.size(), plain.data(), plain.size(), &got);
  libdeflate_free_decompressor(decompressor);
  return got;
}

/// Into memory that is there already.
std::size_t bare_deflate(const Bytes& plain, Bytes& out) {
  Bytes level(ISAL_DEF_LVL1_DEFAULT);
  isal_zstream stream{};
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = level.data();
  stream.level_buf_size = static_cast<std::uint32_t>(level.size());
  stream.end_of_stream = 1;
  stream.next_in = const_cast<std::uint8_t*>(plain.data());
  stream.avail_in = static_cast<std::uint32_t>(plain.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  if (isal_deflate(&stream) != COMP_OK || stream.avail_in != 0) throw std::logic_error("bare deflate failed");
  return stream.total_out;
}

void compare_answers() {
  Case& sample = shared_case();
  const bool read = read_mask(read_header(sample.path)).voxels == sample.mask;
  const bool inflated = bare_inflate(sample.packed, sample.plain) == sample.plain.size();
  const bool same =
      inflated && std::equal(sample.mask.begin(), sample.mask.end(), sample.plain.begin() + 352);
  Bytes again(sample.plain.size()), packed(sample.plain.size() / 2);
  packed.resize(bare_deflate(sample.plain, packed));
  const bool deflated = bare_inflate(packed, again) == again.size() && again == sample.plain;
  if (read && same && deflated) return;
  std::fprintf(stderr, "files_bench: the answers differ; nothing is timed\n");
  std::exit(1);
}

void read_crema(benchmark::State& state) {
  while (state.KeepRunning())
    benchmark::DoNotOptimize(read_mask(read_header(shared_case().path)).voxels.data());
}

void read_bare_libdeflate(benchmark::State& state) {
  while (state.KeepRunning()) {
    const std::size_t size = shared_case().plain.size();
    const std::unique_ptr<std::uint8_t[]> plain(new std::uint8_t[size]);  // fresh, as a reader's is
    benchmark::DoNotOptimize(bare_inflate(shared_case().packed, {plain.get(), size}));
  }
}

void encode_crema(benchmark::State& state) {
  const Image image = shared_case().mask;
  while (state.KeepRunning())
    benchmark::DoNotOptimize(nifti_encode("mask.nii.gz", image, shared_case().header).owned.data());
}

void write_crema(benchmark::State& state) {
  const Image image = shared_case().mask;
  while (state.KeepRunning())
    write_image(shared_case().folder / "out.nii.gz", image, shared_case().header, {.overwrite = true});
}

void write_bare_isal(benchmark::State& state) {
  Bytes out(shared_case().plain.size() / 2);
  while (state.KeepRunning()) benchmark::DoNotOptimize(bare_deflate(shared_case().plain, out));
}

BENCHMARK(read_bare_libdeflate)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_crema)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(write_bare_isal)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(encode_crema)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(write_crema)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  compare_answers();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
