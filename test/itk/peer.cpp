// SPDX-License-Identifier: Apache-2.0
#include "test/itk/peer.h"

#include <itkCastImageFilter.h>
#include <itkImage.h>
#include <itkImageFileReader.h>
#include <itkImageFileWriter.h>
#include <itkLabelVotingImageFilter.h>
#include <itkNiftiImageIO.h>
#include <itkSTAPLEImageFilter.h>

namespace crema::itk_peer {
namespace {

using MaskImage = itk::Image<std::uint8_t, 3>;
using MapImage = itk::Image<double, 3>;
using MaskImages = std::vector<MaskImage::Pointer>;

MaskImage::Pointer read_one(const std::filesystem::path& path) {
  const auto reader = itk::ImageFileReader<MaskImage>::New();
  reader->SetImageIO(itk::NiftiImageIO::New());
  reader->SetFileName(path.string());
  reader->Update();
  return reader->GetOutput();
}

template <class Pixel>
std::span<const Pixel> voxels_of(itk::Image<Pixel, 3>& image) {
  return {image.GetBufferPointer(), image.GetBufferedRegion().GetNumberOfPixels()};
}

template <class ImageType>
void write_image(const ImageType* image, const std::filesystem::path& path) {
  const auto writer = itk::ImageFileWriter<ImageType>::New();
  writer->SetImageIO(itk::NiftiImageIO::New());
  writer->SetUseCompression(path.extension() == ".gz");
  writer->SetFileName(path.string());
  writer->SetInput(image);
  writer->Update();
}

template <class Filter>
void set_inputs(Filter& filter, const Masks& masks) {
  unsigned k = 0;
  for (const auto& image : *static_cast<const MaskImages*>(masks.native.get())) filter.SetInput(k++, image);
}

}  // namespace

Masks read(const std::vector<std::filesystem::path>& paths) {
  const auto images = std::make_shared<MaskImages>();
  Masks masks{.native = images, .voxels = {}, .size = {}, .spacing = {}};
  for (const auto& path : paths) {
    images->push_back(read_one(path));
    masks.voxels.push_back(voxels_of(*images->back()));
  }
  for (unsigned a = 0; a < 3; ++a) {
    masks.size[a] = static_cast<std::int32_t>(images->front()->GetBufferedRegion().GetSize(a));
    masks.spacing[a] = images->front()->GetSpacing()[a];
  }
  return masks;
}

Staple staple(const Masks& masks) {
  const auto filter = itk::STAPLEImageFilter<MaskImage, MapImage>::New();
  filter->SetForegroundValue(1);
  set_inputs(*filter, masks);
  filter->Update();
  const auto map = std::make_shared<MapImage::Pointer>(filter->GetOutput());
  return {map, voxels_of(**map), filter->GetSensitivity(), filter->GetSpecificity(),
          filter->GetElapsedIterations()};
}

Voting vote(const Masks& masks) {
  const auto filter = itk::LabelVotingImageFilter<MaskImage, MaskImage>::New();
  filter->SetLabelForUndecidedPixels(2);
  set_inputs(*filter, masks);
  filter->Update();
  const auto mask = std::make_shared<MaskImage::Pointer>(filter->GetOutput());
  return {mask, voxels_of(**mask)};
}

void write(const Voting& voting, const std::filesystem::path& path) {
  write_image(static_cast<const MaskImage::Pointer*>(voting.native.get())->GetPointer(), path);
}

void write(const Staple& staple, const std::filesystem::path& path, Precision precision) {
  MapImage* const map = *static_cast<const MapImage::Pointer*>(staple.native.get());
  if (precision == Precision::float64) return write_image(map, path);
  const auto cast = itk::CastImageFilter<MapImage, itk::Image<float, 3>>::New();
  cast->SetInput(map);
  cast->Update();
  write_image(cast->GetOutput(), path);
}

}  // namespace crema::itk_peer
