// SPDX-License-Identifier: Apache-2.0
// Reads one image with ITK and prints its size, how many voxels are inside, and a hash of which.
//   itk_reader FILE
// Leaves with 3 and the reason when ITK refuses. Inside is what lies above half of the largest absolute
// value.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include <itkImage.h>
#include <itkImageFileReader.h>
#include <itkMetaImageIOFactory.h>
#include <itkNiftiImageIOFactory.h>
#include <itkNrrdImageIOFactory.h>
#include <itkPNGImageIOFactory.h>
#include <itkTIFFImageIOFactory.h>
#include <itkVersion.h>

namespace {

using Image = itk::Image<double, 4>;

void print(const Image& image) {
  const auto size = image.GetLargestPossibleRegion().GetSize();
  const std::size_t count = image.GetLargestPossibleRegion().GetNumberOfPixels();
  const double* const voxels = image.GetBufferPointer();
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(voxels[i]));
  std::uint64_t hash = 0xcbf29ce484222325;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bit = std::abs(voxels[i]) > largest / 2 ? 1 : 0;
    inside += bit;
    hash = (hash ^ bit) * 0x100000001b3;
  }
  int dimensions = 4;
  while (dimensions > 1 && size[static_cast<unsigned>(dimensions - 1)] == 1) --dimensions;
  for (int i = 0; i < dimensions; ++i)
    std::printf("%s%llu", i == 0 ? "" : "x", static_cast<unsigned long long>(size[static_cast<unsigned>(i)]));
  std::printf(" %zu %016llx\n", inside, static_cast<unsigned long long>(hash));
}

void register_formats() {
  itk::NiftiImageIOFactory::RegisterOneFactory();
  itk::NrrdImageIOFactory::RegisterOneFactory();
  itk::MetaImageIOFactory::RegisterOneFactory();
  itk::PNGImageIOFactory::RegisterOneFactory();
  itk::TIFFImageIOFactory::RegisterOneFactory();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  if (arguments[1] == std::string("--version")) return std::puts(itk::Version::GetITKVersion()) < 0 ? 1 : 0;
  try {
    register_formats();
    auto reader = itk::ImageFileReader<Image>::New();
    reader->SetFileName(arguments[1]);
    reader->Update();
    print(*reader->GetOutput());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
