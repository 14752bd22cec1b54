# SPDX-License-Identifier: Apache-2.0
# A formula for Homebrew on Linux. It was NOT RUN HERE: no Homebrew was at hand, and no macOS was tried. `url` and
# `sha256` are to be filled in from the SHA256SUMS of scripts/release.
class Crema < Formula
  desc "Consensus of raters' masks"
  homepage "https://example.org/crema"
  url "https://example.org/crema-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "fmt"
  depends_on "isa-l"
  depends_on "libdeflate"
  depends_on "libpng"
  depends_on "librsvg"
  depends_on "libtiff"
  depends_on :linux
  depends_on "nettle"
  depends_on "tbb"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"crema", "demo", "-o", "raters", "--raters", "3"
    system bin/"crema", "fuse", *Dir["raters/rater-*.nii.gz"], "-o", "consensus.nii.gz"
    assert_predicate testpath/"consensus.nii.gz", :exist?
  end
end
