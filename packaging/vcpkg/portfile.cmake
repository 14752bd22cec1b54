# SPDX-License-Identifier: Apache-2.0
# The library alone, as a port for vcpkg. It was NOT RUN HERE: no vcpkg was at hand. URL and SHA512 are to be filled in
# from the tarball of scripts/release.
vcpkg_download_distfile(archive
  URLS "https://example.org/crema-${VERSION}.tar.gz"
  FILENAME "crema-${VERSION}.tar.gz"
  SHA512 0)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS -DCREMA_PROGRAM=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME crema CONFIG_PATH lib/cmake/crema)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
