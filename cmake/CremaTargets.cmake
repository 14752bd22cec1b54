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

# The same for those sources of a room whose name matches one of the patterns.
function(crema_compile_small sources)
  foreach(pattern IN LISTS ARGN)
    set(found ${${sources}})
    list(FILTER found INCLUDE REGEX ${pattern})
    set_property(SOURCE ${found} APPEND PROPERTY COMPILE_OPTIONS ${CREMA_SMALL})
  endforeach()
endfunction()

# What the program and the extension have in common.
function(crema_part name)
  if(NOT CREMA_SHARED_PARTS)
    add_library(${name} STATIC ${ARGN})
    return()
  endif()
  add_library(${name} SHARED ${ARGN})
  # Compiled word for word as the other way, so that ccache has it.
  set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions -Wl,--gc-sections)
endfunction()

# Where ccache is installed, what was compiled before, in this folder or another, is not compiled again.
find_program(CREMA_CCACHE ccache)
if(CREMA_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # It wants to be told that precompiled headers and __TIME__ are no reason to keep away.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CREMA_CCACHE})
endif()

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
    $<$<AND:$<BOOL:${CREMA_PRECOMPILE}>,$<BOOL:${CREMA_CCACHE}>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
  if(CREMA_SANITIZE MATCHES undefined)
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

# A test program from the *_test.cpp of a folder, which ctest runs in SHARDS parts. What has no threads of its own is
# nothing for the thread sanitizer.
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

function(crema_bench_program name)
  if(NOT CREMA_BENCH OR NOT ARGN)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} crema_flags benchmark::benchmark)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
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
