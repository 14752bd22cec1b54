// SPDX-License-Identifier: Apache-2.0
// The bytes are an image, its geometry and a format; what is written is read back the same.
#include <array>
#include <cmath>

#include "files/format.h"
#include "fuzz/fuzz.h"

namespace {

using crema::files::Header;

constexpr std::array<const char*, 10> kEndings{".nii", ".nii.gz", ".hdr", ".nrrd",     ".nhdr",
                                               ".mha", ".mhd",    ".png", ".seg.nrrd", ".tif"};

/// A voxel's side in millimetres, and a place: what 32-bit floats, which NIfTI has, distinguish well enough.
double side(fuzz::Purse& purse) { return std::pow(4.0, (purse.byte() - 128) / 128.0); }
double place(fuzz::Purse& purse) { return (purse.byte() - 128) * side(purse); }

void turn(fuzz::Purse& purse, crema::Grid& grid) {
  const double angle = purse.byte() / 40.0, shear = purse.byte() / 1000.0;
  grid.direction = {std::cos(angle), -std::sin(angle), shear, std::sin(angle), std::cos(angle), 0, 0, 0, 1};
  if (purse.flip())
    std::swap(grid.direction[1], grid.direction[2]), std::swap(grid.direction[4], grid.direction[5]),
        std::swap(grid.direction[7], grid.direction[8]);
}

Header make_reference(fuzz::Purse& purse, const std::string& ending) {
  Header header;
  header.path = fuzz::folder().path() / ("reference" + ending);
  header.format = crema::files::row_by_ending(header.path)->format;
  const bool flat = header.format == crema::files::Format::png;
  header.positioned = !flat && header.format != crema::files::Format::tiff;
  header.grid.size = {purse.roll(1, 8), purse.roll(1, 8), flat ? 1 : purse.roll(1, 8)};
  for (double& spacing : header.grid.spacing) spacing = side(purse);
  for (double& x : header.grid.origin) x = place(purse);
  if (header.positioned) turn(purse, header.grid);
  return header;
}

crema::Image make_image(fuzz::Purse& purse, std::size_t voxels, bool soft) {
  if (soft) {
    crema::SoftImage image(voxels);
    for (float& level : image) level = static_cast<float>(purse.byte()) / 255.0F;
    return image;
  }
  crema::HardImage image(voxels);
  for (auto& voxel : image) voxel = purse.byte() & 1;
  return image;
}

void check_mask(const Header& back, const crema::HardImage& image) {
  const auto voxels = crema::files::read_mask(back).voxels;
  fuzz::promise(std::equal(voxels.begin(), voxels.end(), image.begin(), image.end()),
                "another mask was read");
}

void check_map(const Header& back, const crema::SoftImage& image, double off) {
  const auto levels = crema::files::read_map(back).levels;
  const auto same = [off](float a, float b) { return std::abs(a - b) <= off; };
  fuzz::promise(std::equal(levels.begin(), levels.end(), image.begin(), image.end(), same),
                "another map was read");
}

std::string text_of(const crema::Warnings& warnings) {
  std::string text;
  for (const crema::Warning& warning : warnings) text += warning.text();
  return text;
}

void clear_folder() {
  for (const auto& entry : std::filesystem::directory_iterator(fuzz::folder().path()))
    std::filesystem::remove(entry.path());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Purse purse({data, size});
  const std::string ending = kEndings[static_cast<std::size_t>(purse.roll(0, kEndings.size() - 1))];
  const bool soft = purse.flip() && ending != ".seg.nrrd";
  const Header reference = make_reference(purse, ending);
  const auto image = make_image(purse, static_cast<std::size_t>(reference.grid.voxels()), soft);
  clear_folder();
  const auto path = fuzz::folder().path() / ("image" + ending);
  crema::files::write_image(path, image, reference, {.overwrite = true});
  const Header back = crema::files::read_header(path);
  fuzz::promise(back.grid.size == reference.grid.size, "another size was read");
  if (reference.positioned) {
    const auto placement = crema::files::place(reference, back);
    fuzz::promise(placement.warnings.empty(),
                  "the image was read in another place: " + text_of(placement.warnings));
  }
  if (soft) {
    check_map(back, std::get<crema::SoftImage>(image), ending == ".png" ? 1.0 / 65535 : 0);
  } else {
    check_mask(back, std::get<crema::HardImage>(image));
  }
  return 0;
}
