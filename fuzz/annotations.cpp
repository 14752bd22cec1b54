// SPDX-License-Identifier: Apache-2.0
// The first byte says what the others are: JSON or XML of an annotation tool, or runs as tools pack them.
#include "annotations/formats/tool.h"
#include "annotations/shapes/outline.h"
#include "annotations/shapes/rle.h"
#include "fuzz/fuzz.h"

namespace {

using namespace crema::annotations;

constexpr std::int64_t kDrawn = 1 << 16;  // bytes of an object that is worth drawing here

void check_object(const Object& object, const Picture& picture) {
  const Extent image = picture.size;
  fuzz::promise(image.width > 0 && image.height > 0, "an object on a picture without pixels");
  fuzz::promise(inside(object.shape, image) != Inside::outside, "an object outside of its picture");
  if (patch_bytes(object.shape, image) > kDrawn) return;
  fuzz::expecting_errors([&] {
    const Patch patch = rasterise(object.shape, image);
    fuzz::promise(patch.left >= 0 && patch.top >= 0 && patch.left + patch.box.width <= image.width &&
                      patch.top + patch.box.height <= image.height,
                  "pixels beyond the picture");
    const Patch wanted = cropped(patch), again = cropped(rasterise(Polygons{outlines_of(wanted)}, image));
    fuzz::promise(again.pixels == wanted.pixels && again.left == wanted.left && again.top == wanted.top,
                  "an outline with other pixels");
  });
}

void read_file(const std::string& name, fuzz::Bytes bytes) {
  const auto path = fuzz::folder().put(name, bytes);
  fuzz::expecting_errors([&] {
    const Export read = read_exports({path}, fuzz::kMemory);
    for (const Annotator& who : read.dataset.annotators)
      for (const Object& one : who.objects) check_object(one, read.dataset.pictures.at(one.picture));
  });
}

/// Errors about runs alone name no file yet.
void read_runs(fuzz::Bytes bytes) {
  try {
    const auto counts = unpack_coco({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    fuzz::promise(unpack_coco(pack_coco(counts)) == counts, "counts that change when they are packed again");
  } catch (const crema::InputError&) {
  }
  try {
    const Runs runs = unpack_brush(bytes, {7, 5});
    check_sum(runs);
    fuzz::promise(unpack_brush(pack_brush(runs), {7, 5}).counts == runs.counts, "a brush that changes");
  } catch (const crema::InputError&) {
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const fuzz::Bytes rest{data + 1, size - 1};
  if (*data == 'x')
    read_file("x.xml", rest);
  else if (*data == 'r')
    read_runs(rest);
  else
    read_file("x.json", rest);
  return 0;
}
