// SPDX-License-Identifier: Apache-2.0
#include "figure/backdrop.h"

#include "files/format.h"
#include "raters/read/grey_image.h"

namespace crema::figure {

void lay_beneath(std::vector<plot::Panel>& panels, std::span<const float> image, const Grid& grid) {
  std::vector<float> all;
  for (const plot::Panel& panel : panels) {
    const plot::Plane<float> shown = plot::levels_of(image, grid, panel.view);
    all.insert(all.end(), shown.values.begin(), shown.values.end());
  }
  const raters::GreyScale scale(all);
  for (plot::Panel& panel : panels) {
    const plot::Plane<float> shown = plot::levels_of(image, grid, panel.view);
    SoftImage grey(shown.values.size());
    for (std::size_t i = 0; i < shown.values.size(); ++i)
      grey[i] = static_cast<float>(scale.shade(shown.values[i])) / 255;
    files::Header header;
    header.grid.size = {shown.width, shown.height, 1};
    const files::Encoded encoded = files::encode_image("backdrop.png", grey, header);
    const auto& bytes = encoded.owned.back();
    panel.backdrop.assign(bytes.begin(), bytes.end());
  }
}

}  // namespace crema::figure
