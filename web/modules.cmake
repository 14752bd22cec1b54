# SPDX-License-Identifier: Apache-2.0
# crema/ and web/wasm/ as one WebAssembly module: one thread, no files, exceptions as browsers have them.
if(NOT CREMA_EMXX)
  message(FATAL_ERROR "CREMA_WASM takes em++ of emscripten, which was not found; Debian has it in emscripten")
endif()
set(wasm_folder ${CMAKE_CURRENT_BINARY_DIR}/wasm)
file(MAKE_DIRECTORY ${wasm_folder})
# fmt lies beside all other headers of the system, which are not for this compiler: it looks there last. The same words
# in every build, so that ccache has what another has compiled. web/wasm/fmt.cpp compiles fmt.
get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
# No contraction: the same bytes as everywhere.
set(wasm_flags -std=c++20 -Oz -fwasm-exceptions -ffp-contract=off -DNDEBUG -DCREMA_VERSION="${PROJECT_VERSION}"
    -I${PROJECT_SOURCE_DIR} -idirafter ${fmt_headers})
# All sources of the folders FROM, the files WITH, and neither tests nor what is left OUT because web/ stands in for it or
# no page needs it.
function(crema_wasm_sources result)
  cmake_parse_arguments(arg "" "" "FROM;WITH;OUT" ${ARGN})
  set(files)
  foreach(folder IN LISTS arg_FROM)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND files ${sources})
  endforeach()
  list(FILTER files EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(TRANSFORM arg_OUT REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1.cpp")
  list(TRANSFORM arg_WITH REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1.cpp")
  list(REMOVE_ITEM files ${arg_OUT})
  set(${result} ${files} ${arg_WITH} PARENT_SCOPE)
endfunction()

# What fuses again; of measures margins alone, of labels what the table of settings reads.
crema_wasm_sources(wasm_sources
  FROM crema crema/base crema/tables crema/image crema/voxels crema/voxels/votes crema/counts crema/counts/macchiato
       crema/counts/staple crema/counts/proof crema/levels crema/levels/robust crema/levels/shells crema/spatial web/wasm
  WITH crema/agreement/measured crema/agreement/overlap crema/agreement/confidence/stability
       crema/agreement/confidence/level_raters crema/records/record_parts
       crema/records/table crema/labels/regions
  OUT crema/base/parallel crema/image/canvas crema/tables/citation)
set(wasm_compiler ${CREMA_EMXX})
if(CREMA_CCACHE)
  set(wasm_compiler ${CREMA_WITH_CCACHE} CCACHE_COMPILERTYPE=clang ${CREMA_CCACHE} ${CREMA_EMXX})
endif()

# Every source reads what the library lacks first, and what most of them include where that is precompiled. Without the
# time of its making, so that ccache knows it again; itself it is not of ccache, as it names files of the checkout it was
# made in, which may be gone.
set(wasm_first -include ${PROJECT_SOURCE_DIR}/web/wasm/polyfill.h)
set(wasm_headers "")
if(CREMA_PRECOMPILE)
  set(lines "#include \"web/wasm/polyfill.h\"\n")
  foreach(header IN LISTS CREMA_COMMON_HEADERS)
    string(APPEND lines "#include ${header}\n")
  endforeach()
  set(wasm_headers ${wasm_folder}/headers.h.pch)
  file(CONFIGURE OUTPUT ${wasm_folder}/headers.h CONTENT "${lines}" @ONLY)
  add_custom_command(OUTPUT ${wasm_headers}
    COMMAND ${CREMA_EMXX} ${wasm_flags} -Xclang -fno-pch-timestamp -x c++-header -MMD -MF ${wasm_headers}.d
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
        list(APPEND flags -include ${PROJECT_SOURCE_DIR}/web/app/polyfill.h)
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
# library does for the program, web/app/ does there.
crema_wasm_sources(app_sources
  FROM crema/adjudicate crema/agreement crema/agreement/confidence crema/agreement/joint crema/agreement/review crema/agreement/surfaces
       crema/agreement/warnings crema/records crema/labels crema/labels/settle files files/io files/io/gzip
       files/io/system files/values files/nifti files/nrrd files/meta files/dicom files/dicom/elements files/dicom/outlines files/png
       files/numpy raters/open raters/read raters/run plot figure report report/case web/app
  WITH crema/tables/citation
  OUT crema/agreement/background crema/agreement/confidence/certify_map crema/agreement/maps crema/records/check_record
      crema/records/label_record crema/records/tables files/plan files/staged files/png/codec files/numpy/npz_write files/numpy/zip_text
      files/values/collect files/io/atomic files/io/system/temporary files/io/checksum files/io/source
      files/io/system/machine files/io/gzip/gzip files/io/gzip/gunzip plot/render plot/child report/case/page
      report/case/packed report/policy report/app_page raters/read/each_rater raters/open/facts
      raters/run/decided_inputs raters/run/examine)
list(APPEND app_sources ${wasm_sources})
list(REMOVE_DUPLICATES app_sources)
crema_wasm_objects(app_objects ${app_sources})
crema_wasm_module(app_wasm app ${app_objects})
