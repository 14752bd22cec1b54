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
    -I${PROJECT_SOURCE_DIR} -idirafter ${fmt_headers})
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
  set(wasm_compiler ${CREMA_WITH_CCACHE} CCACHE_COMPILERTYPE=clang ${CREMA_CCACHE} ${CREMA_EMXX})
endif()

# Every source reads what the library lacks first, and what most of them include where that is precompiled. Without the
# time of its making, so that ccache knows it again.
set(wasm_first -include ${CMAKE_CURRENT_SOURCE_DIR}/wasm/lacking.h)
set(wasm_headers "")
if(CREMA_PRECOMPILE)
  set(lines "#include \"report/wasm/lacking.h\"\n")
  foreach(header IN LISTS CREMA_COMMON_HEADERS)
    string(APPEND lines "#include ${header}\n")
  endforeach()
  set(wasm_headers ${wasm_folder}/headers.h.pch)
  file(CONFIGURE OUTPUT ${wasm_folder}/headers.h CONTENT "${lines}" @ONLY)
  add_custom_command(OUTPUT ${wasm_headers}
    COMMAND ${wasm_compiler} ${wasm_flags} -Xclang -fno-pch-timestamp -x c++-header -MMD -MF ${wasm_headers}.d
            -c ${wasm_folder}/headers.h -o ${wasm_headers}
    DEPENDS ${wasm_folder}/headers.h DEPFILE ${wasm_headers}.d VERBATIM COMMENT "Compiling headers to WebAssembly")
  set(wasm_first -include-pch ${wasm_headers} -Xclang -fno-pch-timestamp)
endif()

# Compiles sources, each once for both modules.
function(crema_wasm_objects result)
  set(objects)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    string(REPLACE "/" "_" name ${name})
    set(object ${wasm_folder}/${name}.o)
    list(APPEND objects ${object})
    get_property(known GLOBAL PROPERTY crema_wasm_known)
    if(NOT object IN_LIST known)
      set_property(GLOBAL APPEND PROPERTY crema_wasm_known ${object})
      set(flags ${wasm_flags} ${wasm_first})
      if(name MATCHES "^files_")
        list(APPEND flags -include ${CMAKE_CURRENT_SOURCE_DIR}/app/lacking.h)
      endif()
      add_custom_command(OUTPUT ${object}
        COMMAND ${wasm_compiler} ${flags} -MMD -MF ${object}.d -c ${source} -o ${object}
        DEPENDS ${source} ${wasm_headers} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${name} to WebAssembly")
    endif()
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Links objects to a module, packed.
function(crema_wasm_module result name)
  set(module ${wasm_folder}/${name}.wasm)
  add_custom_command(OUTPUT ${module}.gz
    COMMAND ${CREMA_EMXX} -Oz -fwasm-exceptions --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
            -sTOTAL_STACK=1MB ${ARGN} -o ${module}
    COMMAND gzip -9nf ${module}
    DEPENDS ${ARGN} VERBATIM COMMENT "Linking ${name} as WebAssembly")
  set(${result} ${module}.gz PARENT_SCOPE)
endfunction()

crema_wasm_objects(wasm_objects ${wasm_sources})
crema_wasm_module(wasm crema ${wasm_objects})

# The module of the app reads files too: all of crema/, the readers, and what makes a page. What the system or another
# library does for the program, report/app/ does there.
set(app_sources ${wasm_sources})
foreach(room crema files raters plot draw report)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${room}/*.cpp)
  list(APPEND app_sources ${sources})
endforeach()
list(REMOVE_DUPLICATES app_sources)
list(FILTER app_sources EXCLUDE REGEX "_(test|bench)\\.cpp$|/crema/(parallel|image/canvas)\\.cpp$|/crema/(phantom|labels)/")
list(FILTER app_sources EXCLUDE REGEX "/agreement/(background|certify_map|check_record|json_parse|label_record|maps|tables)\\.cpp$")
list(FILTER app_sources EXCLUDE REGEX "/files/tiff/|/files/(plan|staged)|/files/png/codec|/files/numpy/npz_write")
list(FILTER app_sources EXCLUDE REGEX "/files/values/collect|/files/io/(atomic|temporary|checksum|gzip|gunzip|source)\\.cpp$")
list(FILTER app_sources EXCLUDE REGEX "/plot/render|/report/(cohort_.*|page|policy|packed|app_page)\\.cpp$|/raters/(each_rater|facts|examine|label.*|segment_labels)\\.cpp$")
list(APPEND app_sources ${PROJECT_SOURCE_DIR}/crema/labels/choice.cpp ${PROJECT_SOURCE_DIR}/crema/labels/regions.cpp)
crema_wasm_objects(app_objects ${app_sources})
crema_wasm_module(app_wasm app ${app_objects})
