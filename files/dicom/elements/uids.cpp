// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "files/dicom/elements/tags.h"

namespace crema::files::dicom {

namespace {

struct Known {
  std::string_view uid, name;
};

constexpr std::array kKnown{
    Known{kImplicitLittle, "implicit little endian"},
    Known{kExplicitLittle, "explicit little endian"},
    Known{"1.2.840.10008.1.2.1.98", "encapsulated uncompressed"},
    Known{"1.2.840.10008.1.2.1.99", "deflated"},
    Known{"1.2.840.10008.1.2.2", "explicit big endian"},
    Known{"1.2.840.10008.1.2.4.50", "JPEG baseline"},
    Known{"1.2.840.10008.1.2.4.51", "JPEG extended"},
    Known{"1.2.840.10008.1.2.4.57", "JPEG lossless"},
    Known{"1.2.840.10008.1.2.4.70", "JPEG lossless"},
    Known{"1.2.840.10008.1.2.4.80", "JPEG-LS lossless"},
    Known{"1.2.840.10008.1.2.4.81", "JPEG-LS near-lossless"},
    Known{"1.2.840.10008.1.2.4.90", "JPEG 2000 lossless"},
    Known{"1.2.840.10008.1.2.4.91", "JPEG 2000"},
    Known{"1.2.840.10008.1.2.4.201", "high-throughput JPEG 2000 lossless"},
    Known{"1.2.840.10008.1.2.4.202", "high-throughput JPEG 2000 lossless"},
    Known{"1.2.840.10008.1.2.4.203", "high-throughput JPEG 2000"},
    Known{"1.2.840.10008.1.2.5", "RLE lossless"},
    Known{"1.2.840.10008.1.2.8.1", "deflated image frames"},
    Known{"1.2.840.10008.1.3.10", "a directory of media"},
    Known{"1.2.840.10008.5.1.4.1.1.1", "a computed radiograph"},
    Known{"1.2.840.10008.5.1.4.1.1.1.1", "a digital X-ray image"},
    Known{"1.2.840.10008.5.1.4.1.1.2", "a CT image"},
    Known{"1.2.840.10008.5.1.4.1.1.2.1", "an enhanced CT image"},
    Known{"1.2.840.10008.5.1.4.1.1.4", "an MR image"},
    Known{"1.2.840.10008.5.1.4.1.1.4.1", "an enhanced MR image"},
    Known{"1.2.840.10008.5.1.4.1.1.6.1", "an ultrasound image"},
    Known{"1.2.840.10008.5.1.4.1.1.7", "a secondary capture image"},
    Known{"1.2.840.10008.5.1.4.1.1.66.5", "a surface segmentation"},
    Known{"1.2.840.10008.5.1.4.1.1.77.1.6", "a whole slide image"},
    Known{"1.2.840.10008.5.1.4.1.1.128", "a PET image"},
    Known{"1.2.840.10008.5.1.4.1.1.130", "an enhanced PET image"},
    Known{"1.2.840.10008.5.1.4.1.1.88.33", "a structured report"},
    Known{"1.2.840.10008.5.1.4.1.1.88.34", "a structured report"},
    Known{"1.2.840.10008.5.1.4.1.1.481.2", "a dose distribution"},
    Known{"1.2.840.10008.5.1.4.1.1.481.3", "an RT structure set"},
};

}  // namespace

std::string_view name_of_uid(std::string_view uid) {
  const auto* const found =
      std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& known) { return known.uid == uid; });
  return found == kKnown.end() ? uid : found->name;
}

}  // namespace crema::files::dicom
