# SPDX-License-Identifier: Apache-2.0
# Roles go by suffix: x.cpp is library, x_test.cpp a test, x_bench.cpp a benchmark.

add_library(crema_flags INTERFACE)
target_compile_options(crema_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers
  # Fused multiply-add would make results depend on the instruction set.
  -ffp-contract=off
  # GCC 12 warns of overlaps in "x" + std::string that cannot be.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${CREMA_WERROR}>:-Werror>)
if(CREMA_SANITIZE)
  add_compile_options(-fsanitize=${CREMA_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${CREMA_SANITIZE})
endif()

# What talks to people, draws or gathers waits for the rest: small is better than fast, in wheels above all.
set(CREMA_SMALL $<$<CONFIG:Release>:-Os>)

# What most sources include takes longer to read than they themselves. Whoever compiles them all reads it once, or once
# for each of two ways of compiling, SMALL and not, as what is precompiled holds for one. Forgotten includes are found
# where clang-tidy reads each source, which has nothing precompiled.
set(CREMA_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set>
    <span> <string> <string_view> <utility> <vector> <fmt/format.h>)
function(crema_precompile name)
  if(NOT CREMA_PRECOMPILE)
    return()
  endif()
  set(kit crema_headers)
  set(how $<$<CONFIG:Release>:-O3>)
  if("SMALL" IN_LIST ARGN AND NOT CREMA_SANITIZE)
    set(kit crema_headers_small)
    set(how ${CREMA_SMALL})
  endif()
  if(NOT TARGET ${kit})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cpp CONTENT "")
    add_library(${kit} OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
    target_link_libraries(${kit} PRIVATE crema_flags fmt::fmt)
    target_compile_options(${kit} PRIVATE ${how} ${CREMA_PRECOMPILED_FOR_CCACHE})
    target_precompile_headers(${kit} PRIVATE ${CREMA_COMMON_HEADERS})
  endif()
  target_precompile_headers(${name} REUSE_FROM ${kit})
  target_compile_options(${name} PRIVATE ${CREMA_PRECOMPILED_FOR_CCACHE})
endfunction()

# What the program and the extension have in common. Sources whose name matches one of the patterns behind SMALL are
# compiled for size. What is INSTALLED is of the kind that BUILD_SHARED_LIBS asks for.
function(crema_part name)
  cmake_parse_arguments(arg "INSTALLED" "" "SOURCES;SMALL" ${ARGN})
  list(JOIN arg_SMALL "|" pattern)
  set(small ${arg_SOURCES})
  list(FILTER small INCLUDE REGEX "${pattern}")
  list(REMOVE_ITEM arg_SOURCES ${small})
  # A part of its own, as what is precompiled holds for one way of compiling.
  add_library(${name}_small OBJECT ${small})
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS)
    set_property(TARGET ${name}_small PROPERTY ${property} $<TARGET_PROPERTY:${name},${property}>)
  endforeach()
  target_compile_options(${name}_small PRIVATE ${CREMA_SMALL})
  set(kind STATIC)
  if(CREMA_SHARED_PARTS)
    set(kind SHARED)
  elseif(arg_INSTALLED)
    set(kind "")
  endif()
  add_library(${name} ${kind} ${arg_SOURCES} $<TARGET_OBJECTS:${name}_small>)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  crema_precompile(${name})
  crema_precompile(${name}_small SMALL)
  if(CREMA_SHARED_PARTS)
    # Compiled word for word as the other way, so that ccache has it.
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
    target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  endif()
endfunction()

# A room that waits for the rest.
function(crema_small_part name)
  add_library(${name} STATIC ${ARGN})
  target_compile_options(${name} PRIVATE ${CREMA_SMALL})
  crema_precompile(${name} SMALL)
endfunction()

# Where ccache is installed, what was compiled before, in this folder or another, is not compiled again.
find_program(CREMA_CCACHE ccache)
# It wants to be told that precompiled headers and __TIME__ are no reason to keep away, nor another build folder.
set(CREMA_WITH_CCACHE ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
if(CREMA_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CREMA_WITH_CCACHE} ${CREMA_CCACHE})
endif()
set(CREMA_PRECOMPILED_FOR_CCACHE
    $<$<AND:$<BOOL:${CREMA_PRECOMPILE}>,$<BOOL:${CREMA_CCACHE}>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)

# Sources of one folder tree, split by role into <prefix>_library, _test, _bench.
function(crema_sources prefix)
  file(GLOB_RECURSE all CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(benches ${all})
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  set(library ${all})
  list(FILTER library EXCLUDE REGEX "_(test|bench)\\.cpp$")
  set(${prefix}_library ${library} PARENT_SCOPE)
  set(${prefix}_test ${tests} PARENT_SCOPE)
  set(${prefix}_bench ${benches} PARENT_SCOPE)
endfunction()

# What every test program is made of. Its headers take longer to read than the tests.
function(crema_test_kit)
  add_library(crema_test_kit STATIC ${PROJECT_SOURCE_DIR}/test/kit.cpp)
  # As the programs are compiled: a precompiled header has to be of the same kind.
  set_target_properties(crema_test_kit PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(crema_test_kit PRIVATE -fPIE)
  target_include_directories(crema_test_kit PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(crema_test_kit PUBLIC GTest::gtest_main rapidcheck fmt::fmt NLopt::nlopt PRIVATE crema_flags)
  crema_optimise_tests(crema_test_kit)
  if(CREMA_PRECOMPILE)
    target_precompile_headers(crema_test_kit PRIVATE <algorithm> <cmath> <filesystem> <fstream> <functional> <map>
      <numeric> <optional> <random> <set> <span> <sstream> <string> <vector> <fmt/format.h> <gtest/gtest.h>
      <rapidcheck.h> <rapidcheck/gtest.h>)
  endif()
endfunction()

# What is under test is optimised and looked at in full; the templates of GoogleTest and RapidCheck need neither, and
# would take a third longer.
function(crema_optimise_tests name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>
    # GCC 12 sees bounds overrun in strings whose length it has guessed.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds>
    ${CREMA_PRECOMPILED_FOR_CCACHE})
  if(CREMA_SANITIZE MATCHES undefined)
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

# A test program from the *_test.cpp of a folder, which ctest runs in SHARDS parts. What has no threads of its own is
# nothing for the thread sanitizer. What tests make of the templates of GoogleTest and RapidCheck is made once for several
# files, which takes a third of the time; names in unnamed namespaces must differ then.
function(crema_test_program name)
  cmake_parse_arguments(arg "NO_THREADS" "SHARDS" "SOURCES;LINK" ${ARGN})
  if(NOT CREMA_TESTS OR NOT arg_SOURCES OR (arg_NO_THREADS AND CREMA_SANITIZE MATCHES thread))
    return()
  endif()
  if(NOT TARGET crema_test_kit)
    crema_test_kit()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} crema_flags crema_test_kit)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  crema_optimise_tests(${name})
  if(CREMA_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM crema_test_kit)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  if(NOT arg_SHARDS)
    set(arg_SHARDS 1)
  endif()
  # A process for each test would start the program a thousand times.
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME unit/${name}/${shard} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(unit/${name}/${shard} PROPERTIES LABELS unit TIMEOUT 1800
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# What no test runs under a sanitizer is compiled there to hear the compiler, not to be fast or watched.
function(crema_compile_only name)
  if(CREMA_SANITIZE)
    target_compile_options(${name} PRIVATE -O0 -fno-sanitize=all)
  endif()
endfunction()

function(crema_bench_program name)
  if(NOT CREMA_BENCH OR NOT ARGN)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} crema_flags benchmark::benchmark)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  crema_compile_only(${name})
endfunction()

# A header and all headers of the project that it reaches, relative to the root.
function(crema_headers_reached_by start result)
  set(reached)
  set(waiting ${start})
  while(waiting)
    list(POP_FRONT waiting header)
    list(APPEND reached ${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${header} lines REGEX "^ *# *include *\"")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" included "${line}")
      if(NOT included IN_LIST reached AND NOT included IN_LIST waiting)
        list(APPEND waiting ${included})
      endif()
    endforeach()
  endwhile()
  set(${result} ${reached} PARENT_SCOPE)
endfunction()
