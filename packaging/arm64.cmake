# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler, arm64 libraries in the folder that ARM64_ROOT names, and qemu to run what was built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT $ENV{ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L $ENV{ARM64_ROOT})
# GCC's notes on how versions before 10.1 passed pairs are for who mixes them.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)
