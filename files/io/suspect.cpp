// SPDX-License-Identifier: Apache-2.0
#include "files/io/suspect.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;

struct Sign {
  std::size_t offset;
  std::string_view bytes;
  std::string_view what;
};

constexpr std::string_view kConvert = "; convert it to NIfTI or PNG";
constexpr std::string_view kUnpack = "; unpack it first";

constexpr std::array kSigns{
    Sign{0, "version https://git-lfs"sv, "a git-LFS pointer, not the content; fetch it with 'git lfs pull'"},
    Sign{0, "/annex/objects/"sv, "a git-annex pointer, not the content; fetch it with 'git annex get'"},
    Sign{0, "../.git/annex/"sv, "a git-annex pointer, not the content; fetch it with 'git annex get'"},
    Sign{0, ".git/annex/"sv, "a git-annex pointer, not the content; fetch it with 'git annex get'"},
    Sign{0, "\xFF\xD8\xFF"sv,
         "a JPEG image, which blurs the edges of a mask; export it as PNG or NIfTI (a photograph beneath "
         "masks as grey PNG)"},
    Sign{0, "GIF8"sv, "a GIF image"},
    Sign{0, "BM"sv, "a BMP image"},
    Sign{0, "II*\0"sv, "a TIFF image"},
    Sign{0, "MM\0*"sv, "a TIFF image"},
    Sign{0, "II+\0"sv, "a TIFF image"},
    Sign{8, "WEBP"sv, "a WebP image"},
    Sign{4, "ftypavif"sv, "an AVIF image"},
    Sign{4, "ftyphei"sv, "a HEIC image"},
    Sign{0, "\0\0\0\x0CjP  "sv, "a JPEG 2000 image"},
    Sign{0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 or MINC file"},
    Sign{0, "CDF\x01"sv, "a NetCDF or MINC file"},
    Sign{0, "MATLAB 5.0"sv, "a MATLAB file"},
    Sign{0, "\x93NUMPY"sv, "a NumPy array"},
    Sign{0, "mrtrix image"sv, "an MRtrix image"},
    Sign{0, "%PDF"sv, "a PDF"},
    Sign{0, "PK\x03\x04"sv, "a ZIP archive"},
    Sign{0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive"},
    Sign{0, "BZh"sv, "a bzip2 file"},
    Sign{0, "\xFD\x37zXZ"sv, "an xz file"},
    Sign{0, "\x28\xB5\x2F\xFD"sv, "a Zstandard file"},
    Sign{0, "\x1F\x8B"sv, "a gzip file inside a gzip file"},
    Sign{257, "ustar"sv, "a tar archive"},
};

bool matches(std::string_view start, const Sign& sign) {
  return start.size() >= sign.offset + sign.bytes.size() &&
         start.substr(sign.offset, sign.bytes.size()) == sign.bytes;
}

bool is_packed(std::string_view what) {
  return what.ends_with("archive") || what.ends_with("2 file") || what.ends_with("xz file") ||
         what.ends_with("gzip file") || what.ends_with("Zstandard file");
}

/// A page a server sent in place of the file, white space and byte order mark aside.
bool is_markup(std::string_view start) {
  const std::size_t at = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (at == std::string_view::npos) return false;
  std::string head(start.substr(at, 14));
  for (char& c : head) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return head.starts_with("<!doctype") || head.starts_with("<html") || head.starts_with("<head") ||
         head.starts_with("<?xml") || head.starts_with("<body");
}

}  // namespace

bool is_bare_dicom(std::span<const std::uint8_t> start) {
  if (start.size() < 8 || (start[0] != 2 && start[0] != 8) || start[1] != 0 || start[3] != 0) return false;
  constexpr std::array kinds{"CS"sv, "UL"sv, "UI"sv, "OB"sv, "DA"sv, "TM"sv};
  const std::string_view kind(reinterpret_cast<const char*>(start.data()) + 4, 2);
  if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return true;
  // Implicit: one of the first elements there are, and how long it is.
  const bool first = start[2] == 0 || start[2] == 5 || start[2] == 8 || start[2] == 0x16;
  const int length = start[4];
  return first && length > 0 && length <= 64 && length % 2 == 0 && start[5] == 0 && start[6] == 0 &&
         start[7] == 0;
}

void refuse_suspect(std::span<const std::uint8_t> bytes, const std::filesystem::path& path) {
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_markup(start)) {
    refuse(path,
           "is a web page (HTML), not an image: probably an error message of a server; download it again");
  }
  if (is_bare_dicom(bytes))
    refuse(path, "is a DICOM file without its preamble; write it again with 'dcmconv'");
  const auto* const sign =
      std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& s) { return matches(start, s); });
  if (sign == kSigns.end()) return;
  const bool advised = sign->what.find(';') != std::string_view::npos;
  refuse(path, "is {}{}", sign->what, advised ? ""sv : is_packed(sign->what) ? kUnpack : kConvert);
}

}  // namespace crema::files
