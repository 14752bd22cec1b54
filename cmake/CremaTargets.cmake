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

# A test program from the *_test.cpp of a folder; every test of it is known to ctest.
function(crema_test_program name)
  if(NOT CREMA_TESTS OR NOT ARGN)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} crema_flags GTest::gtest_main rapidcheck)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  if(CREMA_SANITIZE MATCHES undefined)
    # What is under test is looked at in full; that the templates of RapidCheck are too would take a third longer.
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600)
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
