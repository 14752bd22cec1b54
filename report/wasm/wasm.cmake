# SPDX-License-Identifier: Apache-2.0
# crema/ and report/wasm/ as one WebAssembly module: one thread, no files, exceptions as browsers have them.
if(NOT CREMA_EMXX)
  message(FATAL_ERROR "CREMA_WASM takes em++ of emscripten, which was not found; Debian has it in emscripten")
endif()
set(wasm_folder ${CMAKE_CURRENT_BINARY_DIR}/wasm)
file(MAKE_DIRECTORY ${wasm_folder})
# fmt lies beside all other headers of the system, which are not for this compiler: it looks there last. The same words
# in every build, so that ccache has what another has compiled. wasm/fmt.cpp compiles fmt.
get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
# No contraction: the same bytes as everywhere.
set(wasm_flags -std=c++20 -Oz -fwasm-exceptions -ffp-contract=off -DNDEBUG -DCREMA_VERSION="${PROJECT_VERSION}"
    -I${PROJECT_SOURCE_DIR} -idirafter ${fmt_headers} -include ${CMAKE_CURRENT_SOURCE_DIR}/wasm/lacking.h)
file(GLOB_RECURSE wasm_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/crema/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/wasm/*.cpp)
list(FILTER wasm_sources EXCLUDE REGEX "_(test|bench)\\.cpp$|/crema/(parallel|image/canvas)\\.cpp$|/crema/(phantom|labels)/|/citation\\.cpp$")
# Of what is told, margins and records alone; of labels what the table of settings reads.
list(FILTER wasm_sources EXCLUDE REGEX "/crema/agreement/[^j]")
foreach(part agreement/measured agreement/overlap agreement/record_parts agreement/stability agreement/table agreement/utf8
        labels/choice labels/regions)
  list(APPEND wasm_sources ${PROJECT_SOURCE_DIR}/crema/${part}.cpp)
endforeach()
set(wasm_compiler ${CREMA_EMXX})
if(CREMA_CCACHE)
  set(wasm_compiler ${CMAKE_COMMAND} -E env CCACHE_COMPILERTYPE=clang ${CREMA_CCACHE} ${CREMA_EMXX})
endif()
set(wasm_objects)
foreach(source IN LISTS wasm_sources)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "_" name ${name})
  set(object ${wasm_folder}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${wasm_compiler} ${wasm_flags} -MMD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${name} to WebAssembly")
  list(APPEND wasm_objects ${object})
endforeach()
set(wasm ${wasm_folder}/crema.wasm.gz)
add_custom_command(OUTPUT ${wasm}
  COMMAND ${CREMA_EMXX} -Oz -fwasm-exceptions --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
          -sTOTAL_STACK=1MB ${wasm_objects} -o ${wasm_folder}/crema.wasm
  COMMAND gzip -9nf ${wasm_folder}/crema.wasm
  DEPENDS ${wasm_objects} VERBATIM COMMENT "Linking crema as WebAssembly")
