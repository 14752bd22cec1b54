// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "files/io/sentence.h"
#include "files/png/codec.h"
#include "files/png/png.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

template <class T, class Level>
std::vector<std::uint8_t> samples_of(const Canvas<T>& voxels, Level level) {
  using Sample = decltype(level(T{}));
  std::vector<std::uint8_t> samples(voxels.size() * sizeof(Sample));
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Sample sample = level(voxels[i]);
    std::memcpy(&samples[i * sizeof(Sample)], &sample, sizeof(Sample));
  }
  return samples;
}

}  // namespace

Encoded png_encode(const fs::path& path, const Image& image, const Header& reference) {
  const auto width = static_cast<std::uint32_t>(reference.grid.size[0]);
  const auto height = static_cast<std::uint32_t>(reference.grid.size[1]);
  Encoded encoded;
  std::vector<PngText> marks;
  if (reference.consensus) marks.push_back({"Software", std::string(kConsensusMark)});
  if (const auto* hard = std::get_if<HardImage>(&image)) {
    const auto level = [](std::uint8_t voxel) { return static_cast<std::uint8_t>(voxel != 0 ? 255 : 0); };
    encoded.owned.push_back(encode_png(samples_of(*hard, level), width, height, 8, marks));
  } else if (const auto* labels = std::get_if<LabelImage>(&image)) {
    const bool narrow =
        std::all_of(labels->begin(), labels->end(), [](std::uint16_t label) { return label < 256; });
    const auto byte = [](std::uint16_t v) { return static_cast<std::uint8_t>(v); };
    const auto same = [](std::uint16_t v) { return v; };
    encoded.owned.push_back(narrow ? encode_png(samples_of(*labels, byte), width, height, 8, marks)
                                   : encode_png(samples_of(*labels, same), width, height, 16, marks));
  } else {
    const auto& soft = std::get<SoftImage>(image);
    const LevelCode code = LevelCode::fit(soft);
    const auto sample = [&](float voxel) { return code.sample(voxel); };
    marks.push_back({kLevelMark, std::to_string(code.scale())});
    encoded.owned.push_back(encode_png(samples_of(soft, sample), width, height, 16, marks));
    if (!std::all_of(soft.begin(), soft.end(), [&](float level) { return code.exact(level); }))
      encoded.warnings.push_back(
          {sentence(path, "PNG holds levels in steps of 1/{}; .nii.gz holds them exactly", code.scale()),
           WarningKind::output_format});
  }
  if (reference.positioned) {
    encoded.warnings.push_back({sentence(path, "PNG holds neither spacing nor position; .nii.gz holds both"),
                                WarningKind::output_format});
  }
  encoded.outputs = {{path, {encoded.owned.back()}}};
  return encoded;
}

}  // namespace crema::files
