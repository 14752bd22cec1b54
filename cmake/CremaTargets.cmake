# SPDX-License-Identifier: Apache-2.0
# Roles go by suffix: x.cpp is library, x_test.cpp a test, x_bench.cpp a benchmark.

add_library(crema_flags INTERFACE)
target_compile_options(crema_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers
  # Fused multiply-add would make results depend on the instruction set.
  -ffp-contract=off
  # GCC collects its garbage from half a gigabyte on: a twelfth of the time for a fifth more memory.
  $<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=524288>
  # GCC 12 warns of overlaps in "x" + std::string that cannot be.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${CREMA_WERROR}>:-Werror>)
if(CREMA_SANITIZE)
  add_compile_options(-fsanitize=${CREMA_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${CREMA_SANITIZE})
endif()

# What most sources include takes longer to read than they themselves: it is read once for each level of optimisation.
# Forgotten includes are found by test/checks/includes.py and alone.py.
set(CREMA_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set>
    <span> <string> <string_view> <utility> <vector> <fmt/format.h>)
function(crema_precompile name level)
  if(NOT CREMA_PRECOMPILE)
    return()
  endif()
  set(kit crema_headers_${level})
  if(NOT TARGET ${kit})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cpp CONTENT "")
    add_library(${kit} OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
    target_link_libraries(${kit} PRIVATE crema_flags fmt::fmt)
    target_compile_options(${kit} PRIVATE $<$<CONFIG:Release>:-${level}> ${CREMA_PRECOMPILED_FOR_CCACHE})
    target_precompile_headers(${kit} PRIVATE ${CREMA_COMMON_HEADERS})
  endif()
  target_precompile_headers(${name} REUSE_FROM ${kit})
  target_compile_options(${name} PRIVATE ${CREMA_PRECOMPILED_FOR_CCACHE})
endfunction()

# Instead of sources, files that include up to MOST of them each, BY folder or whole room, so that what they share is read
# and made once. Names in unnamed namespaces must differ there. What has flags of its own is compiled alone. CMake's
# UNITY_BUILD writes whole paths; these are named as headers are, so that ccache knows them again in another checkout.
function(crema_together result)
  cmake_parse_arguments(arg "" "MOST;BY" "SOURCES" ${ARGN})
  set(${result} ${arg_SOURCES} PARENT_SCOPE)
  if(NOT CREMA_UNITY)
    return()
  endif()
  set(files)
  set(groups)
  foreach(source IN LISTS arg_SOURCES)
    get_source_file_property(alone ${source} COMPILE_OPTIONS)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    set(group ${result})
    if(arg_BY STREQUAL folder)
      cmake_path(GET name PARENT_PATH group)
      string(REPLACE "/" "_" group ${group})
    endif()
    if(alone)
      list(APPEND files ${source})
    else()
      list(APPEND groups ${group})
      list(APPEND of_${group} ${name})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH of_${group} count)
    math(EXPR last "${count} - 1")
    math(EXPR batches "${last} / ${arg_MOST} + 1")
    math(EXPR size "${last} / ${batches} + 1")
    set(batch 0)
    foreach(start RANGE 0 ${last} ${size})
      list(SUBLIST of_${group} ${start} ${size} some)
      list(TRANSFORM some REPLACE "(.+)" "#include \"\\1\"\n")
      string(CONCAT text ${some})
      set(file ${CMAKE_CURRENT_BINARY_DIR}/together/${group}_${batch}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      list(APPEND files ${file})
      math(EXPR batch "${batch} + 1")
    endforeach()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# A room of the library or the program, optimised by its LEVEL: O2 unless named, O1 for words and pictures, which nobody
# waits for and which then compile a quarter faster, or two fifths where the room has O3. Folders of it that are WORDS are
# O1, too. Rooms that the program and the extension share can be SHARED in wheels; what is INSTALLED is of the kind that
# BUILD_SHARED_LIBS asks for.
function(crema_part name)
  cmake_parse_arguments(arg "INSTALLED;SHARED" "LEVEL" "SOURCES;WORDS" ${ARGN})
  set(kind STATIC)
  if(CREMA_SHARED_PARTS AND arg_SHARED)
    set(kind SHARED)
  elseif(arg_INSTALLED)
    set(kind "")
  endif()
  if(NOT arg_LEVEL)
    set(arg_LEVEL O2)
  endif()
  set(words)
  foreach(folder IN LISTS arg_WORDS)
    set(own ${arg_SOURCES})
    list(FILTER own INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    list(REMOVE_ITEM arg_SOURCES ${own})
    list(APPEND words ${own})
  endforeach()
  crema_together(files MOST 12 BY folder SOURCES ${arg_SOURCES})
  add_library(${name} ${kind} ${files})
  if(words)
    crema_words(${name} ${words})
  endif()
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-${arg_LEVEL}>)
  crema_precompile(${name} ${arg_LEVEL})
  if(kind STREQUAL SHARED)
    # Compiled word for word as the other way, so that ccache has it.
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
    target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  endif()
endfunction()

# The sources of a part that are compiled with O1, otherwise as it is.
function(crema_words name)
  crema_together(files MOST 12 BY folder SOURCES ${ARGN})
  add_library(${name}_words OBJECT ${files})
  target_compile_options(${name}_words PRIVATE $<$<CONFIG:Release>:-O1>)
  target_include_directories(${name}_words PRIVATE $<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${name}_words PRIVATE $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
  target_link_libraries(${name}_words PRIVATE crema_flags)
  crema_precompile(${name}_words O1)
  target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_words>)
endfunction()

# Where ccache is installed, what was compiled before, in this folder or another, is not compiled again.
find_program(CREMA_CCACHE ccache)
# Precompiled headers, __TIME__ and another build folder are no reason for it to keep away, which it needs as options.
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
  crema_together(tests MOST 6 BY room SOURCES ${arg_SOURCES})
  add_executable(${name} ${tests})
  target_link_libraries(${name} PRIVATE ${arg_LINK} crema_flags crema_test_kit)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  crema_optimise_tests(${name})
  if(CREMA_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM crema_test_kit)
  endif()
  if(NOT arg_SHARDS)
    set(arg_SHARDS 1)
  endif()
  # What sanitizers find is not found by more random cases; without them each property is tried on 100.
  set(environment)
  if(CREMA_SANITIZE)
    set(environment "RC_PARAMS=max_success=25;")
  endif()
  # A process for each test would start the program a thousand times.
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME unit/${name}/${shard} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(unit/${name}/${shard} PROPERTIES LABELS unit TIMEOUT 1800
      ENVIRONMENT "${environment}GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}")
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
