// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/colour.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "files/io/text_header.h"

namespace crema::files::dicom {

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<double, 9>;

/// White of D65. The standard means D50, but dcmqi, highdicom, Slicer and the viewers write and show D65, and
/// a colour should come back from them as it went in.
constexpr Triple kWhite{0.950456, 1.0, 1.088754};

/// From linear sRGB to XYZ (IEC 61966-2-1), and back.
constexpr Matrix kToXyz{0.412453, 0.357580, 0.180423, 0.212671, 0.715160,
                        0.072169, 0.019334, 0.119193, 0.950227};
constexpr Matrix kFromXyz{3.240479, -1.537150, -0.498535, -0.969256, 1.875992,
                          0.041556, 0.055648,  -0.204043, 1.057311};

Triple times(const Matrix& m, const Triple& v) {
  Triple result{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) result[r] += m[3 * r + c] * v[c];
  return result;
}

constexpr double kBend = 6.0 / 29;

double from_lightness(double t) { return t > kBend ? t * t * t : 3 * kBend * kBend * (t - 4.0 / 29); }
double to_lightness(double t) {
  return t > kBend * kBend * kBend ? std::cbrt(t) : t / (3 * kBend * kBend) + 4.0 / 29;
}

double encoded(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
double decoded(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

std::uint16_t stored(double value, double low, double range) {
  return static_cast<std::uint16_t>(std::lround(std::clamp((value - low) / range, 0.0, 1.0) * 65535));
}

}  // namespace

std::string rgb_text(std::span<const std::uint16_t> lab) {
  const double y = (lab[0] / 65535.0 * 100 + 16) / 116;
  const double x = y + (lab[1] / 65535.0 * 255 - 128) / 500, z = y - (lab[2] / 65535.0 * 255 - 128) / 200;
  Triple rgb = times(kFromXyz, {kWhite[0] * from_lightness(x), kWhite[1] * from_lightness(y),
                                kWhite[2] * from_lightness(z)});
  for (double& part : rgb) part = std::clamp(encoded(std::clamp(part, 0.0, 1.0)), 0.0, 1.0);
  return fmt::format("{:.6f} {:.6f} {:.6f}", rgb[0], rgb[1], rgb[2]);
}

std::array<std::uint16_t, 3> lab_of(const std::string& rgb) {
  const auto numbers = parse_reals(rgb);
  Triple linear{};
  linear.fill(decoded(0.5));
  const auto finite = [](double x) { return std::isfinite(x); };
  if (numbers && numbers->size() == 3 && std::all_of(numbers->begin(), numbers->end(), finite))
    for (std::size_t i = 0; i < 3; ++i) linear[i] = decoded(std::clamp((*numbers)[i], 0.0, 1.0));
  const Triple xyz = times(kToXyz, linear);
  Triple f{};
  for (std::size_t i = 0; i < 3; ++i) f[i] = to_lightness(xyz[i] / kWhite[i]);
  return {stored(116 * f[1] - 16, 0, 100), stored(500 * (f[0] - f[1]), -128, 255),
          stored(200 * (f[1] - f[2]), -128, 255)};
}

}  // namespace crema::files::dicom
